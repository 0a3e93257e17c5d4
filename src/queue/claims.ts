/** Taking the next command of a device for dispatch. */

import type { Command } from "#core/command/command.ts";
import type { LifecycleInput } from "#core/command/lifecycle.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Transaction } from "#db/writer.ts";
import type { CommandChanges } from "./changes.ts";
import type { Deadlines } from "./deadlines.ts";
import { isReversing } from "./documents.ts";
import type { Holds } from "./holds.ts";
import type { Lane, Lanes } from "./lanes.ts";
import type { ControllerPort } from "./ports.ts";
import { noteSentTo } from "./printer-records.ts";
import { namedForRepeat } from "./repeated.ts";

export interface ClaimsOptions {
  readonly stores: Pick<Stores, "commands" | "devices">;
  readonly controllers: Pick<ControllerPort, "controllerOf">;
  readonly deadlines: Pick<Deadlines, "remaining">;
  readonly lanes: Lanes;
  readonly holds: Pick<Holds, "isHeld">;
  readonly changes: CommandChanges;
  /** There may be more to take from a device, by an operation of its own. */
  readonly freed: (deviceId: string) => void;
}

/**
 * Commands that are ended by one operation, each of which may have its sale searched: what the other
 * printers tell waits for no more of them than that.
 */
const REFUSED_MAX = 20;

export class Claims {
  readonly #o: ClaimsOptions;

  constructor(options: ClaimsOptions) {
    this.#o = options;
  }

  /**
   * Takes the oldest pending command of a device that may go out, when a controller serves the device
   * and has none of it; ends those before it that cannot be sent.
   */
  next(tx: Transaction, deviceId: string, now: number): Command | undefined {
    const server = this.#o.controllers.controllerOf(deviceId);
    const command = server && this.#oldest(tx, deviceId, now);
    const taken = command && this.take(tx, command, { controllerId: server.controllerId, now });
    return taken && this.#o.changes.handed(taken, { server, now });
  }

  /**
   * The same for a controller that was woken and is not there yet: it gets the command when it is.
   */
  nextFor(
    tx: Transaction,
    deviceId: string,
    woken: { readonly controllerId: string; readonly now: number },
  ): Command | undefined {
    if (this.#o.controllers.controllerOf(deviceId) !== undefined) return undefined;
    const command = this.#oldest(tx, deviceId, woken.now);
    return command && this.take(tx, command, woken);
  }

  /**
   * The oldest pending command, when none is out, and on a device that is held, of those that need not
   * wait for that; ends those before it that cannot be sent.
   */
  #oldest(tx: Transaction, deviceId: string, now: number): Command | undefined {
    const { stores, lanes, holds, changes, freed } = this.#o;
    const { commands } = stores;
    const lane = lanes.find(deviceId);
    // The database is asked, not the lane: within one transaction it is ahead of the lane.
    if (lane?.closed || commands.isOneOut(deviceId)) return undefined;
    const held = lane?.held === true && holds.isHeld(deviceId);
    for (let refused = 0; refused < REFUSED_MAX; refused += 1) {
      const command = commands.nextPending(deviceId, held);
      if (!command) return undefined;
      const refusal = this.#refusalOf(command);
      if (refusal === undefined) {
        changes.named(command);
        return command;
      }
      changes.apply(tx, command, { input: refusal, now });
    }
    tx.after(() => freed(deviceId));
    return undefined;
  }

  /**
   * The command that `next` will take when the one that is out ends now; undefined when that is not
   * certain. Reads only.
   */
  foresee(deviceId: string, now: number): Command | undefined {
    const { stores, controllers, lanes } = this.#o;
    const controllerId = controllers.controllerOf(deviceId)?.controllerId;
    if (controllerId === undefined) return undefined;
    const lane = lanes.find(deviceId);
    if (lane?.held || lane?.closed) return undefined;
    const command = stores.commands.nextPending(deviceId, false);
    // The receipt of the one that is out is not stored yet, nor its number known.
    if (!command || isReversing(command) || namedForRepeat(command) !== undefined) return undefined;
    if (this.#refusalOf(command) !== undefined) return undefined;
    return taken(command, controllerId, now);
  }

  /** The command as it will be once it is accepted, when the device has nothing else to do. */
  foreseeAccepted(command: NewCommand, now: number): NewCommand | undefined {
    const { stores, controllers, lanes } = this.#o;
    const { deviceId } = command;
    const key = controllers.controllerOf(deviceId);
    const lane = lanes.of(deviceId);
    // One outside of the process may do what nothing on disk speaks of.
    if (key === undefined || key.orgId !== null || !isIdle(lane)) return undefined;
    if (stores.commands.nextPending(deviceId, false)) return undefined;
    if (this.#refusalOf(command) !== undefined) return undefined;
    return taken(command, key.controllerId, now);
  }

  /** Takes a pending command. @returns it as taken; undefined when it is no longer there to take */
  take(
    tx: Transaction,
    { id: commandId, deviceId }: Pick<Command, "id" | "deviceId">,
    to: { readonly controllerId: string; readonly now: number },
  ): Command | undefined {
    const { stores } = this.#o;
    if (!stores.commands.markSent(commandId, to.controllerId, to.now)) return undefined;
    const sent = noteSentTo(stores, { commandId, deviceId });
    if (sent) tx.emit({ type: "command.updated", orgId: sent.orgId, command: sent });
    return sent;
  }

  /** Why a command is ended instead of sent. */
  #refusalOf(command: NewCommand): LifecycleInput | undefined {
    // After a start its timer is due as well, but nothing says which of the two comes first.
    if (this.#o.deadlines.remaining(command) <= 0) return { kind: "expired" };
    const result = this.#o.changes.refusalOf(command);
    return result && { kind: "finished", result };
  }
}

/** The command as it will be once it is taken, for whoever gets it before. */
function taken<T extends NewCommand>(command: T, controllerId: string, now: number): T {
  const epoch = command.epoch + 1;
  return { ...command, status: "sent", controllerId, epoch, sentAt: now, updatedAt: now };
}

function isIdle({ out, ahead, claiming, held, closed }: Lane): boolean {
  return out === undefined && ahead === undefined && !claiming && !held && !closed;
}
