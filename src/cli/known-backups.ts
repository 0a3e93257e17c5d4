/** The backups that a person at the box is told of. */

import { viewInTime } from "../app/place-looks.ts";
import { type BackupHome, type GoodBackups, goodBackups } from "../backup/newest-backup.ts";
import { systemClock } from "../platform/clock.ts";

/** Looks for them; a place that does not answer in seconds counts as one that is not there now. */
export function knownBackups(home: BackupHome): GoodBackups {
  const stateDir = home["state.dir"];
  return goodBackups(home, systemClock.now(), (folder) => viewInTime(folder, stateDir)?.kept ?? []);
}
