/** What commands print: results on the standard output, everything else on the standard error. */

import { writeSync } from "node:fs";
import { currentSurroundings } from "../config/surroundings.ts";
import { ERROR_PREFIX, isJournal } from "../platform/journal.ts";
import { errorCode } from "../platform/thrown.ts";

/** How long a full pipe is given to drain before the rest of the text is given up. */
const DRAIN_LIMIT_MS = 5_000;
const DRAIN_STEP_MS = 5;

/**
 * Writes at once and completely, because the process may end right after.
 * @returns false when nobody reads any more
 */
function writeAll(fileDescriptor: number, text: string): boolean {
  let rest: Uint8Array = Buffer.from(text);
  let waitedMs = 0;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fileDescriptor, rest));
    } catch (error) {
      const isFull = errorCode(error) === "EAGAIN";
      // Nobody reads any more, as after `| head`: there is no one left to tell.
      if (!isFull || waitedMs >= DRAIN_LIMIT_MS) return false;
      Bun.sleepSync(DRAIN_STEP_MS);
      waitedMs += DRAIN_STEP_MS;
    }
  }
  return true;
}

/** Prints text to the standard output as it is. */
export function printText(text: string): void {
  writeAll(1, text);
}

/** Prints one line of result. @returns false when nobody reads any more, as after `| head` */
export function printLine(line: string): boolean {
  return writeAll(1, `${line}\n`);
}

/** A number of things: `1 receipt`, `2 receipts`. @param one what one of them is called */
export function counted(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`;
}

/** Prints a value as indented JSON. */
export function printJson(value: unknown): void {
  printLine(JSON.stringify(value, null, 2));
}

/**
 * Text of others as a terminal may have it: what devices and callers of the API say must neither
 * steer it nor turn the order of what is read.
 */
export function harmless(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, "·");
}

/**
 * Prints rows with their columns aligned; the last column is as wide as it is. Cells may hold
 * anything.
 */
export function printTable(table: readonly (readonly string[])[]): void {
  const rows = table.map((row) => row.map(harmless));
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    }
  }
  for (const row of rows) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    printLine(cells.join("  ").trimEnd());
  }
}

/** Prints text to the standard error as it is. */
export function printErrorText(text: string): void {
  writeAll(2, text);
}

/** Prints one line for the person at the terminal. */
export function printError(line: string): void {
  const prefix = isJournal(currentSurroundings().environment, 2) ? ERROR_PREFIX : "";
  writeAll(2, `${prefix}fiscald: ${line}\n`);
}
