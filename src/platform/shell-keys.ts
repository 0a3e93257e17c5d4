/** Keys in commands of the shop's own, which shells and curl repeat in what they write. */

import { remover } from "./redaction.ts";

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
    .filter((part) => !part.startsWith("-"));
  return remover(parts)(text);
}
