/**
 * Rows that every request asks for (keys, devices, organizations, the commands at work, how many of
 * them wait), kept in memory. A cached row is as good as one read now: it is dropped or replaced when
 * this process writes to its table, and all are dropped when a transaction is undone and when another
 * process has changed the database, which SQLite counts. So a key that is revoked at the command line
 * ends at once: no request that comes after that is let in.
 */

import type { OtherWriters } from "./other-writers.ts";

/** One table's rows by whatever they are looked up by. */
export interface RowCache<Key extends readonly string[], Row> {
  /** The row, read unless it is known. */
  get(...key: Key): Row | undefined;
  /** The row as it has just been written. */
  put(row: Row, ...key: Key): void;
  /** What has just been written changed the row so. One that is not known is read when asked for. */
  adjust(change: (row: Row) => Row, ...key: Key): void;
  /** The table is about to change. */
  drop(): void;
}

/** How much of a table is kept; beyond either bound the cache begins anew. */
export interface RowBounds<Row> {
  readonly rowsMax: number;
  /** Of the rows together, by `weigh`. */
  readonly weightMax: number;
  weigh(row: Row): number;
}

/** Small rows: their number says enough. */
const SMALL_ROWS: RowBounds<unknown> = {
  rowsMax: 1_000,
  weightMax: Number.POSITIVE_INFINITY,
  weigh: () => 0,
};

export class RowCaches {
  readonly #others;
  readonly #kept = new Set<Pick<KeptRows<unknown>, "clear" | "wayBack">>();

  constructor(others: OtherWriters) {
    this.#others = others;
    others.onChange(() => this.drop());
  }

  /** A cache in front of a query. Rows are shared by all who get them: nobody may change them. */
  over<Key extends readonly string[], Row>(
    read: (...key: Key) => Row | undefined,
    bounds: RowBounds<Row> = SMALL_ROWS,
  ): RowCache<Key, Row> {
    const rows = new KeptRows(bounds);
    this.#kept.add(rows);
    return {
      get: (...key) => {
        this.#others.lookOnce();
        const name = key.join("\n");
        const known = rows.get(name);
        if (known !== undefined) return known;
        const row = read(...key);
        if (row !== undefined) rows.keep(name, row);
        return row;
      },
      put: (row, ...key) => rows.keep(key.join("\n"), row),
      adjust: (change, ...key) => {
        const name = key.join("\n");
        const known = rows.get(name);
        if (known !== undefined) rows.keep(name, change(known));
      },
      drop: () => rows.clear(),
    };
  }

  /** Forgets everything, as when a transaction is undone: what was read in it never was. */
  drop(): void {
    for (const rows of this.#kept) rows.clear();
  }

  /** @returns what makes all of it known again that is known now; for who undoes what comes between */
  wayBack(): () => void {
    const ways = [...this.#kept].map((rows) => rows.wayBack());
    return () => {
      for (const way of ways) way();
    };
  }
}

/** The rows of one cache within its bounds. */
class KeptRows<Row> {
  readonly #bounds: RowBounds<Row>;
  readonly #rows = new Map<string, { readonly row: Row; readonly weight: number }>();
  #weight = 0;

  constructor(bounds: RowBounds<Row>) {
    this.#bounds = bounds;
  }

  get(name: string): Row | undefined {
    return this.#rows.get(name)?.row;
  }

  keep(name: string, row: Row): void {
    const { rowsMax, weightMax, weigh } = this.#bounds;
    const weight = weigh(row);
    this.#weight += weight - (this.#rows.get(name)?.weight ?? 0);
    this.#rows.set(name, { row, weight });
    if (this.#rows.size <= rowsMax && this.#weight <= weightMax) return;
    this.clear();
    if (weight > weightMax) return;
    this.#weight = weight;
    this.#rows.set(name, { row, weight });
  }

  clear(): void {
    this.#rows.clear();
    this.#weight = 0;
  }

  wayBack(): () => void {
    const rows = [...this.#rows];
    const weight = this.#weight;
    return () => {
      this.clear();
      for (const [name, row] of rows) this.#rows.set(name, row);
      this.#weight = weight;
    };
  }
}
