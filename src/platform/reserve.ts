/** A file that keeps room on a disk for what has to be written when it is full. */

import { closeSync, constants, lstatSync, openSync } from "node:fs";
import { errorCode } from "./thrown.ts";

const MEBIBYTE = 1_048_576;
/**
 * Bytes of such a file. The log of the database takes half of it before it is used anew; the other half
 * holds the results of some thousands of commands.
 */
export const RESERVE_BYTES = 16 * MEBIBYTE;
/** With fewer bytes than this free the room is given up, before a write fails. */
export const GIVEN_UP_BELOW = 2 * MEBIBYTE;
/** What the log says then. */
export const RESERVE_GIVEN_UP = "the reserve on the disk is given up, for results";
/** Codes of systems and of SQLite for a disk that has no room, or takes no more for another reason. */
const NO_ROOM =
  /^(ENOSPC|EDQUOT|EFBIG|SQLITE_(FULL|IOERR_WRITE|IOERR_SHMSIZE|IOERR_TRUNCATE|IOERR))$/;

/** True for what was thrown because a disk takes no more. */
export function isNoRoom(thrown: unknown): boolean {
  return NO_ROOM.test(errorCode(thrown) ?? "");
}

/**
 * Gives the room of a reserve to whoever writes next. The file itself stays, empty: it also tells that a
 * gateway has run here.
 * @returns whether there was any to give
 * @throws the system's error where the name is a folder's or a link
 */
export function giveUpReserve(path: string): boolean {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (status === undefined || (status.isFile() && status.size === 0)) return false;
  closeSync(openSync(path, constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW));
  return true;
}
