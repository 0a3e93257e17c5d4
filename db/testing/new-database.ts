/** A new database in memory, for tests that each begin with one. */

import { type Database, openCopy, openDatabase } from "../connection.ts";
import { migrate } from "../migrate.ts";

let migrated: Buffer | undefined;

/**
 * One that has all migrations. They are run once a process and copied from then on: two thousand tests
 * would run them for longer than what they try.
 */
export function newDatabase(): Database {
  migrated ??= runMigrations();
  return openCopy(migrated);
}

function runMigrations(): Buffer {
  const database = openDatabase(":memory:");
  try {
    migrate(database, 0);
    return database.sqlite.serialize();
  } finally {
    database.close();
  }
}
