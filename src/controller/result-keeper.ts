/** Where results are kept that the gateway has not stored yet. */

import type { CommandResult } from "#core/command/command.ts";

/** How a command ended on its device. */
export interface KeptResult {
  readonly commandId: string;
  readonly deviceId: string;
  /** Of the hand-over under which it is told. */
  readonly epoch: number;
  readonly result: CommandResult;
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
  /** The gateway has it, or wants it no longer. */
  forget(commandId: string): void;
}
