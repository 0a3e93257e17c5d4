/** Taking a state directory into use, for commands that change what is in it. */

import { writeFirstSetup } from "../config/first-setup.ts";
import type { ConfigRequest } from "../config/load-config.ts";
import { makePrivate, makePrivateFiles } from "../config/private-state.ts";
import { lockStateDirectory, type StateLock, StateLocked } from "../platform/lock.ts";
import { CliFailure, EXIT } from "./exit.ts";

/** A state directory that is this process's. */
export interface TakenState extends StateLock {
  /** What other users of the machine may still read, with the reason. */
  readonly exposed: readonly string[];
}

/**
 * Locks the state directory, making it if need be, and keeps others from reading what is in it and
 * what this process will make.
 * @throws StateLocked when another process has it
 * @throws CliFailure with code 3 when it cannot be made or written
 */
export function takeStateDirectory(directory: string): TakenState {
  makePrivateFiles();
  try {
    const lock = lockStateDirectory(directory);
    return { ...lock, exposed: makePrivate(directory) };
  } catch (error) {
    if (error instanceof StateLocked) throw error;
    throw unusableState(directory, error);
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

/** The state directory's failure, named as such. */
export function unusableState(directory: string, cause: unknown): CliFailure {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `the state directory ${directory} cannot be used: ${reason}`;
  return new CliFailure(EXIT.state, message, { cause });
}
