/** What keeps a backup from being made, found before one is due. */

import { access, constants } from "node:fs/promises";
import { stateFiles } from "../config/state-files.ts";
import { errorCode, errorText } from "../platform/thrown.ts";
import { isGoodPassphrase, PASSPHRASE_RULE } from "./passphrase.ts";
import { absentFolder, isStick, unwritableFolder } from "./place.ts";

/** The longest passphrase has fewer. */
const LINE_BYTES_MAX = 8_192;

/** Where backups go, and what encrypts them. */
export interface BackupWay {
  /** As the setting `backup.to`. A stick need not be plugged in until a backup is due. */
  readonly to: string;
  readonly passphraseFile: string;
  /** Holds the folder that they go to where no place is set. */
  readonly stateDir: string;
}

/**
 * Looks without making anything, and without waiting in this thread for a disk that does not answer.
 * @returns the reason and its cure; undefined where nothing is found, as of a stick
 */
export async function unreadyReason({
  to,
  passphraseFile,
  stateDir,
}: BackupWay): Promise<string | undefined> {
  try {
    const begin = await Bun.file(passphraseFile).slice(0, LINE_BYTES_MAX).text();
    const [line = ""] = begin.split(/\r?\n/, 1);
    if (!isGoodPassphrase(line)) {
      return `the passphrase must have ${PASSPHRASE_RULE}: it is the first line of ${passphraseFile}`;
    }
  } catch (error) {
    return `the passphrase cannot be read: ${errorText(error)}`;
  }
  if (isStick(to)) return undefined;
  const folder = to === "" ? stateFiles(stateDir).backups : to;
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const isAbsent = errorCode(error) === "ENOENT";
    // The gateway's own folder is made with the first backup.
    if (isAbsent && to === "") return undefined;
    return (isAbsent ? absentFolder(folder) : unwritableFolder(folder, stateDir, error)).message;
  }
}
