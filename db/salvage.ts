/**
 * Reading what can still be read of a damaged database, row by row in the order of its tables, into a
 * new one. Where a page cannot be read, what it held is passed over and told.
 */

import { type Database, openDamaged, openDatabase } from "./connection.ts";
import { DatabaseDoubted } from "./doubts.ts";
import { appliedAt, migrate, pendingMigrations, SchemaMismatch } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { removeSenseless } from "./row-sense.ts";
import { type Gap, isInOrder, isUnreadable, RowReader } from "./salvage-rows.ts";
import { copyWithSchema, type KnownTable } from "./salvage-schema.ts";
import { tablesOf } from "./snapshot.ts";
import type { Sqlite } from "./sqlite.ts";

export type { Gap } from "./salvage-rows.ts";

/** What of a table was saved. */
export interface SalvagedTable {
  readonly table: string;
  readonly saved: number;
  /** Rows that were read, but hold what no such row can hold. */
  readonly refused: number;
  /** Stretches that could not be read, by the numbers of the rows beside them. */
  readonly gaps: readonly Gap[];
  /** Columns of ours that were gone. */
  readonly lostColumns: readonly string[];
  /** Rows of which the time zone made no sense: UTC now, or of a place that of its shop. */
  readonly zones?: number;
}

/** True where nothing of a table was lost. */
export function isWholeTable({ gaps, refused, lostColumns, zones = 0 }: SalvagedTable): boolean {
  return gaps.length + refused + lostColumns.length + zones === 0;
}

/** Nothing can be read: not even which tables there are. */
export class NothingSaved extends Error {
  override readonly name = "NothingSaved";
}

/** SQLite's own, which it makes where it needs them; with the kinds of values that are in them. */
const SQLITE_TABLES: readonly KnownTable[] = [
  {
    ...{ name: "sqlite_sequence", root: 0 },
    sql: "CREATE TABLE sqlite_sequence(name text not null, seq integer not null)",
  },
  {
    ...{ name: "sqlite_stat1", root: 0 },
    sql: "CREATE TABLE sqlite_stat1(tbl text not null, idx text, stat text not null)",
  },
  {
    ...{ name: "sqlite_stat4", root: 0 },
    sql: "CREATE TABLE sqlite_stat4(tbl text not null, idx text, neq text not null, nlt text not null, ndlt text not null, sample blob not null)",
  },
];
/** Of a table of which rows may be lost anywhere. */
const UNKNOWN: Gap = { after: 0, before: null };
/** It is made with the new database. */
const MIGRATIONS_TABLE = "schema_migrations";
/**
 * Saves what can be read of a database into a new file, of this version's schema.
 * @param damaged path of the database, which is not changed
 * @param target path of the new one; must not exist
 * @param now UTC milliseconds
 * @throws NothingSaved; SchemaMismatch when a newer version wrote it; or the error of the new one
 */
export function salvage(damaged: string, target: string, now: number): SalvagedTable[] {
  const { sqlite: from, isUnsure } = openSomehow(damaged, `${target}.read`);
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
        .map((table) => saveTable(from, to.sqlite, table))
        .map((saved) =>
          isUnsure(saved.table) ? { ...saved, gaps: [...saved.gaps, UNKNOWN] } : saved,
        );
      if (tables.every(({ saved }) => saved === 0)) {
        throw new NothingSaved(`no row of ${damaged} can be read`);
      }
      keepNumbers(from, to.sqlite);
      migrate(to, now);
      return withoutSenseless(to, tables);
    } finally {
      to.close();
    }
  } finally {
    from.close();
  }
}

/** Rows that were read, and of which nobody can make anything. */
function withoutSenseless(to: Database, tables: readonly SalvagedTable[]): SalvagedTable[] {
  const { removed, zones } = removeSenseless(to);
  return tables.map((one) => {
    const [out = 0, set = 0] = [removed.get(one.table), zones.get(one.table)];
    const counts = { saved: one.saved - out, refused: one.refused + out };
    return { ...one, ...counts, ...(set > 0 ? { zones: set } : {}) };
  });
}

/**
 * Opens it; where it cannot say itself which tables it has, a copy that is told.
 * @param copy path for that, which is not removed
 * @returns besides, whether more of a table may be lost than reading it shows
 */
function openSomehow(
  damaged: string,
  copy: string,
): { readonly sqlite: Sqlite; isUnsure(table: string): boolean } {
  let sqlite: Sqlite | undefined;
  try {
    sqlite = openDamaged(damaged);
    sqlite.prepare("SELECT count(*) FROM sqlite_master").get();
    const own = sqlite;
    // It says itself which tables it has: one of ours that is not among them is lost.
    return {
      sqlite,
      isUnsure: (table) => columnsOf(own, table).length === 0 || !isInOrder(own, table),
    };
  } catch (error) {
    sqlite?.close();
    if (!isUnreadable(error)) throw error;
    const found = copyWithSchema(damaged, copy, knownTables());
    if (found === undefined) throw new NothingSaved(`${damaged} cannot be read: ${error.message}`);
    const told = openDamaged(copy);
    return {
      sqlite: told,
      isUnsure: (table) => found.unsure.has(table) || !isInOrder(told, table),
    };
  }
}

/** Those of a database that was made by this version, as it has them while it is new. */
function knownTables(): KnownTable[] {
  const fresh = openDatabase(":memory:");
  try {
    migrate(fresh, 0);
    const tables = "SELECT name, rootpage AS root, sql FROM sqlite_schema WHERE type = 'table'";
    const ours = fresh.sqlite.prepare<[], KnownTable>(tables).all();
    return [...ours.filter(({ name }) => !name.startsWith("sqlite_")), ...SQLITE_TABLES];
  } finally {
    fresh.close();
  }
}

/** How many of the known migrations the database has; all of them where that cannot be read. */
function appliedTo(sqlite: Sqlite): number {
  try {
    const asDatabase: Pick<Database, "sqlite"> = { sqlite };
    const applied = MIGRATIONS.length - pendingMigrations(asDatabase).length;
    // What has rows to be saved was made by a migration, also where nothing notes it any more.
    return applied === 0 ? MIGRATIONS.length : applied;
  } catch (error) {
    // Names that were written over are those of no version.
    if (!isInOrder(sqlite, MIGRATIONS_TABLE)) return MIGRATIONS.length;
    if (error instanceof SchemaMismatch) throw error;
    // A note of one is damaged, which was made all the same.
    return error instanceof DatabaseDoubted ? appliedAt({ sqlite }).length : MIGRATIONS.length;
  }
}

function saveTable(from: Sqlite, to: Sqlite, table: string): SalvagedTable {
  const [ours, theirs] = [columnsOf(to, table), columnsOf(from, table)];
  const columns = ours.filter((name) => theirs.includes(name));
  const lostColumns = ours.filter((name) => !theirs.includes(name));
  const gaps: Gap[] = [];
  let saved = 0;
  let refused = 0;
  if (theirs.length === 0) return { table, saved, refused, gaps, lostColumns: [] };
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
  return { table, saved, refused, gaps, lostColumns };
}

function columnsOf(sqlite: Sqlite, table: string): string[] {
  return sqlite
    .prepare<[string], string>("SELECT name FROM pragma_table_info(?)")
    .pluck()
    .all(table);
}

/** Numbers that were given out are not given out again, also where their rows are lost. */
function keepNumbers(from: Sqlite, to: Sqlite): void {
  if (columnsOf(from, "sqlite_sequence").length === 0) return;
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
