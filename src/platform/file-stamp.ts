import { lstatSync } from "node:fs";

const SECOND_MS = 1_000;

/**
 * An instant within the name of a file or folder, in UTC: `20260301T080000Z`. Names with it are
 * sorted by time.
 * @param at UTC milliseconds
 */
export function fileStamp(at: number): string {
  return new Date(at).toISOString().replace(/[-:]|\.\d+/g, "");
}

/**
 * Path, with a stamp in it, of what is made at an instant. Nothing has it yet: of two within a second, or
 * after a clock was set back, the later one gets the next second that is free.
 * @param at UTC milliseconds
 * @throws the system's error
 */
export function freePath(at: number, pathOf: (stamp: string) => string): string {
  for (let second = at; ; second += SECOND_MS) {
    const path = pathOf(fileStamp(second));
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return path;
  }
}
