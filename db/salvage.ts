/**
 * Reading what can still be read of a damaged database, row by row in the order of its tables, into a
 * new one. Where a page cannot be read, what it held is passed over and told.
 */

import { type Database, openDamaged, openDatabase } from "./connection.ts";
import { migrate, pendingMigrations } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { tablesOf } from "./snapshot.ts";
import type { Sqlite } from "./sqlite.ts";

/** What of a table was saved. */
export interface SalvagedTable {
  readonly table: string;
  readonly saved: number;
  /** Rows that were read, but hold what no such row can hold. */
  readonly refused: number;
  /** Stretches that could not be read, by the numbers of the rows beside them. */
  readonly gaps: readonly Gap[];
}

/** `before` is null where nothing could be read any more. */
export interface Gap {
  readonly after: number;
  readonly before: number | null;
}

/** Nothing can be read: not even which tables there are. */
export class NothingSaved extends Error {
  override readonly name = "NothingSaved";
}

/** It is made with the new database. */
const MIGRATIONS_TABLE = "schema_migrations";
/** Codes of SQLite for what cannot be read, because it is wrong or the disk refuses. */
const UNREADABLE = /^SQLITE_(CORRUPT|NOTADB|IOERR)/;
/** Row numbers of these databases are counted up from 1. */
const ROW_MAX = 2n ** 40n;

/**
 * Saves what can be read of a database into a new file, of this version's schema.
 * @param damaged path of the database, which is not changed
 * @param target path of the new one; must not exist
 * @param now UTC milliseconds
 * @throws NothingSaved; SchemaMismatch when a newer version wrote it; or the error of the new one
 */
export function salvage(damaged: string, target: string, now: number): SalvagedTable[] {
  const from = openOrNothing(damaged);
  try {
    const to = openDatabase(target);
    try {
      // Nobody else has it, and it is thrown away unless all of this succeeds.
      for (const pragma of ["journal_mode = OFF", "synchronous = OFF", "foreign_keys = OFF"]) {
        to.sqlite.pragma(pragma);
      }
      migrate(to, now, MIGRATIONS.slice(0, appliedTo(from)));
      const tables = tablesOf(to.sqlite)
        .filter((table) => table !== MIGRATIONS_TABLE)
        .map((table) => saveTable(from, to.sqlite, table));
      if (tables.every(({ saved }) => saved === 0)) {
        throw new NothingSaved(`no row of ${damaged} can be read`);
      }
      keepNumbers(from, to.sqlite);
      migrate(to, now);
      return tables;
    } finally {
      to.close();
    }
  } finally {
    from.close();
  }
}

function openOrNothing(file: string): Sqlite {
  let sqlite: Sqlite | undefined;
  try {
    sqlite = openDamaged(file);
    sqlite.prepare("SELECT count(*) FROM sqlite_master").get();
    return sqlite;
  } catch (error) {
    sqlite?.close();
    if (!isUnreadable(error)) throw error;
    throw new NothingSaved(`${file} cannot be read: ${error.message}`);
  }
}

/** How many of the known migrations the database has; all of them where that cannot be read. */
function appliedTo(sqlite: Sqlite): number {
  try {
    const asDatabase: Pick<Database, "sqlite"> = { sqlite };
    return MIGRATIONS.length - pendingMigrations(asDatabase).length;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return MIGRATIONS.length;
  }
}

function saveTable(from: Sqlite, to: Sqlite, table: string): SalvagedTable {
  const columns = columnsOf(from, table).filter((name) => columnsOf(to, table).includes(name));
  const gaps: Gap[] = [];
  let saved = 0;
  let refused = 0;
  if (columns.length > 0) {
    const names = ["rowid", ...columns.map((name) => `"${name}"`)].join(", ");
    const places = ["?", ...columns.map(() => "?")].join(", ");
    // Ignored, and not aborted: without a journal nothing can be taken back.
    const insert = to.prepare(`INSERT OR IGNORE INTO "${table}" (${names}) VALUES (${places})`);
    const rows = new RowReader(from, `SELECT ${names} FROM "${table}"`);
    to.exec("BEGIN");
    for (const row of rows.all(gaps)) {
      if (insert.run(...row).changes === 1) saved += 1;
      else refused += 1;
    }
    to.exec("COMMIT");
  }
  return { table, saved, refused, gaps };
}

type Row = readonly [rowid: bigint, ...values: unknown[]];

/** Rows by their numbers, past what cannot be read. */
class RowReader {
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

function columnsOf(sqlite: Sqlite, table: string): string[] {
  return sqlite
    .prepare<[string], string>("SELECT name FROM pragma_table_info(?)")
    .pluck()
    .all(table);
}

/** Numbers that were given out are not given out again, also where their rows are lost. */
function keepNumbers(from: Sqlite, to: Sqlite): void {
  try {
    const given = from
      .prepare<[], { name: string; seq: number }>("SELECT name, seq FROM sqlite_sequence")
      .all();
    const raise = to.prepare("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?");
    for (const { name, seq } of given) raise.run(seq, name);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
}

function isUnreadable(error: unknown): error is Error {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return UNREADABLE.test(String(error.code));
}
