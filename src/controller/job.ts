/** A command as the controller holds it, from the dispatch until it has ended here: see `JobList`. */

import { advances, type Baseline, type Mark } from "#core/command/marks.ts";
import type { StillAllowed } from "#core/command/settled.ts";
import type { ToController } from "#core/controller/messages.ts";
import { driverCommand } from "#core/controller/told-command.ts";
import type { DriverCommand } from "#core/driver.ts";
import type { FiscalError } from "#core/errors.ts";

export interface Job {
  readonly command: DriverCommand;
  readonly deviceId: string;
  /** Of the latest hand-over of the command. */
  epoch: number;
  /** The installation whose gateway handed it over last; null where that does not say. */
  owedTo: string | null;
  /** From the dispatch on; undefined for a command that is only to be resolved. Milliseconds. */
  readonly expiresInMs: number | undefined;
  /** When it must have begun, by the clock's `elapsed`; known from when it is in a list. */
  beginBy: number | undefined;
  /** The last mark the driver reported, with everything it read. */
  mark: Mark | undefined;
  baseline: Baseline;
  /** It was begun by a process that is gone: it may have got further than its mark. */
  readonly mayBeFurther: boolean;
  /** What stands open before it and cannot be cancelled is left as it is. */
  readonly neverFinish: boolean;
  /** TCP ports at which the printer has other addresses: a killed process may have left bytes for it. */
  readonly otherPorts: readonly number[];
  /** A person said what became of it, and this is what may be of it since. Undefined: nobody has. */
  settled: StillAllowed | undefined;
  /** The driver has begun to talk to the device for it. */
  begun: boolean;
  /** The outcome must be asked of the device. */
  inDoubt: boolean;
  /** The last fault of the line, for the result when the time is over. */
  fault: FiscalError | undefined;
  /** What was last logged of it, so that it is not logged again. */
  logged: string | undefined;
  /** How long the device, or another in its place, was reachable while in doubt; milliseconds. */
  doubtMs: number;
}

/** A command to carry out. */
export function newJob(order: Extract<ToController, { type: "command.dispatch" }>): Job {
  const { command, device, epoch, expiresInMs, begun, neverFinish = false } = order;
  const known = { expiresInMs, begun, neverFinish };
  return { ...EMPTY, command: driverCommand(command), deviceId: device.id, epoch, ...known };
}

/** A command whose outcome the gateway wants to know. */
export function resolveJob(order: Extract<ToController, { type: "command.resolve" }>): Job {
  const { command, device, epoch, mark, baseline, otherPorts = [] } = order;
  const known = {
    expiresInMs: undefined,
    mark,
    baseline,
    mayBeFurther: true,
    otherPorts,
    settled: settledOf(order),
  };
  const state = { ...known, begun: true, inDoubt: true };
  return { ...EMPTY, command: driverCommand(command), deviceId: device.id, epoch, ...state };
}

function settledOf(
  order: Extract<ToController, { type: "command.resolve" }>,
): StillAllowed | undefined {
  const { neverFinish = false, mayPrint = false } = order;
  // An older gateway says only of a receipt that was called not printed that a person settled it.
  const { settled = neverFinish } = order;
  return settled ? { mayPrint, mayFinish: !neverFinish } : undefined;
}

/**
 * False once nothing more of its document may be registered, paid or closed. A person's word lets no
 * document go on that was not allowed to pay before: no mark of it is stored any more.
 */
export function mayGoOn({ settled, mark }: Job): boolean {
  if (settled === undefined) return true;
  return settled.mayPrint && mark !== undefined && !advances(mark, "committing");
}

/** False while it waits for paper however long that takes: a person has called it printed. */
export function hasLimit(job: Job): boolean {
  return job.settled === undefined || !mayGoOn(job);
}

/**
 * False while a receipt that stands open may only be cancelled: a person said that it was not
 * printed. A command that is carried out has cleared its way before its first mark: what stands
 * open after that is its own.
 */
export function mayFinish({ settled, neverFinish, mark }: Job): boolean {
  return settled?.mayFinish !== false && (!neverFinish || mark !== undefined);
}

const EMPTY = {
  owedTo: null,
  beginBy: undefined,
  mark: undefined,
  baseline: {},
  mayBeFurther: false,
  otherPorts: [],
  begun: false,
  neverFinish: false,
  settled: undefined,
  inDoubt: false,
  fault: undefined,
  logged: undefined,
  doubtMs: 0,
} as const;
