/** Taking the next command of a device for dispatch. */

import type { Command } from "#core/command/command.ts";
import type { LifecycleInput } from "#core/command/lifecycle.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Transaction } from "#db/writer.ts";
import type { CommandChanges } from "./changes.ts";
import type { Lanes } from "./lanes.ts";
import type { ControllerPort } from "./ports.ts";

export interface ClaimsOptions {
  readonly stores: Pick<Stores, "commands" | "outcomeHolds">;
  readonly controllers: Pick<ControllerPort, "controllerOf">;
  readonly lanes: Lanes;
  readonly changes: CommandChanges;
}

export class Claims {
  readonly #o: ClaimsOptions;

  constructor(options: ClaimsOptions) {
    this.#o = options;
  }

  /**
   * Takes the oldest pending command of a device for dispatch, when a controller serves the device
   * and has none of it; ends those before it that cannot be sent.
   */
  next(tx: Transaction, deviceId: string, now: number): Command | undefined {
    const { stores, controllers, lanes, changes } = this.#o;
    const { commands, outcomeHolds } = stores;
    const controllerId = controllers.controllerOf(deviceId)?.controllerId;
    // The database is asked, not the lane: within one transaction it is ahead of the lane.
    if (controllerId === undefined || commands.isOneOut(deviceId)) return undefined;
    const held = lanes.find(deviceId)?.held === true && outcomeHolds.listOpen(deviceId).length > 0;
    for (;;) {
      const command = commands.nextPending(deviceId, held);
      if (!command) return undefined;
      const refusal = this.#refusalOf(command, now);
      if (refusal === undefined) {
        commands.markSent(command.id, controllerId, now);
        const sent = { status: "sent", controllerId, sentAt: now, updatedAt: now } as const;
        const taken = { ...command, ...sent, epoch: command.epoch + 1 };
        tx.emit({ type: "command.updated", orgId: taken.orgId, command: taken });
        return taken;
      }
      changes.apply(tx, command, { input: refusal, now });
    }
  }

  /** Why a command is ended instead of sent. */
  #refusalOf(command: Command, now: number): LifecycleInput | undefined {
    // After a start its timer is due as well, but nothing says which of the two comes first.
    if (now >= command.expiresAt) return { kind: "expired" };
    const result = this.#o.changes.refusalOf(command);
    return result && { kind: "finished", result };
  }
}
