/** What one file of `commands/` provides. */

import type * as shared from "../shared/command.ts";
import type { ZfpDevice } from "./device.ts";

export type CommandContext = shared.CommandContext<ZfpDevice>;
export type ResolveContext = shared.ResolveContext<ZfpDevice>;

/** One of our command types, made of the commands of the protocol. */
export type ZfpCommand = shared.CommandOn<ZfpDevice>;
