/** The backups that a person at the box is told of. */

import { dirname } from "node:path";
import { viewInTime } from "../app/place-looks.ts";
import { type KeptBackup, listBackups } from "../backup/kept-backups.ts";
import { type BackupHome, type GoodBackups, goodBackups } from "../backup/newest-backup.ts";
import { systemClock } from "../platform/clock.ts";

/** Looks for them; a place that does not answer in seconds counts as one that is not there now. */
export function knownBackups(home: BackupHome): GoodBackups {
  const stateDir = home["state.dir"];
  // The state directory's disk is in use anyway.
  const keptIn = (folder: string): readonly KeptBackup[] =>
    dirname(folder) === stateDir ? listIfOpen(folder) : viewInTime(folder, stateDir).kept;
  return goodBackups(home, systemClock.now(), keptIn);
}

/** None in a folder that is closed to this user, which whoever makes backups is told of. */
function listIfOpen(folder: string): KeptBackup[] {
  try {
    return listBackups(folder);
  } catch {
    return [];
  }
}
