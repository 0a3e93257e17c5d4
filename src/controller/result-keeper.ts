/** Where results are kept that the gateway has not stored yet. */

import type { CommandResult } from "#core/command/command.ts";

/** How a command ended on its device. */
export interface KeptResult {
  readonly commandId: string;
  readonly deviceId: string;
  /** Of the hand-over under which it is told. */
  readonly epoch: number;
  readonly result: CommandResult;
  /** The installation whose gateway handed the command over; null where that does not say. */
  readonly owedTo: string | null;
  /** Null while nobody else has answered it. */
  readonly answered: AnsweredElsewhere | null;
}

/** A gateway that need not be the one to which a result is owed has answered it. */
export interface AnsweredElsewhere {
  /** Its installation, of several the last; null where it does not say. */
  readonly by: string | null;
  /** When the first such one did; UTC milliseconds. */
  readonly since: number;
}

/** Outlives the controller's process, so that the device need not be asked again. */
export interface ResultKeeper {
  /** Of all devices, first to last. */
  all(): readonly KeptResult[];
  /**
   * On disk when it returns; one that was kept of the command is replaced.
   * @throws whatever keeps it from being written
   */
  keep(result: KeptResult): void;
  /** Notes it of one that is kept, which keeps its place. @throws whatever keeps it from being written */
  answered(commandId: string, answered: AnsweredElsewhere): void;
  /** The gateway has it, or wants it no longer. */
  forget(commandId: string): void;
}
