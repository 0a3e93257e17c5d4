/** What keeps a backup from being made, found before one is due. */

import { existsSync } from "node:fs";
import { access, constants } from "node:fs/promises";
import { errorCode } from "../platform/thrown.ts";
import { absentFolder, isNamedFolder, isStick, placeFolder, unwritableFolder } from "./place.ts";

/**
 * Looks at the place without making anything; waits for its disk.
 * @param to as the setting `backup.to`. A stick need not be plugged in until a backup is due
 * @param stateDir holds the folder that they go to where no place is set
 * @returns the reason and its cure; undefined where nothing is found, as of a stick
 */
export async function placeFault(to: string, stateDir: string): Promise<string | undefined> {
  if (isStick(to)) return undefined;
  const folder = placeFolder(to, stateDir);
  const isNamed = isNamedFolder(to);
  // The gateway's own folder is made with the first backup.
  return isNamed || existsSync(folder) ? folderFault(folder, stateDir) : undefined;
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
