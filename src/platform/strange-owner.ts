/** What belongs to somebody else in a folder of this process's user, as what root has put there. */

import { statSync } from "node:fs";
import { dirname } from "node:path";
import { lineOfUser } from "./user-line.ts";
import { userName } from "./user-name.ts";

/** The line that gives a folder, with what is in it, to a user. @param user as `userName` gives it */
export function givingLine(user: string, folder: string): string {
  return lineOfUser("root", ["chown", "-R", `${user.replace("#", "")}:`, folder]);
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

/** The line to be typed in what `strangeOwner` says, within any text that ends with it. */
export function givingLineIn(text: string): string | undefined {
  return /, not \S+: (.*\bchown -R .+)$/.exec(text)?.[1];
}

function uidOf(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.uid;
  } catch {
    // In a folder that is closed to whoever asks.
    return undefined;
  }
}
