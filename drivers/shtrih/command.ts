/** What one file of `commands/` provides. */

import type * as shared from "../shared/command.ts";
import type { ShtrihDevice } from "./device.ts";

export type CommandContext = shared.CommandContext<ShtrihDevice>;
export type ResolveContext = shared.ResolveContext<ShtrihDevice>;

/** One of our command types, made of device commands. */
export type ShtrihCommand = shared.CommandOn<ShtrihDevice>;
