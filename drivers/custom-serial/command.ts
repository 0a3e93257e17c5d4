/** What one file of `commands/` provides. */

import type {
  CommandOn,
  CommandContext as Context,
  ResolveContext as Resolve,
} from "../shared/command.ts";
import type { CustomDevice } from "./device.ts";

export type CommandContext = Context<CustomDevice>;
export type ResolveContext = Resolve<CustomDevice>;

/** One of our command types, made of the actions of a profile. */
export type CustomCommand = CommandOn<CustomDevice>;
