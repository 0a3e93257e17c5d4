/**
 * Whose state a command works on. Root may write into anybody's, and what it makes there is closed to
 * the user that the gateway runs as, which then does not start.
 */

import { type Stats, statSync } from "node:fs";
import { stateFiles } from "../config/state-files.ts";
import { userName } from "../platform/user-name.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { programWords, shellLine } from "./shell-line.ts";

const ROOT = 0;

/**
 * The user that works on a state directory: whose the database is, for a gateway in a container may run
 * as root in a folder of somebody else; while there is none, whose the folder is.
 * @returns the user's number; undefined where there is nothing
 */
export function keeperOf(stateDir: string): number | undefined {
  const { database, settings } = stateFiles(stateDir);
  for (const path of [database, settings, stateDir]) {
    const status = statusOf(path);
    if (status !== undefined) return status.uid;
  }
  return undefined;
}

/** The name of that user where it is not the one that asks. */
export function otherKeeper(stateDir: string): string | undefined {
  const uid = keeperOf(stateDir);
  return uid === undefined || uid === process.geteuid?.() ? undefined : userName(uid);
}

/** The cure where a command needs the user that the state is of. */
export function asItsUser(stateDir: string): string {
  const line = shellLine(["sudo", "-u", otherKeeper(stateDir) ?? userName(), "fiscald"]);
  return `run it as the user that the directory belongs to: ${line} ...`;
}

/**
 * For commands that make files in the state directory.
 * @throws CliFailure with code 3 for root, where the state is another user's
 */
export function requireItsUser(stateDir: string): void {
  if (process.geteuid?.() !== ROOT) return;
  const keeper = otherKeeper(stateDir);
  if (keeper === undefined) return;
  const line = shellLine(["sudo", "-u", keeper, ...programWords(), ...process.argv.slice(2)]);
  const message =
    `${stateDir} belongs to ${keeper}, whose gateway could not use what root makes there. Type:\n` +
    `  ${line}`;
  throw new CliFailure(EXIT.state, message);
}

function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // In a folder that is closed to whoever asks.
    return undefined;
  }
}
