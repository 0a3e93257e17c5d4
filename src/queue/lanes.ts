/**
 * One lane per device: at most one command is out at a time, in order of acceptance. Lanes live in
 * memory; what they hold is found again in the database after a start.
 */

import type { Command } from "#core/command/command.ts";
import type { OutcomeHold } from "#db/stores/outcome-holds.ts";

/** Which command it is; what it says is read when it is handed out. */
export type LaneCommand = Pick<Command, "id" | "orgId" | "deviceId" | "controllerId">;

/** A document that was called not printed. Another shop may have it, whose printer this is too. */
export type DisownedDocument = Pick<OutcomeHold, "commandId" | "orgId">;

export interface Lane {
  readonly deviceId: string;
  /** The command that a controller has, or gets as soon as one connects. */
  out: LaneCommand | undefined;
  /**
   * The command that the controller was given before the claim of it is on disk. Only one inside
   * the process gets it so early, as it ends with whatever was not written. Nothing else of the
   * device is claimed meanwhile.
   */
  ahead: LaneCommand | undefined;
  /**
   * Since when the command that is out may be in doubt, and nothing was heard of it: its line or its
   * controller went, or it was handed over to be resolved. By the clock's `elapsed`.
   */
  silentSince: number | undefined;
  /** When the line was lost last, by `Lanes.losses`. */
  lostAt: number;
  /** Other records may lead to the printer of the command that is out: see `Doubts`. */
  shared: boolean;
  /** The record over whose line its printer is asked of it, where that is not its own. */
  via: string | undefined;
  /** A claim is being written. */
  claiming: boolean;
  /** Something changed while it was: look again. */
  again: boolean;
  /** What prints waits because a person, or the printer, must first say something: see `Holds`. */
  held: boolean;
  /**
   * A document that a person called not printed and that may still stand open; null when there is
   * none, undefined until somebody has looked.
   */
  disowned: DisownedDocument | null | undefined;
  /** The device was removed: what waits for it is being ended, nothing of it goes out. */
  closed: boolean;
}

export class Lanes {
  readonly #byDevice = new Map<string, Lane>();
  #losses = 0;

  /** How many lines were lost by now: what came before one was not heard since, whenever it is written. */
  get losses(): number {
    return this.#losses;
  }

  /** The line over which the device of a lane was heard is gone. @param now by the clock's `elapsed` */
  lost(lane: Lane, now: number): void {
    this.#losses += 1;
    lane.lostAt = this.#losses;
    lane.silentSince ??= now;
  }

  /** The lane of a device, made when it is first needed. */
  of(deviceId: string): Lane {
    let lane = this.#byDevice.get(deviceId);
    if (lane === undefined) {
      lane = {
        deviceId,
        out: undefined,
        ahead: undefined,
        silentSince: undefined,
        lostAt: 0,
        shared: false,
        via: undefined,
        claiming: false,
        again: false,
        held: false,
        disowned: undefined,
        closed: false,
      };
      this.#byDevice.set(deviceId, lane);
    }
    return lane;
  }

  /** The lane of a device, when it has one. */
  find(deviceId: string): Lane | undefined {
    return this.#byDevice.get(deviceId);
  }

  /** All lanes, of devices that are gone too until `remove` is called for them. */
  all(): Lane[] {
    return [...this.#byDevice.values()];
  }

  /** True while a command is out on the device. */
  isBusy(deviceId: string): boolean {
    return this.#byDevice.get(deviceId)?.out !== undefined;
  }

  remove(deviceId: string): void {
    this.#byDevice.delete(deviceId);
  }
}

/** A command is out in the lane from now on, or none. */
export function setOut(lane: Lane, command: LaneCommand | undefined): void {
  lane.out = command && laneCommand(command);
  lane.silentSince = undefined;
  lane.shared = false;
  lane.via = undefined;
}

/** Leaves out what a lane does not hold. */
export function laneCommand({ id, orgId, deviceId, controllerId }: LaneCommand): LaneCommand {
  return { id, orgId, deviceId, controllerId };
}
