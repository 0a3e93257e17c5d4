/** What one file of `commands/` provides. */

import type { CommandType } from "#core/command/catalogue.ts";
import type {
  CommandProgress,
  CommandSuccess,
  DriverCommand,
  Evidence,
  Resolution,
} from "#core/driver.ts";
import type { IslDevice } from "./device.ts";
import type { ActionName } from "./dialect.ts";

export interface CommandContext {
  readonly device: IslDevice;
  readonly command: DriverCommand;
  readonly progress: CommandProgress;
}

export interface ResolveContext {
  readonly device: IslDevice;
  readonly command: DriverCommand;
  readonly evidence: Evidence;
}

/** One of our command types, made of the device commands of a dialect. */
export interface IslCommand {
  readonly type: CommandType;
  /** The device commands it cannot do without: a dialect that lacks one lacks this type (E201). */
  readonly needs: readonly ActionName[];
  execute(context: CommandContext): Promise<CommandSuccess>;
  /** For documents and ledger entries: finds out what became of one in doubt. */
  resolve?(context: ResolveContext): Promise<Resolution>;
}
