/** Taking a state directory into use, for commands that change what is in it. */

import { existsSync, statfsSync } from "node:fs";
import type { Command } from "commander";
import { damageNote } from "#db/connection.ts";
import { DatabaseGone } from "#db/doubts.ts";
import { requireNotGone } from "../app/gone-database.ts";
import type { BackupHome } from "../backup/newest-backup.ts";
import { writeFirstSetup } from "../config/first-setup.ts";
import type { ConfigRequest } from "../config/load-config.ts";
import { makePrivate, makePrivateFiles } from "../config/private-state.ts";
import { stateFiles } from "../config/state-files.ts";
import { lockStateDirectory, type StateLock, StateLocked } from "../platform/lock.ts";
import { GIVEN_UP_BELOW, giveUpReserve, isNoRoom } from "../platform/reserve.ts";
import { errorText } from "../platform/thrown.ts";
import { goneText } from "./damaged-text.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { serviceHint } from "./service-state.ts";
import { loadSettings, nextLine } from "./settings-options.ts";
import { stateFaultText } from "./state-faults.ts";
import { closedState, isClosed, notMadeText } from "./state-keeper.ts";

/** A state directory that is this process's. */
export interface TakenState extends StateLock {
  /** What other users of the machine may still read, with the reason. */
  readonly exposed: readonly string[];
  /** The disk is full: what was kept for results is given up, so that there is room to begin. */
  readonly isReserveGivenUp: boolean;
}

/**
 * Locks the state directory, making it if need be, and keeps others from reading what is in it and
 * what this process will make. On a full disk it gives up the reserve, as a gateway that runs does.
 * @throws StateLocked when another process has it
 * @throws CliFailure with code 3 when it cannot be made or written
 */
export function takeStateDirectory(directory: string): TakenState {
  makePrivateFiles();
  try {
    const { lock, isReserveGivenUp } = lockedWithRoom(directory);
    return { ...lock, isReserveGivenUp, exposed: makePrivate(directory) };
  } catch (error) {
    if (error instanceof StateLocked) throw error;
    throw unusableState(directory, error);
  }
}

function lockedWithRoom(directory: string): Pick<TakenState, "isReserveGivenUp"> & {
  readonly lock: StateLock;
} {
  try {
    const lock = lockStateDirectory(directory);
    return { lock, isReserveGivenUp: isAlmostFull(directory) && givesUpReserve(directory) };
  } catch (error) {
    if (!(isNoRoom(error) && givesUpReserve(directory))) throw error;
    return { lock: lockStateDirectory(directory), isReserveGivenUp: true };
  }
}

function isAlmostFull(directory: string): boolean {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize < GIVEN_UP_BELOW;
}

/** False where there is nothing to give up; what is wrong with the reserve itself the gateway tells once it runs. */
function givesUpReserve(directory: string): boolean {
  try {
    return giveUpReserve(stateFiles(directory).reserve);
  } catch {
    return false;
  }
}

/**
 * Writes the first settings into a new state directory, unless they come from another file. It
 * belongs before the database is made, for a directory that has one is not new.
 * @returns the path of the file when it was written
 * @throws CliFailure with code 3 when it cannot be written
 */
export function setUpIfNew(directory: string, request: ConfigRequest): string | undefined {
  if (request.file !== undefined) return undefined;
  try {
    return writeFirstSetup(directory);
  } catch (error) {
    throw unusableState(directory, error);
  }
}

/**
 * The database of a state directory. While an exchange of it is broken off, it need not be in its place.
 * @param instead what to do where there is none; to set the shop up unless given
 * @throws CliFailure with code 3 when there is none, or this user may not open it
 */
export function requireDatabase(command: Command, directory: string, instead?: string): string {
  const file = stateFiles(directory).database;
  if (isClosed(directory) || isClosed(file)) throw closedState(directory);
  requireShop(loadSettings(command).config);
  // Of an exchange that was broken off it may lie aside: whoever opens it is told, or ends it.
  if (existsSync(file) || existsSync(damageNote(file))) return file;
  const cure = serviceHint(command) ?? instead ?? `begin with ${nextLine(command, "setup")}`;
  const message = `there is no database in ${directory}: ${cure}`;
  throw new CliFailure(EXIT.state, message);
}

/** @throws CliFailure with code 3 where a shop's database is gone, for nobody may make a new one */
export function requireShop(home: BackupHome): void {
  try {
    requireNotGone(home["state.dir"]);
  } catch (error) {
    if (!(error instanceof DatabaseGone)) throw error;
    throw new CliFailure(EXIT.state, goneText(home, error), { cause: error });
  }
}

/** The state directory's failure, named as such. */
export function unusableState(directory: string, cause: unknown): CliFailure {
  const reason =
    notMadeText(directory, cause) ?? stateFaultText(directory, cause) ?? errorText(cause);
  const message = `the state directory ${directory} cannot be used: ${reason}`;
  return new CliFailure(EXIT.state, message, { cause });
}
