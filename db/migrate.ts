/** Brings a database to this program's schema. */

import type { Database } from "./connection.ts";
import { DatabaseDoubted } from "./doubts.ts";
import { MIGRATIONS, type Migration } from "./migrations/index.ts";

/** The database was written by a newer program. */
export class SchemaMismatch extends Error {
  override readonly name = "SchemaMismatch";
}

/**
 * What this program's schema has and the database has not, in order.
 * @throws SchemaMismatch, DatabaseDoubted as `migrate` does
 */
export function pendingMigrations(
  { sqlite }: Pick<Database, "sqlite">,
  migrations: readonly Migration[] = MIGRATIONS,
): readonly Migration[] {
  const applied = appliedMigrations(sqlite);
  const newer = applied[migrations.length];
  if (newer !== undefined) {
    throw new SchemaMismatch(`the database has migration ${newer.name} of a newer version`);
  }
  for (const [index, row] of applied.entries()) {
    const known = migrations[index];
    if (known?.name === row.name && hashOf(known) === row.hash) continue;
    // No release changes a migration, so that nothing else is left.
    throw new DatabaseDoubted(`what the database notes of its migration ${row.name} is damaged`);
  }
  return migrations.slice(applied.length);
}

/**
 * Applies what is missing, in order, each migration in a transaction of its own with its name and
 * hash.
 * @param now UTC milliseconds, recorded with each
 * @returns names of the migrations that were applied
 * @throws SchemaMismatch when the database knows a migration that this program does not;
 * DatabaseDoubted where it notes one with another name or text; nothing is changed then
 */
export function migrate(
  database: Database,
  now: number,
  migrations: readonly Migration[] = MIGRATIONS,
): string[] {
  const { sqlite } = database;
  const missing = pendingMigrations(database, migrations);
  if (missing.length === 0) return [];
  sqlite.exec(
    "CREATE TABLE IF NOT EXISTS schema_migrations (position INTEGER PRIMARY KEY, " +
      "name TEXT NOT NULL UNIQUE, hash TEXT NOT NULL, applied_at INTEGER NOT NULL)",
  );
  const note = noting(sqlite, now);
  for (const migration of missing) {
    sqlite
      .transaction(() => {
        sqlite.exec(migration.sql);
        note(migration);
      })
      .immediate();
  }
  return missing.map((migration) => migration.name);
}

/** Notes in a database that it has what a migration makes. @param now UTC milliseconds */
export function noting(sqlite: Database["sqlite"], now: number): (migration: Migration) => void {
  const record = sqlite.prepare(
    "INSERT INTO schema_migrations (name, hash, applied_at) VALUES (?, ?, ?)",
  );
  return (migration) => void record.run(migration.name, hashOf(migration), now);
}

/** What was applied, in order, and when: UTC milliseconds. */
export function appliedAt({
  sqlite,
}: Pick<Database, "sqlite">): { readonly name: string; readonly at: number }[] {
  return sqlite
    .prepare<[], { name: string; at: number }>(
      "SELECT name, applied_at AS at FROM schema_migrations ORDER BY position",
    )
    .all();
}

function appliedMigrations(sqlite: Database["sqlite"]): { name: string; hash: string }[] {
  const table = sqlite
    .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'schema_migrations'")
    .get();
  if (table === undefined) return [];
  return sqlite
    .prepare<[], { name: string; hash: string }>(
      "SELECT name, hash FROM schema_migrations ORDER BY position",
    )
    .all();
}

/** A start asks for each several times. */
const HASHES = new WeakMap<Migration, string>();

function hashOf(migration: Migration): string {
  const known = HASHES.get(migration);
  if (known !== undefined) return known;
  const hash = new Bun.CryptoHasher("sha256").update(migration.sql).digest("hex");
  HASHES.set(migration, hash);
  return hash;
}
