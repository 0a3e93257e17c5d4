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
        const sent = taken(command, controllerId, now);
        return this.take(tx, sent, now) ? sent : undefined;
      }
      changes.apply(tx, command, { input: refusal, now });
    }
  }

  /**
   * The command that `next` will take when the one that is out ends now; undefined when that is not
   * certain. Reads only.
   */
  foresee(deviceId: string, now: number): Command | undefined {
    const { stores, controllers, lanes } = this.#o;
    const controllerId = controllers.controllerOf(deviceId)?.controllerId;
    if (controllerId === undefined || lanes.find(deviceId)?.held === true) return undefined;
    const command = stores.commands.nextPending(deviceId, false);
    if (!command || this.#refusalOf(command, now) !== undefined) return undefined;
    return taken(command, controllerId, now);
  }

  /** Takes what was foreseen. @returns false when it is no longer there to take */
  take(tx: Transaction, foreseen: Command, now: number): boolean {
    const { id, orgId, controllerId } = foreseen;
    if (!this.#o.stores.commands.markSent(id, controllerId ?? "", now)) return false;
    tx.emit({ type: "command.updated", orgId, command: foreseen });
    return true;
  }

  /** Why a command is ended instead of sent. */
  #refusalOf(command: Command, now: number): LifecycleInput | undefined {
    // After a start its timer is due as well, but nothing says which of the two comes first.
    if (now >= command.expiresAt) return { kind: "expired" };
    const result = this.#o.changes.refusalOf(command);
    return result && { kind: "finished", result };
  }
}

/** The command as it is once it is taken. */
function taken(command: Command, controllerId: string, now: number): Command {
  const epoch = command.epoch + 1;
  return { ...command, status: "sent", controllerId, epoch, sentAt: now, updatedAt: now };
}
