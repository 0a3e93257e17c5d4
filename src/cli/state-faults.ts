/** What in a state directory keeps its user from working there, with the line that mends it. */

import { lstatSync, type Stats, statSync } from "node:fs";
import { basename, join } from "node:path";
import { isOwnName, stateFiles } from "../config/state-files.ts";
import { LOCK_FILE, PID_FILE } from "../platform/lock.ts";
import { namesIn } from "../platform/names-in.ts";
import { givingLine } from "../platform/strange-owner.ts";
import { errorCode } from "../platform/thrown.ts";
import { quoted } from "../platform/user-line.ts";
import { userName } from "../platform/user-name.ts";
import { keeperOf } from "./state-keeper.ts";

export interface StateFault {
  readonly text: string;
  /** To be typed. */
  readonly cure: string;
}

/** What systems and SQLite say where a name leads to another one's, or to what it should not be. */
const REASONS = /^(EACCES|EPERM|EISDIR|ENOTDIR|EEXIST|SQLITE_(CANTOPEN|READONLY|PERM))/;

/**
 * What is a folder and has to be a file, or the other way round; nothing for what is not there.
 * @returns names in the state directory, by what each has to be
 */
export function misshapenNames(stateDir: string): Readonly<Record<"file" | "folder", string[]>> {
  const { database, settings, chosen, passphrase, tls, backups } = stateFiles(stateDir);
  const files = [
    LOCK_FILE,
    PID_FILE,
    ...[database, settings, chosen, passphrase].map((path) => basename(path)),
  ];
  const folders = [tls, backups].map((path) => basename(path));
  const kindOf = (name: string) => statusOf(join(stateDir, name));
  return {
    file: files.filter((name) => kindOf(name)?.isDirectory() === true),
    folder: folders.filter((name) => kindOf(name)?.isDirectory() === false),
  };
}

/**
 * Everything in a state directory that its user cannot use.
 * @param uid that user's number
 */
export function stateFaults(stateDir: string, uid: number): StateFault[] {
  const misshapen = misshapenNames(stateDir);
  const found: StateFault[] = [];
  for (const wanted of ["file", "folder"] as const) {
    const other = wanted === "file" ? "folder" : "file";
    for (const name of misshapen[wanted]) {
      const path = quoted(join(stateDir, name));
      // Aside, and not away: it may be what somebody has moved there.
      found.push({
        text: `${name} is a ${other}, where a ${wanted} belongs`,
        cure: `mv ${path} ${path}.aside`,
      });
    }
  }
  const strange = strangeNames(stateDir, uid);
  if (strange.length > 0) {
    const user = userName(uid);
    const text = `${strange.join(", ")}: not of ${user}, who has to use it`;
    found.push({ text, cure: givingLine(user, stateDir) });
  }
  return found;
}

/** What a command that root ran has left, also among the keys and certificates. */
function strangeNames(stateDir: string, uid: number): string[] {
  const tls = basename(stateFiles(stateDir).tls);
  const within = namesIn(join(stateDir, tls)).map((name) => join(tls, name));
  return [...namesIn(stateDir).filter(isOwnName), ...within]
    .filter((name) => (ownerOf(join(stateDir, name)) ?? uid) !== uid)
    .sort();
}

/** What was thrown, as what of the state is the reason of it; undefined where nothing there is. */
export function stateFaultText(stateDir: string, cause: unknown): string | undefined {
  const uid = keeperOf(stateDir);
  if (uid === undefined || uid !== process.geteuid?.()) return undefined;
  if (!REASONS.test(errorCode(cause) ?? "")) return undefined;
  const faults = stateFaults(stateDir, uid);
  return faults.length === 0
    ? undefined
    : faults.map(({ text, cure }) => `${text}: ${cure}`).join("; ");
}

/** What the name leads to. */
function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Of the name itself; undefined in a folder that is closed, which is told by its own name. */
function ownerOf(path: string): number | undefined {
  try {
    return lstatSync(path).uid;
  } catch {
    return undefined;
  }
}
