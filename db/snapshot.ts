/** A copy of a database as it is at one moment, made while others go on writing to it. */

import { type Database, openDatabase } from "./connection.ts";
import { pendingMigrations, SchemaMismatch } from "./migrate.ts";
import { lostFrom } from "./own-schema.ts";
import { NEWEST_ROWS, type Scope, senselessRows, senselessText } from "./row-sense.ts";

/** Faults that are named: one is enough to know, and one often leads to hundreds. */
const FAULTS_MAX = 5;
/** Where the first answers to tills are, which their repeats get. */
const KEYS = "idempotency_keys";
/** Pages copied in one go; in between the process does other work. */
const PAGES_AT_ONCE = 2_048;

/** What a database holds, in figures. */
export interface DatabaseContent {
  /** Name of the newest migration; empty where none was applied. */
  readonly schema: string;
  /** Rows of each table. */
  readonly rows: Readonly<Record<string, number>>;
}

/**
 * Copies a database into a new file. The copy is of the moment at which it began: what this reads is
 * held as a read transaction, which in WAL mode keeps nobody from writing, and only has the log grow
 * meanwhile.
 * @param file path of the database, which others may have open
 * @param target path of the copy; must not exist
 * @throws DatabaseDoubted as `openDatabase` does, the database's error, or Error when nothing was
 * copied
 */
export async function copySnapshot(file: string, target: string): Promise<void> {
  const { sqlite, close } = openDatabase(file);
  try {
    sqlite.exec("BEGIN");
    // The transaction begins with the first reading.
    sqlite.prepare("SELECT count(*) FROM sqlite_master").get();
    await copyPages(sqlite, target, PAGES_AT_ONCE);
    sqlite.exec("ROLLBACK");
  } finally {
    close();
  }
}

/**
 * Copies an open database, log included.
 * @param target path of the copy; must not exist
 * @param pagesAtOnce in a turn of the event loop; as many as the driver takes unless given
 * @throws the database's error, or Error when nothing was copied
 */
export async function copyPages(
  sqlite: Database["sqlite"],
  target: string,
  pagesAtOnce?: number,
): Promise<void> {
  const pace = pagesAtOnce === undefined ? undefined : { progress: () => pagesAtOnce };
  const { totalPages } = await sqlite.backup(target, pace);
  // Where somebody else holds a lock, the driver ends without an error, and without a page.
  if (totalPages === 0) throw new Error("the database is locked: nothing was copied");
}

/** Counts what a database holds. @throws the database's error */
export function contentOf({ sqlite }: Database): DatabaseContent {
  const tables = tablesOf(sqlite);
  const rows: Record<string, number> = {};
  for (const table of tables) {
    const found = sqlite
      .prepare<[], { n: number }>(`SELECT count(*) AS n FROM ${quoted(table)}`)
      .get();
    rows[table] = found?.n ?? 0;
  }
  const newest = tables.includes("schema_migrations")
    ? sqlite
        .prepare<[], { name: string }>(
          "SELECT name FROM schema_migrations ORDER BY position DESC LIMIT 1",
        )
        .get()
    : undefined;
  return { schema: newest?.name ?? "", rows };
}

/**
 * Looks whether a database is whole in itself, has all tables and columns of ours, and rows in them
 * that can be read.
 * @param how `quick` leaves out whether the indexes agree with their tables
 * @returns what is wrong, a line each; empty when nothing is
 * @throws the database's error that is no damage
 */
export function faultsOf(
  { sqlite }: Pick<Database, "sqlite">,
  how: "quick" | "thorough",
): readonly string[] {
  const pragma = how === "quick" ? "quick_check" : "integrity_check";
  try {
    const told = sqlite.prepare<[], string>(`PRAGMA ${pragma}(${FAULTS_MAX})`).pluck().all();
    const lines = told.flatMap((text) => text.split("\n"));
    const faults = lines.filter((line) => line !== "ok" && !line.startsWith("***"));
    // What cannot be read may lack anything.
    if (faults.length > 0) return faults;
    const lost = lostFrom({ sqlite });
    return lost.length > 0 ? lost : unreadableIn({ sqlite }, "all");
  } catch (error) {
    if (isDamage(error)) return [error.message];
    throw error;
  }
}

function unreadableIn(database: Pick<Database, "sqlite">, scope: Scope): string[] {
  try {
    pendingMigrations(database);
  } catch (error) {
    // What a newer version writes, only that can read.
    if (error instanceof SchemaMismatch) return [];
    throw error;
  }
  // A row that two looks find is told once.
  const texts = new Set<string>();
  for (const row of senselessRows(database, "unreadable", scope)) {
    texts.add(senselessText(row));
    if (texts.size === FAULTS_MAX) break;
  }
  return [...texts];
}

/**
 * Looks at where a database is written last: the ends of its tables, and more of what keeps a till's
 * repeat from being printed. Whether it has all of ours, and whether the rows that a gateway starts on can
 * be read. That takes a moment, however large it is.
 * @returns what is wrong; empty when nothing is
 * @throws the database's error that is no damage
 */
export function faultsAtEnds({ sqlite }: Pick<Database, "sqlite">): readonly string[] {
  let place = "the list of tables";
  try {
    for (const table of tablesOf(sqlite)) {
      place = table;
      const newest = table === KEYS ? NEWEST_ROWS : 1;
      for (const [order, limit] of [
        ["ASC", 1],
        ["DESC", newest],
      ]) {
        sqlite
          .prepare(`SELECT * FROM ${quoted(table)} ORDER BY rowid ${order} LIMIT ${limit}`)
          .all();
      }
    }
    const lost = lostFrom({ sqlite });
    if (lost.length > 0) return lost;
    place = "the newest rows";
    return unreadableIn({ sqlite }, "started_on");
  } catch (error) {
    if (isDamage(error)) return [`${place}: ${error.message}`];
    throw error;
  }
}

/** A table may be somebody else's, who has named it as he liked. */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** True for what SQLite says of a database that is not whole. */
export function isDamage(error: unknown): error is Error {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^SQLITE_(CORRUPT|NOTADB)/.test(code);
}

/** Names of all tables but SQLite's own. */
export function tablesOf(sqlite: Database["sqlite"]): string[] {
  return sqlite
    .prepare<[], string>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .pluck()
    .all();
}

/** When the newest event was, in UTC milliseconds; undefined where there is none. */
export function newestEventAt({ sqlite }: Database): number | undefined {
  if (!tablesOf(sqlite).includes("events")) return undefined;
  return sqlite
    .prepare<[], number>("SELECT created_at FROM events ORDER BY seq DESC LIMIT 1")
    .pluck()
    .get();
}

/**
 * What a database has taken in since an instant.
 * @param at UTC milliseconds
 * @throws the database's error
 */
export function madeSince(
  { sqlite }: Pick<Database, "sqlite">,
  at: number,
): { readonly commands: number; readonly receipts: number } {
  const count = (table: "commands" | "receipts"): number =>
    sqlite
      .prepare<[number], { n: number }>(`SELECT count(*) AS n FROM ${table} WHERE created_at > ?`)
      .get(at)?.n ?? 0;
  return { commands: count("commands"), receipts: count("receipts") };
}
