/**
 * Rows that every request asks for (keys, devices, organizations, sessions), kept in memory. A
 * cached row is as good as one read now: all of them are dropped when this process writes to their
 * table, when a transaction is undone, and when another process has changed the database, which
 * SQLite counts. So a key that is revoked at the command line ends at once.
 */

import type { Sqlite } from "./sqlite.ts";

/** One table's rows by whatever they are looked up by. */
export interface RowCache<Key extends readonly string[], Row> {
  /** The row, read unless it is known. */
  get(...key: Key): Row | undefined;
  /** The table is about to change. */
  drop(): void;
}

/** Rows of one cache; beyond that it begins anew. */
const ROWS_MAX = 1_000;

export class RowCaches {
  readonly #version;
  #seen: unknown;
  readonly #maps = new Set<Map<string, unknown>>();

  constructor(sqlite: Sqlite) {
    this.#version = sqlite.prepare("PRAGMA data_version").pluck();
    this.#seen = this.#version.get();
  }

  /** A cache in front of a query. Rows are shared by all who get them: nobody may change them. */
  over<Key extends readonly string[], Row>(
    read: (...key: Key) => Row | undefined,
  ): RowCache<Key, Row> {
    const rows = new Map<string, Row>();
    this.#maps.add(rows);
    return {
      get: (...key) => {
        this.#dropForeign();
        const name = key.join("\n");
        const known = rows.get(name);
        if (known !== undefined) return known;
        const row = read(...key);
        if (row !== undefined) {
          if (rows.size >= ROWS_MAX) rows.clear();
          rows.set(name, row);
        }
        return row;
      },
      drop: () => rows.clear(),
    };
  }

  /** Forgets everything, as when a transaction is undone: what was read in it never was. */
  drop(): void {
    for (const rows of this.#maps) rows.clear();
  }

  /** Forgets everything when another connection has changed the database. */
  #dropForeign(): void {
    const now = this.#version.get();
    if (now === this.#seen) return;
    this.#seen = now;
    this.drop();
  }
}
