/**
 * Whose state a command works on. Root may write into anybody's, and what it makes there is closed to
 * the user that the gateway runs as, which then does not start.
 */

import { accessSync, constants, type Stats, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { startsFile, stateFiles } from "../config/state-files.ts";
import { currentSurroundings } from "../config/surroundings.ts";
import { isJournal } from "../platform/journal.ts";
import { LOCK_FILE } from "../platform/lock.ts";
import { givingLine, makingLine } from "../platform/strange-owner.ts";
import { errorCode } from "../platform/thrown.ts";
import { quoted } from "../platform/user-line.ts";
import { userName } from "../platform/user-name.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { typedLine } from "./shell-line.ts";

const ROOT = 0;
/** Its descriptor. */
const STDERR = 2;
const DENIED: readonly string[] = ["EACCES", "EPERM"];

/**
 * The user that works on a state directory: whose the lock is and the database, for a gateway in a
 * container may run as root in a folder of somebody else; while there is none, whose the folder is. In
 * one that is closed to whoever asks, whose that one is. A database that root has copied there makes
 * nobody else of the one who held the lock.
 * @returns the user's number; undefined where there is nothing
 */
export function keeperOf(stateDir: string): number | undefined {
  const { database, settings } = stateFiles(stateDir);
  const [locked, folder] = [statusOf(join(stateDir, LOCK_FILE)), statusOf(stateDir)];
  const isKept = typeof locked === "object" && typeof folder === "object";
  if (isKept && locked.uid === folder.uid) return folder.uid;
  for (const path of [database, settings, stateDir]) {
    const status = statusOf(path);
    if (typeof status === "object") return status.uid;
  }
  let above = resolve(stateDir);
  let status = statusOf(above);
  while (status === "hidden") {
    above = dirname(above);
    status = statusOf(above);
  }
  return status?.uid;
}

/** The folder in which a state directory that is not there would be made, and whose that one is. */
function placeOf(stateDir: string): { readonly folder: string; readonly uid: number } | undefined {
  let folder = resolve(stateDir);
  let status = statusOf(folder);
  while (status === undefined && folder !== dirname(folder)) {
    folder = dirname(folder);
    status = statusOf(folder);
  }
  return typeof status === "object" ? { folder, uid: status.uid } : undefined;
}

const makerOf = (stateDir: string): number | undefined => placeOf(stateDir)?.uid;

function otherMaker(stateDir: string): string | undefined {
  if (keeperOf(stateDir) !== undefined) return undefined;
  const uid = makerOf(stateDir);
  return uid === undefined || uid === process.geteuid?.() ? undefined : userName(uid);
}

/** The name of that user where it is not the one that asks. */
export function otherKeeper(stateDir: string): string | undefined {
  const uid = keeperOf(stateDir);
  return uid === undefined || uid === process.geteuid?.() ? undefined : userName(uid);
}

/**
 * Whom a line has to run as that works on a state directory; undefined where whoever is at the terminal
 * is the user that it is of.
 */
export function keeperForLine(stateDir: string): string | undefined {
  const { environment } = currentSurroundings();
  const keeper = otherKeeper(stateDir);
  // Through sudo, or as a service, this process may be that user, and another one types the next line.
  const { SUDO_USER: startedBy } = environment;
  const isTypedByOther = startedBy !== undefined || isJournal(environment, STDERR);
  return keeper ?? (isTypedByOther ? userName() : undefined);
}

/** The cure where a command needs the user that the state is of. */
export function asItsUser(stateDir: string): string {
  const line = typedLine(userName(keeperOf(stateDir)));
  return `run it as the user that the directory belongs to: ${line}`;
}

/**
 * For commands that make files in the state directory.
 * @param linesAs what to type instead, by the name of that user; what was typed unless given
 * @throws CliFailure with code 3 for root, where the state is another user's, or would be made in
 * another one's folder
 */
export function requireItsUser(
  stateDir: string,
  linesAs: (keeper: string) => readonly string[] = (keeper) => [typedLine(keeper)],
): void {
  if (process.geteuid?.() !== ROOT) return;
  const keeper = otherKeeper(stateDir) ?? otherMaker(stateDir);
  if (keeper === undefined) return;
  const message =
    `${stateDir} belongs to ${keeper}, whose gateway could not use what root makes there. Type:\n` +
    linesAs(keeper)
      .map((line) => `  ${line}\n`)
      .join("") +
    `Or, in a container, run it as that user: --user ${keeperOf(stateDir) ?? makerOf(stateDir)}`;
  throw new CliFailure(EXIT.state, message);
}

/** @throws CliFailure with code 3 where this user may not look into the state directory */
export function requireOpen(stateDir: string): void {
  const { database } = stateFiles(stateDir);
  if (isClosed(stateDir) || isClosed(database)) throw closedState(stateDir);
}

/** What to do where the state directory is another user's, as that of the service is. */
export function closedState(directory: string): CliFailure {
  const message = `${userName()} may not look into ${directory}: ${closedCure(directory)}`;
  return new CliFailure(EXIT.state, message);
}

/** What to do where a state directory, or its database, is closed to whoever asks. */
export function closedCure(directory: string): string {
  if (otherKeeper(directory) !== undefined) return asItsUser(directory);
  const { database } = stateFiles(directory);
  const isOwn = [directory, database].every((path) => {
    const status = statusOf(path);
    return typeof status !== "object" || status.uid === process.geteuid?.();
  });
  return isOwn ? `chmod -R u+rwX ${quoted(directory)}` : givingLine(userName(), directory);
}

/**
 * Why a state directory that is not there could not be made, and the line that makes it.
 * @param cause what was thrown
 * @returns undefined where it is there, or where permissions are not the reason
 */
export function notMadeText(stateDir: string, cause: unknown): string | undefined {
  const place = placeOf(stateDir);
  const directory = resolve(stateDir);
  if (!DENIED.includes(errorCode(cause) ?? "") || !place || place.folder === directory) return;
  const user = userName();
  // It is made beside that one, where this user may make none either.
  const starts = dirname(startsFile(directory));
  const folders = statusOf(starts) === undefined ? [directory, starts] : [directory];
  return (
    `it is not there, and ${user} may not make it: ${place.folder} belongs to ` +
    `${userName(place.uid)}. This makes it, then start again:\n  ${makingLine(user, ...folders)}`
  );
}

/** True where this user may not read and write what is there; false where nothing is. */
export function isClosed(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return false;
  } catch (error) {
    return DENIED.includes(errorCode(error) ?? "");
  }
}

/** Hidden in a folder that is closed to whoever asks. */
function statusOf(path: string): Stats | "hidden" | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    return errorCode(error) === "EACCES" ? "hidden" : undefined;
  }
}
