/** What to say of a database that is damaged or gone. */

import type { DatabaseGone } from "#db/doubts.ts";
import type { BackupHome, GoodBackup } from "../backup/newest-backup.ts";
import { stateFiles } from "../config/state-files.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { knownBackups } from "./known-backups.ts";
import { lineOn } from "./settings-options.ts";

/**
 * What to do about a damaged database, with the last good backup by name.
 * @param isTried true where a repair has found nothing to save
 */
export function damagedText(home: BackupHome, isTried = false): string {
  const stateDir = home["state.dir"];
  const file = stateFiles(stateDir).database;
  const repair = isTried
    ? "without one, begin anew with a fresh state directory, and keep this one for whoever helps"
    : `${lineOn(stateDir, "repair")} saves what can be read`;
  return `${file} is damaged; ${restoreText(home)}; ${repair}`;
}

/** The failure of a command that works on no damaged database. @param error what was found */
export function damagedFailure(home: BackupHome, error: Error): CliFailure {
  return new CliFailure(EXIT.state, `${damagedText(home)}: ${error.message}`, { cause: error });
}

/** What to do about a database that is gone. @param gone what is known of it */
export function goneText(home: BackupHome, gone: DatabaseGone): string {
  return (
    `${gone.message}. Nothing was changed. ${capital(restoreText(home))}. Where a shop is to ` +
    `begin anew, remove the whole content of ${home["state.dir"]} first`
  );
}

/** What to do to come by a backup that is not where it was made. */
export function awayText({ file }: GoodBackup): string {
  return `${file}, which is not there now: plug in or mount what it lies on`;
}

/** The last good backup in words, and the line that puts it back; undefined where none is known. */
export function backupToPutBack(
  home: BackupHome,
): { readonly text: string; readonly line: string } | undefined {
  const { there, away } = knownBackups(home);
  const named = there ?? away;
  if (named === undefined) return undefined;
  const line = lineOn(home["state.dir"], "restore", named.file);
  const of = ({ createdAt }: GoodBackup): string => new Date(createdAt).toISOString();
  if (away === undefined) {
    return { text: `the last good backup is of ${of(named)}, to be put back with`, line };
  }
  const search = `the last good backup is of ${of(away)}, ${awayText(away)}`;
  const text =
    there === undefined
      ? `${search}, then put it back with`
      : `${search}; the newest that is there is of ${of(there)}, to be put back with`;
  return { text, line };
}

function restoreText(home: BackupHome): string {
  const backup = backupToPutBack(home);
  return backup === undefined ? "no backup is known here" : `${backup.text} ${backup.line}`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
