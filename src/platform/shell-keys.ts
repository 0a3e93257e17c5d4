/** Keys in commands of the shop's own, which shells and curl repeat in what they write. */

import { SECRET_MARK } from "./redaction.ts";

/** Shorter parts of a command are no key, and would blot out whole sentences. */
const KEY_CHARACTERS_MIN = 6;

/**
 * A text without what may be a key in a command: every part of it that is long enough, but for paths
 * of files, options and the names of hosts, which help to find what is wrong.
 */
export function withoutKeysOf(command: string, text: string): string {
  const parts = command
    .replace(/(?<=:\/\/(?:[^/\s"'@]*@)?)[\w.-]+(?=(?::\d+)?(?:[/\s"'?]|$))/g, "")
    .split(/[\s"'`]+/)
    .filter((word) => !word.startsWith("/"))
    .flatMap((word) => [word.replace(/^-.*/, ""), ...word.split(/[=:;|&()<>/@?,$]+/)])
    .filter((part) => part.length >= KEY_CHARACTERS_MIN && !part.startsWith("-"));
  // The longest first: one may lie in another.
  return [...new Set(parts)]
    .sort((a, b) => b.length - a.length)
    .reduce((rest, part) => rest.replaceAll(part, SECRET_MARK), text);
}
