/** What keeps a backup from being made, found before one is due. */

import { existsSync } from "node:fs";
import { access, constants } from "node:fs/promises";
import { errorCode, errorText } from "../platform/thrown.ts";
import { isGoodPassphrase, PASSPHRASE_RULE } from "./passphrase.ts";
import { absentFolder, isNamedFolder, isStick, placeFolder, unwritableFolder } from "./place.ts";

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
 * Looks without making anything.
 * @returns the reason and its cure; undefined where nothing is found, as of a stick
 */
export async function unreadyReason({
  to,
  passphraseFile,
  stateDir,
}: BackupWay): Promise<string | undefined> {
  const fault = await passphraseFault(passphraseFile);
  if (fault !== undefined || isStick(to)) return fault;
  const folder = placeFolder(to, stateDir);
  const isNamed = isNamedFolder(to);
  // The gateway's own folder is made with the first backup.
  return isNamed || existsSync(folder) ? folderFault(folder, stateDir) : undefined;
}

/** Why nothing can be encrypted with what that file holds; undefined where it can. */
export async function passphraseFault(passphraseFile: string): Promise<string | undefined> {
  try {
    const begin = await Bun.file(passphraseFile).slice(0, LINE_BYTES_MAX).text();
    const [line = ""] = begin.split(/\r?\n/, 1);
    if (!isGoodPassphrase(line)) {
      return `the passphrase must have ${PASSPHRASE_RULE}: it is the first line of ${passphraseFile}`;
    }
    return undefined;
  } catch (error) {
    return `the passphrase cannot be read: ${errorText(error)}`;
  }
}

/** Why a folder takes no backup, as it is; undefined where it does. @param stateDir whose it may be */
export async function folderFault(folder: string, stateDir: string): Promise<string | undefined> {
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const isAbsent = errorCode(error) === "ENOENT";
    return (isAbsent ? absentFolder(folder) : unwritableFolder(folder, stateDir, error)).message;
  }
}
