/**
 * Rows that every request asks for (keys, devices, organizations, the commands at work), kept in
 * memory. A cached row is as good as one read now: it is dropped or replaced when this process
 * writes to its table, and all are dropped when a transaction is undone and when another process has
 * changed the database, which SQLite counts. So a key that is revoked at the command line ends at
 * once.
 */

import type { Sqlite } from "./sqlite.ts";

/** One table's rows by whatever they are looked up by. */
export interface RowCache<Key extends readonly string[], Row> {
  /** The row, read unless it is known. */
  get(...key: Key): Row | undefined;
  /** The row as it has just been written. */
  put(row: Row, ...key: Key): void;
  /** The table is about to change. */
  drop(): void;
}

/** Rows of one cache unless it says otherwise; beyond that it begins anew. */
const ROWS_MAX = 1_000;

export class RowCaches {
  readonly #version;
  #seen: unknown;
  readonly #maps = new Set<Map<string, unknown>>();

  constructor(sqlite: Sqlite) {
    this.#version = sqlite.prepare("PRAGMA data_version").pluck();
    this.#seen = this.#version.get();
  }

  /**
   * A cache in front of a query. Rows are shared by all who get them: nobody may change them.
   * @param rowsMax how many are kept
   */
  over<Key extends readonly string[], Row>(
    read: (...key: Key) => Row | undefined,
    rowsMax = ROWS_MAX,
  ): RowCache<Key, Row> {
    const rows = new Map<string, Row>();
    this.#maps.add(rows);
    const keep = (name: string, row: Row): void => {
      if (rows.size >= rowsMax && !rows.has(name)) rows.clear();
      rows.set(name, row);
    };
    return {
      get: (...key) => {
        this.#dropForeign();
        const name = key.join("\n");
        const known = rows.get(name);
        if (known !== undefined) return known;
        const row = read(...key);
        if (row !== undefined) keep(name, row);
        return row;
      },
      put: (row, ...key) => keep(key.join("\n"), row),
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
