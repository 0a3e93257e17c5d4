/**
 * Priorities for the journal: a line that begins with `<4>` is kept with priority 4 and without that
 * prefix. Source: `man 3 sd-daemon`, `man 5 systemd.exec` (JOURNAL_STREAM, SyslogLevelPrefix=).
 */

import { fstatSync } from "node:fs";
import type { LineLevel } from "./log-level.ts";

/** In the numbers of syslog. */
const PREFIXES: Readonly<Record<LineLevel, string>> = {
  debug: "<7>",
  info: "<6>",
  warn: "<4>",
  error: "<3>",
};

/** Before a line that says why the process ends. */
export const ERROR_PREFIX = PREFIXES.error;

/** The prefix of a line of that level. */
export function priorityPrefix(level: LineLevel): string {
  return PREFIXES[level];
}

/** True when a file descriptor leads to the journal itself, not to a pipe or a file instead of it. */
export function isJournal(
  environment: Readonly<Record<string, string | undefined>>,
  fileDescriptor: number,
): boolean {
  const { JOURNAL_STREAM: stream } = environment;
  if (stream === undefined) return false;
  try {
    const { dev, ino } = fstatSync(fileDescriptor, { bigint: true });
    return stream === `${dev}:${ino}`;
  } catch {
    return false;
  }
}
