/** Taking the next command of a device for dispatch. */

import type { Command } from "#core/command/command.ts";
import type { LifecycleInput } from "#core/command/lifecycle.ts";
import type { Stores } from "#db/stores/index.ts";
import type { CommandChanges } from "./changes.ts";
import type { Lanes } from "./lanes.ts";
import type { ControllerPort } from "./ports.ts";

/** A command taken for dispatch, and those that were refused on the way to it. */
export interface Claim {
  readonly taken: Command | undefined;
  readonly refused: readonly Command[];
}

export const NO_CLAIM: Claim = { taken: undefined, refused: [] };

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
   * Takes the oldest pending command of a device, when a controller serves it and has none of it.
   * Runs inside an operation of the writer.
   */
  next(deviceId: string, now: number): Claim {
    const { stores, controllers, lanes, changes } = this.#o;
    const { commands, outcomeHolds } = stores;
    const controllerId = controllers.controllerOf(deviceId);
    // The database is asked, not the lane: within one transaction it is ahead of the lane.
    if (controllerId === undefined || commands.isOneOut(deviceId)) return NO_CLAIM;
    const held = lanes.find(deviceId)?.held === true && outcomeHolds.listOpen(deviceId).length > 0;
    const refused: Command[] = [];
    for (;;) {
      const command = commands.nextPending(deviceId, held);
      if (!command) return { taken: undefined, refused };
      const refusal = this.#refusalOf(command, now);
      if (refusal === undefined) {
        commands.markSent(command.id, controllerId, now);
        const sent = { status: "sent", controllerId, sentAt: now, updatedAt: now } as const;
        return { taken: { ...command, ...sent }, refused };
      }
      const ended = changes.apply(command, refusal, now);
      if (ended) refused.push(ended);
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
