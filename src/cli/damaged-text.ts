/** What to say of a damaged database. */

import { lastGoodBackup } from "../backup/kept-backups.ts";
import { stateFiles } from "../config/state-files.ts";
import { shellLine } from "./shell-line.ts";

/** What to do about a damaged database, with the last good backup by name. */
export function damagedText(stateDir: string): string {
  const backup = lastGoodBackup(stateDir);
  const file = stateFiles(stateDir).database;
  const restore =
    backup === undefined
      ? "no backup is known here"
      : `the last good backup is of ${new Date(backup.createdAt).toISOString()}, to be put back with ${shellLine(["fiscald", "restore", backup.file])}`;
  return `${file} is damaged; ${restore}; fiscald repair saves what can be read`;
}
