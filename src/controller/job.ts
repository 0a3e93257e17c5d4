/** A command as the controller holds it, from the dispatch until its result is stored. */

import type { Baseline, Mark } from "#core/command/marks.ts";
import type { DriverCommand } from "#core/driver.ts";
import type { FiscalError } from "#core/errors.ts";

export interface Job {
  readonly command: DriverCommand;
  /** Undefined for a command that is only to be resolved. UTC milliseconds. */
  readonly expiresAt: number | undefined;
  /** The last mark the driver reported, with everything it read. */
  mark: Mark | undefined;
  baseline: Baseline;
  /** The driver has begun to talk to the device for it. */
  begun: boolean;
  /** The outcome must be asked of the device. */
  inDoubt: boolean;
  /** The last fault of the line, for the result when the time is over. */
  fault: FiscalError | undefined;
  /** How long the device, or another in its place, was reachable while in doubt; milliseconds. */
  doubtMs: number;
}

/** A command to carry out. @param order when it may begin at the latest, and whether it once did */
export function newJob(
  command: DriverCommand,
  order: { readonly expiresAt: number; readonly begun: boolean },
): Job {
  return { ...EMPTY, command, expiresAt: order.expiresAt, begun: order.begun };
}

/** A command whose outcome the gateway wants to know. */
export function resolveJob(command: DriverCommand, mark: Mark, baseline: Baseline): Job {
  return { ...EMPTY, command, expiresAt: undefined, mark, baseline, begun: true, inDoubt: true };
}

const EMPTY = {
  mark: undefined,
  baseline: {},
  begun: false,
  inDoubt: false,
  fault: undefined,
  doubtMs: 0,
} as const;
