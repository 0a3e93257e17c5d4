/** A simulated ISL model. */

import type { CommandTable } from "./device-command.ts";
import type { IslTraits } from "./traits.ts";

export interface IslModel extends IslTraits {
  readonly commands: CommandTable;
}
