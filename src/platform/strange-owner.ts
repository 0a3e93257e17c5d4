/** What belongs to somebody else in a folder of this process's user, as what root has put there. */

import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { lineOfUser } from "./user-line.ts";
import { userName } from "./user-name.ts";

/** The line that gives a folder, with what is in it, to a user. @param user as `userName` gives it */
export function givingLine(user: string, folder: string): string {
  return lineOfUser("root", ["chown", "-R", `${user.replace("#", "")}:`, folder]);
}

/** The line that makes folders of a user, open to that user alone. @param user as `userName` gives it */
export function makingLine(user: string, ...folders: readonly string[]): string {
  const words = ["install", "-d", "-m", "700", "-o", user.replace("#", "")];
  return lineOfUser("root", [...words, ...folders]);
}

/**
 * Whose a file or folder is that this process may not use, and the line that gives it back.
 * @param folder the one it lies in, which is given back with all that is in it
 * @returns undefined where it is not there, or where its owner is not the reason
 */
export function strangeOwner(path: string, folder: string = dirname(path)): string | undefined {
  const [owner, around] = [path, folder].map(uidOf);
  const isOwnFolder = around === process.geteuid?.();
  if (owner === undefined || !isOwnFolder || owner === around) return undefined;
  const user = userName();
  return `it belongs to ${userName(owner)}, not ${user}: ${givingLine(user, folder)}`;
}

/** Why this user cannot make a folder, or use one that is there, and the line that lets it. */
export function deniedFolder(folder: string): string {
  const user = userName();
  return existsSync(folder)
    ? `${user} may not use ${folder}: ${givingLine(user, folder)}`
    : `${user} may not make ${folder} (in a container mount a volume there): ${makingLine(user, folder)}`;
}

/** The line to be typed in what `strangeOwner` and `deniedFolder` say, within any text that ends with it. */
export function neededLineIn(text: string): string | undefined {
  const said = /(?:, not \S+|\bmay not (?:make|use) .+?): (.*\b(?:chown -R|install -d) .+)$/;
  return said.exec(text)?.[1];
}

function uidOf(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.uid;
  } catch {
    // In a folder that is closed to whoever asks.
    return undefined;
  }
}
