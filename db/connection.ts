/** Opening the database: the only file that names the SQLite driver. */

import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import type BetterSqlite3 from "better-sqlite3";
import { type BetterSQLite3Database, drizzle } from "drizzle-orm/better-sqlite3";
import { DatabaseDoubted, DriverNotLoaded, ExchangeBrokenOff } from "./doubts.ts";
import { OtherWriters } from "./other-writers.ts";
import { RowCaches } from "./row-cache.ts";
import type { Sqlite } from "./sqlite.ts";

/** One open database: drizzle for statements, the driver's handle for the rest. */
export interface Database {
  readonly orm: BetterSQLite3Database;
  readonly sqlite: Sqlite;
  readonly rows: RowCaches;
  readonly others: OtherWriters;
  close(): void;
}

/** In place of a path. */
const IN_MEMORY = ":memory:";

/** Path of the note that keeps a database from being opened. */
export function damageNote(file: string): string {
  return `${file}.damaged`;
}

/**
 * Opens the database file, making it if need be. Durable when a commit returns (WAL with
 * `synchronous=FULL`): an answered submission survives a power cut.
 * @param file path, or `:memory:`
 * @throws DatabaseDoubted when there is a note that it was damaged, or it was cut to nothing beside
 * its log, which SQLite would throw away
 * @throws DriverNotLoaded where no database can be opened at all
 * @throws whatever the driver throws when the file cannot be opened or is no database
 */
export function openDatabase(file: string): Database {
  // What is in memory is no file in the folder where somebody types, which may not even be readable.
  if (file !== IN_MEMORY) refuseDoubted(file);
  return withOurSettings(new (driver())(file));
}

/** Opens a copy in memory of what `serialize` told of a database. */
export function openCopy(content: Buffer): Database {
  return withOurSettings(new (driver())(content));
}

function withOurSettings(sqlite: Sqlite): Database {
  try {
    sqlite.pragma("busy_timeout = 5000");
    sqlite.pragma("journal_mode = WAL");
    sqlite.pragma("synchronous = FULL");
    sqlite.pragma("foreign_keys = ON");
    // What was masked or removed does not stay in the pages that are written anyway.
    sqlite.pragma("secure_delete = FAST");
    // What the queue works on fits in 2 MB; the driver's own default is eight times as much.
    sqlite.pragma("cache_size = -2048");
    // The log is folded back into the file at this many pages, which bounds it to about 8 MB.
    sqlite.pragma("wal_autocheckpoint = 2000");
    sqlite.pragma("journal_size_limit = 16777216");
    // Of SQLite's own no function knows capitals beyond ASCII.
    sqlite.function("holds_text", { deterministic: true }, holdsText);
    sqlite.function("may_hold_text", { deterministic: true }, mayHoldText);
  } catch (error) {
    sqlite.close();
    throw error;
  }
  const others = new OtherWriters(sqlite);
  const rows = new RowCaches(others);
  return { orm: drizzle(sqlite), sqlite, rows, others, close: () => sqlite.close() };
}

/**
 * Opens a database to be read alone, whatever is noted of it. It is not changed, nor is its log folded
 * into it.
 * @throws whatever the driver throws when the file is not there, or is no database
 */
export function openDamaged(file: string): Sqlite {
  return new (driver())(file, { readonly: true, fileMustExist: true });
}

/**
 * Opens a copy of a damaged database in which the list of its tables may be read as far as that goes, and
 * be written. Its log is folded into it.
 * @throws whatever the driver throws
 */
export function openForSchema(file: string): Sqlite {
  const sqlite = new (driver())(file, { fileMustExist: true });
  try {
    sqlite.unsafeMode(true);
    sqlite.pragma("writable_schema = ON");
    sqlite.pragma("journal_mode = DELETE");
    sqlite.pragma("synchronous = OFF");
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** 1 when the text holds the other one, in capitals or not; 0 for what is no text. */
function holdsText(text: unknown, part: unknown): number {
  if (typeof text !== "string" || typeof part !== "string") return 0;
  return Number(text.toLowerCase().includes(part.toLowerCase()));
}

/** 0 when no text within the JSON holds the other one: to take JSON apart takes much longer. */
function mayHoldText(json: unknown, part: unknown): number {
  if (typeof json !== "string") return 0;
  // What is written with escapes looks otherwise.
  return json.includes("\\") ? 1 : holdsText(json, part);
}

function refuseDoubted(file: string): void {
  const note = damageNote(file);
  if (existsSync(note)) {
    const text = readFileSync(note, "utf8").trim() || `${file} was damaged`;
    if (/ was broken off\b/.test(text)) {
      throw new ExchangeBrokenOff(`${text}. Until then ${note} keeps everybody from working on it`);
    }
    throw new DatabaseDoubted(`${text}; remove ${note} once that is mended`);
  }
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size;
  if (sizeOf(file) === 0 && (sizeOf(`${realpathSync(file)}-wal`) ?? 0) > 0) {
    throw new DatabaseDoubted(
      `${file} was cut to nothing: put a backup back and remove ${file}-wal`,
    );
  }
}

let loaded: typeof BetterSqlite3 | undefined;
let notLoaded: DriverNotLoaded | undefined;

/** @throws DriverNotLoaded, at each call, where its native part cannot be unpacked or mapped */
function driver(): typeof BetterSqlite3 {
  // Whoever asks for the native part again is given an empty one.
  if (notLoaded !== undefined) throw notLoaded;
  if (loaded !== undefined) return loaded;
  const found = entry();
  try {
    // With the first database it loads its native part, whose failure is none of the database that is asked for.
    new found(IN_MEMORY).close();
  } catch (cause) {
    notLoaded = new DriverNotLoaded(cause);
    throw notLoaded;
  }
  loaded = found;
  return found;
}

/** The entry of this architecture: a plain import would look for its native part at run time. */
function entry(): typeof BetterSqlite3 {
  // The bundler folds the condition for each target and embeds only the one that is needed.
  return process.arch === "arm64"
    ? require("better-sqlite3/linux-arm64")
    : require("better-sqlite3/linux-x64");
}
