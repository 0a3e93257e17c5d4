/** What to say of a database that is damaged or gone. */

import type { DatabaseGone } from "#db/doubts.ts";
import { lastGoodBackup } from "../backup/kept-backups.ts";
import { stateFiles } from "../config/state-files.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { lineOn } from "./settings-options.ts";

/**
 * What to do about a damaged database, with the last good backup by name.
 * @param isTried true where a repair has found nothing to save
 */
export function damagedText(stateDir: string, isTried = false): string {
  const file = stateFiles(stateDir).database;
  const repair = isTried
    ? "without one, begin anew with a fresh state directory, and keep this one for whoever helps"
    : `${lineOn(stateDir, "repair")} saves what can be read`;
  return `${file} is damaged; ${restoreText(stateDir)}; ${repair}`;
}

/** The failure of a command that works on no damaged database. @param error what was found */
export function damagedFailure(stateDir: string, error: Error): CliFailure {
  return new CliFailure(EXIT.state, `${damagedText(stateDir)}: ${error.message}`, { cause: error });
}

/** What to do about a database that is gone. @param gone what is known of it */
export function goneText(stateDir: string, gone: DatabaseGone): string {
  return (
    `${gone.message}. Nothing was changed. ${capital(restoreText(stateDir))}. Where a shop is to ` +
    `begin anew, remove the whole content of ${stateDir} first`
  );
}

/** The last good backup in words, and the line that puts it back; undefined where none is known. */
export function backupToPutBack(
  stateDir: string,
): { readonly text: string; readonly line: string } | undefined {
  const backup = lastGoodBackup(stateDir);
  if (backup === undefined) return undefined;
  return {
    text: `the last good backup is of ${new Date(backup.createdAt).toISOString()}, to be put back with`,
    line: lineOn(stateDir, "restore", backup.file),
  };
}

function restoreText(stateDir: string): string {
  const backup = backupToPutBack(stateDir);
  return backup === undefined ? "no backup is known here" : `${backup.text} ${backup.line}`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
