/** What one file of `commands/` provides. */

import type { CommandType } from "#core/command/catalogue.ts";
import type {
  CommandProgress,
  CommandSuccess,
  DriverCommand,
  Evidence,
  Resolution,
} from "#core/driver.ts";
import type { ZfpDevice } from "./device.ts";

export interface CommandContext {
  readonly device: ZfpDevice;
  readonly command: DriverCommand;
  readonly progress: CommandProgress;
}

export interface ResolveContext {
  readonly device: ZfpDevice;
  readonly command: DriverCommand;
  readonly evidence: Evidence;
}

/** One of our command types, made of the commands of the protocol. */
export interface ZfpCommand {
  readonly type: CommandType;
  execute(context: CommandContext): Promise<CommandSuccess>;
  /** For documents and ledger entries: finds out what became of one in doubt. */
  resolve?(context: ResolveContext): Promise<Resolution>;
}
