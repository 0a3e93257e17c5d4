/**
 * Priorities for the journal: a line that begins with `<4>` is kept with priority 4 and without that
 * prefix. Source: `man 3 sd-daemon`, `man 5 systemd.exec` (JOURNAL_STREAM, SyslogLevelPrefix=).
 */

import { fstatSync } from "node:fs";

/** By pino's numbers of levels, from which on each counts; the numbers of syslog. */
const PRIORITIES = [
  { from: 50, prefix: "<3>" },
  { from: 40, prefix: "<4>" },
  { from: 30, prefix: "<6>" },
] as const;
const DEBUG_PREFIX = "<7>";

/** Before a line that says why the process ends. */
export const ERROR_PREFIX = "<3>";

/** The prefix of a line of that level, one of pino's. */
export function priorityPrefix(level: number): string {
  return PRIORITIES.find(({ from }) => level >= from)?.prefix ?? DEBUG_PREFIX;
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
