/** Command lines to be pasted into a shell. */

import { realpathSync } from "node:fs";
import { relative, resolve } from "node:path";
import { isCompiled } from "../platform/engine.ts";

const NAME = "fiscald";

/** The words as a shell takes them literally. */
export function shellLine(words: readonly string[]): string {
  return words.map(quoted).join(" ");
}

/** One word, on its own or within a line. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** How this program was called, as words of a command line. */
export function programWords(): string[] {
  if (!isCompiled()) return ["bun", shortened(Bun.main)];
  return [isOnThePath() ? NAME : shortened(process.execPath)];
}

/** The same for a shell that stands in any folder. */
export function programWordsAnywhere(): string[] {
  return programWords().map((word) => (word.includes("/") ? resolve(word) : word));
}

function isOnThePath(): boolean {
  const found = Bun.which(NAME);
  return found !== null && realpathSync(found) === realpathSync(process.execPath);
}

/** A path from the working folder where that is not longer. */
function shortened(path: string): string {
  const near = relative(process.cwd(), path);
  const command = near.includes("/") ? near : `./${near}`;
  return command.length <= path.length ? command : path;
}
