/** What one file of `commands/` provides. */

import type { CommandType } from "#core/command/catalogue.ts";
import type {
  CommandProgress,
  CommandSuccess,
  DriverCommand,
  Evidence,
  Resolution,
} from "#core/driver.ts";
import type { ShtrihDevice } from "./device.ts";

export interface CommandContext {
  readonly device: ShtrihDevice;
  readonly command: DriverCommand;
  readonly progress: CommandProgress;
}

export interface ResolveContext {
  readonly device: ShtrihDevice;
  readonly command: DriverCommand;
  readonly evidence: Evidence;
}

/** One of our command types, made of device commands. */
export interface ShtrihCommand {
  readonly type: CommandType;
  execute(context: CommandContext): Promise<CommandSuccess>;
  /** For documents and ledger entries: finds out what became of one in doubt. */
  resolve?(context: ResolveContext): Promise<Resolution>;
}
