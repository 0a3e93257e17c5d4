import type BetterSqlite3 from "better-sqlite3";

/** The driver's handle, for pragmas and transactions. */
export type Sqlite = BetterSqlite3.Database;
