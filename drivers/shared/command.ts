/** What one file of a driver's `commands/` provides; `Device` is the protocol's own. */

import type { CommandType, ResultData } from "#core/command/catalogue.ts";
import type { Baseline } from "#core/command/marks.ts";
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
  /** As `DriverSession.resolve` has it. */
  keep(learned: Baseline): Promise<void>;
}

interface TypedCommand<Device, Type extends CommandType> {
  readonly type: Type;
  execute(context: CommandContext<Device>): Promise<CommandSuccess<ResultData<Type>>>;
  /** For documents and ledger entries: finds out what became of one in doubt. */
  resolve?(context: ResolveContext<Device>): Promise<Resolution<ResultData<Type>>>;
}

/**
 * One of our command types, made of the device commands of a protocol. It answers what the
 * catalogue has as the result of that type.
 */
export type CommandOn<Device> = {
  readonly [Type in CommandType]: TypedCommand<Device, Type>;
}[CommandType];

/** The commands of a protocol by their type. A type without one is E201. */
export function byType<Command extends { readonly type: CommandType }>(
  commands: readonly Command[],
): ReadonlyMap<CommandType, Command> {
  return new Map(commands.map((command) => [command.type, command]));
}
