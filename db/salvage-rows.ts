/** Reading the rows of a damaged table in order, past what cannot be read. */

import type { Sqlite } from "./sqlite.ts";

/** `before` is null where nothing could be read any more; with `after` 0, rows may be lost anywhere. */
export interface Gap {
  readonly after: number;
  readonly before: number | null;
}

/** Codes of SQLite for what cannot be read, because it is wrong or the disk refuses. */
const UNREADABLE = /^SQLITE_(CORRUPT|NOTADB|IOERR|TOOBIG)/;
/** Row numbers of these databases are counted up from 1. */
const ROW_MAX = 2n ** 40n;

export type Row = readonly [rowid: bigint, ...values: unknown[]];

/** Rows by their numbers, past what cannot be read. */
export class RowReader {
  readonly #behind;
  readonly #next;

  constructor(sqlite: Sqlite, select: string) {
    const ordered = `${select} WHERE rowid > ? ORDER BY rowid`;
    this.#behind = sqlite.prepare<[bigint], Row>(ordered).raw().safeIntegers();
    this.#next = sqlite.prepare<[bigint], Row>(`${ordered} LIMIT 1`).raw().safeIntegers();
  }

  *all(gaps: Gap[]): Generator<Row> {
    let last = -1n;
    for (;;) {
      try {
        for (const row of this.#behind.iterate(last)) {
          // Where the order is broken, reading goes on behind the highest one: it ends for certain.
          if (row[0] > last) [last] = row;
          yield row;
        }
        return;
      } catch (error) {
        if (!isUnreadable(error)) throw error;
      }
      const beyond = this.#beyond(last);
      const found = beyond === undefined ? undefined : this.#next.get(beyond);
      gaps.push({ after: Number(last), before: found === undefined ? null : Number(found[0]) });
      if (beyond === undefined || found === undefined) return;
      last = beyond;
    }
  }

  /** The first number after which a row, or the end, can be read; undefined when there is none. */
  #beyond(last: bigint): bigint | undefined {
    let low = last;
    let step = 1n;
    while (!this.#canRead(last + step)) {
      low = last + step;
      step *= 2n;
      if (step > ROW_MAX) return undefined;
    }
    let high = last + step;
    while (high - low > 1n) {
      const middle = (low + high) / 2n;
      if (this.#canRead(middle)) high = middle;
      else low = middle;
    }
    return high;
  }

  #canRead(after: bigint): boolean {
    try {
      this.#next.get(after);
      return true;
    } catch (error) {
      if (isUnreadable(error)) return false;
      throw error;
    }
  }
}

/** What SQLite says of a page that reading passes over and tells as a gap. */
const PASSED_OVER = /: (btreeInitPage\(\) returns error code|unable to get the page\.)/;
/** What it says of a page, and not of which table. */
const OF_SOME_PAGE = /^(Fragmentation|Multiple uses) /;
/** It ends at so many faults. */
const FAULTS_MAX = 100;

/**
 * Whether the gaps that reading meets are all that is wrong with a table: where pages refer to others
 * than their own, or rows are out of order, reading passes rows over without a word.
 * @returns true also where there is no such table
 */
export function isInOrder(sqlite: Sqlite, table: string): boolean {
  const root = sqlite
    .prepare<[string], number>(
      "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = ?",
    )
    .pluck()
    .get(table);
  if (root === undefined) return true;
  const told: string[] = [];
  try {
    const lines = sqlite.prepare<[], string>(`PRAGMA quick_check('${table}')`).pluck();
    for (const text of lines.iterate()) told.push(...text.split("\n"));
  } catch (error) {
    // It has met what reading meets too.
    if (!isUnreadable(error)) throw error;
  }
  const isOfTable = (line: string) => line.startsWith(`Tree ${root} `) || OF_SOME_PAGE.test(line);
  return told.length < FAULTS_MAX && told.filter(isOfTable).every((line) => PASSED_OVER.test(line));
}

/** True for an error of SQLite about what it cannot read. */
export function isUnreadable(error: unknown): error is Error {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return UNREADABLE.test(String(error.code));
}
