/** The names of the files in the state directory that more than one part needs to know. */

import { join } from "node:path";

export interface StateFiles {
  readonly database: string;
  readonly settings: string;
}

/** Paths of the well-known files of a state directory. */
export function stateFiles(stateDir: string): StateFiles {
  return {
    database: join(stateDir, "fiscald.db"),
    settings: join(stateDir, "fiscald.toml"),
  };
}
