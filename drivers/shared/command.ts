/** What one file of a driver's `commands/` provides; `Device` is the protocol's own. */

import type { CommandType } from "#core/command/catalogue.ts";
import type {
  CommandProgress,
  CommandSuccess,
  DriverCommand,
  Evidence,
  Resolution,
} from "#core/driver.ts";

export interface CommandContext<Device> {
  readonly device: Device;
  readonly command: DriverCommand;
  readonly progress: CommandProgress;
}

export interface ResolveContext<Device> {
  readonly device: Device;
  readonly command: DriverCommand;
  readonly evidence: Evidence;
}

/** One of our command types, made of the device commands of a protocol. */
export interface CommandOn<Device> {
  readonly type: CommandType;
  execute(context: CommandContext<Device>): Promise<CommandSuccess>;
  /** For documents and ledger entries: finds out what became of one in doubt. */
  resolve?(context: ResolveContext<Device>): Promise<Resolution>;
}

/** The commands of a protocol by their type. A type without one is E201. */
export function byType<Command extends { readonly type: CommandType }>(
  commands: readonly Command[],
): ReadonlyMap<CommandType, Command> {
  return new Map(commands.map((command) => [command.type, command]));
}
