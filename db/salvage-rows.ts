/** Reading the rows of a damaged table in order, past what cannot be read. */

import type { Sqlite } from "./sqlite.ts";

/** `before` is null where nothing could be read any more. */
export interface Gap {
  readonly after: number;
  readonly before: number | null;
}

/** Codes of SQLite for what cannot be read, because it is wrong or the disk refuses. */
const UNREADABLE = /^SQLITE_(CORRUPT|NOTADB|IOERR)/;
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
          [last] = row;
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

/** True for an error of SQLite about what it cannot read. */
export function isUnreadable(error: unknown): error is Error {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return UNREADABLE.test(String(error.code));
}
