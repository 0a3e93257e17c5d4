/** Which gateway made a backup, as the name of the backup tells. */

import { existsSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { stateFiles } from "../config/state-files.ts";
import { systemClock } from "../platform/clock.ts";
import { writeDurably } from "../platform/durable-file.ts";
import { createRandom } from "../platform/random.ts";

const MARK_BYTES = 3;
const MARK = /^[0-9a-f]{6}$/;
/** Of the machine's name. With the mark it is what earlier versions take for a name. */
const NAME_MAX = 56;
const UNMARKED_MAX = 63;

/**
 * The machine's name, and a mark of the state directory: machines of one name that keep their backups
 * in one folder, and two gateways of one machine, leave each other's alone. The mark is made with the
 * first backup; it is in no backup, so that a restored state on another machine gets its own.
 * @throws the system's error
 */
export function makerOf(stateDir: string): string {
  const known = knownMark(stateDir);
  if (known !== undefined) return named(known);
  const mark = createRandom(systemClock).hex(MARK_BYTES);
  writeDurably(stateFiles(stateDir).backupMark, `${mark}\n`);
  return named(mark);
}

/**
 * True for a maker that is the gateway of that state directory, whatever the machine was called then,
 * or was in an earlier version.
 */
export function isOwnMaker(maker: string, stateDir: string): boolean {
  const mark = knownMark(stateDir);
  return maker === unmarkedMaker() || (mark !== undefined && maker.endsWith(`-${mark}`));
}

/** What earlier versions called the maker: the machine's name alone. */
export function unmarkedMaker(): string {
  return hostWord().slice(0, UNMARKED_MAX);
}

function knownMark(stateDir: string): string | undefined {
  const { backupMark } = stateFiles(stateDir);
  const text = existsSync(backupMark) ? readFileSync(backupMark, "utf8").trim() : "";
  return MARK.test(text) ? text : undefined;
}

function named(mark: string): string {
  return `${hostWord().slice(0, NAME_MAX)}-${mark}`;
}

function hostWord(): string {
  const word = hostname()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");
  return word.replace(/^-+|-+$/g, "") || "host";
}
