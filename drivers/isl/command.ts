/** What one file of `commands/` provides. */

import type * as shared from "../shared/command.ts";
import type { IslDevice } from "./device.ts";
import type { ActionName } from "./dialect.ts";

export type CommandContext = shared.CommandContext<IslDevice>;
export type ResolveContext = shared.ResolveContext<IslDevice>;

/** One of our command types, made of the device commands of a dialect. */
export type IslCommand = shared.CommandOn<IslDevice> & {
  /** The device commands it cannot do without: a dialect that lacks one lacks this type (E201). */
  readonly needs: readonly ActionName[];
};
