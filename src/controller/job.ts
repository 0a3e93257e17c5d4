/** A command as the controller holds it, from the dispatch until its result is stored. */

import type { CommandResult } from "#core/command/command.ts";
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
  /** How long the device was reachable while the job was in doubt, milliseconds. */
  doubtMs: number;
  /** Kept until the gateway has stored it. */
  result: CommandResult | undefined;
}

/** A command to carry out. */
export function newJob(command: DriverCommand, expiresAt: number): Job {
  return { ...EMPTY, command, expiresAt };
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
  result: undefined,
} as const;
