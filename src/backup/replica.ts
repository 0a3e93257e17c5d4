/**
 * What of the live copy of the database elsewhere can be seen beside the database: Litestream keeps there
 * what it has read and not copied yet, in parts with numbers, of which one begins with each checkpoint.
 */

import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { stateFiles } from "../config/state-files.ts";
import { namesIn } from "../platform/names-in.ts";

/** It reads within a second what is written. */
const UNREAD_MS = 60_000;

/** What waits to be copied. */
export interface Uncopied {
  /** The same for as long as nothing more is copied. */
  readonly mark: string;
  /** UTC milliseconds: what was written until then is copied; undefined where nothing is known to be. */
  readonly until: number | undefined;
}

/**
 * Looks at the files of Litestream 0.3; waits for the disk of the state directory.
 * @returns undefined where all is copied but for the last of it, and where that cannot be seen
 * @throws the system's error
 */
export function uncopied(stateDir: string): Uncopied | undefined {
  const { replicaParts: folder, database } = stateFiles(stateDir);
  const current = join(folder, "generation");
  if (!existsSync(current)) {
    // A later version has other files.
    return existsSync(join(folder, "ltx")) ? undefined : { mark: "", until: undefined };
  }
  const generation = readFileSync(current, "utf8").trim();
  const parts = join(folder, "generations", generation, "wal");
  const names = namesIn(parts).sort();
  const [oldest, next, ...waiting] = names;
  const newest = names.at(-1);
  if (oldest === undefined || newest === undefined) return { mark: generation, until: undefined };
  // Of what is copied it keeps the last two.
  if (next !== undefined && waiting.length > 0) {
    return { mark: `${generation}/${next}`, until: changedAt(join(parts, oldest)) };
  }
  const readAt = changedAt(join(parts, newest)) ?? 0;
  const writtenAt = changedAt(`${database}-wal`) ?? 0;
  if (writtenAt - readAt <= UNREAD_MS) return undefined;
  return { mark: `${generation}/${newest}/${readAt}`, until: readAt };
}

/** UTC milliseconds. */
function changedAt(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
