/** The statements behind lists. Each reads the index that it names and no other. */

import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  getTableName,
  is,
  SQL,
  Subquery,
  sql,
} from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "../connection.ts";

type Orm = Database["orm"];

/** An index that begins with the organization, and what leads on in it. */
export interface Entry<Filter extends string> {
  readonly index: string;
  /** The filters to whose values it leads. */
  readonly filters: readonly Filter[];
  /** The condition of a partial index, which a query on it has to repeat. */
  readonly part?: SQL;
  /** It does not lead on in the range: how much lies there is counted without that. */
  readonly isUnranged?: true;
  /** What lies there is little, whatever the length of the history. */
  readonly isSmall?: true;
}

/** What the statements need to know of a table. */
export interface ListedTable<Sort extends string, Filter extends string> {
  readonly table: SQLiteTable;
  /** Whose rows they are: the beginning of each index. */
  readonly orgId: SQLiteColumn;
  /** What a list can be in order of: integers. One that no column holds is in `computed` too. */
  readonly sorts: Readonly<Record<Sort, SQLiteColumn | SQL>>;
  /** What a row has besides its columns. */
  readonly computed?: Readonly<Record<string, SQL>>;
  /** The one of them that the filters `from` and `to` are about. */
  readonly range: Sort;
  /** The condition of each other filter, on the placeholder of its name. */
  readonly filters: Readonly<Record<Filter, SQL>>;
  /** The one of them that may have several values, of which a row has one, and the column. */
  readonly several?: { readonly filter: Filter; readonly column: SQLiteColumn };
}

/** What makes one list's SQL differ from another's. */
export interface Shape<Sort extends string, Filter extends string> {
  readonly sortBy: Sort;
  readonly order: "asc" | "desc";
  /** The filters that are given. */
  readonly asked: readonly Filter[];
  /** How many values the filter `several` has; absent where it has one, or none. */
  readonly values?: number | undefined;
}

/** An entry as it is read in order: of several values it leads to, each is read by itself. */
interface Lane<Filter extends string> {
  readonly entry: Entry<Filter>;
  /** Which of the values; absent where the entry leads to all of them, or to one. */
  readonly value?: number;
}

/** A prepared query, on values by the names of the placeholders. */
export interface Statement<Row> {
  all(values: Record<string, unknown>): Row[];
}

/** A row's place in the list, and the one in the range. */
export interface Walked {
  readonly at: number;
  readonly seq: number;
  readonly walkedAt: number;
}

/** Where a part of a search ends. */
interface Edge {
  readonly at: number;
  readonly seq: number;
  readonly id: string;
}

interface Query {
  all(values: Record<string, unknown>): unknown[];
}

type Fields = Readonly<Record<string, SQLiteColumn | SQL>>;

/** The statements of one table. */
export type ListStatements<Row, Sort extends string, Filter extends string> = ReturnType<
  typeof createListStatements<Row, Sort, Filter>
>;

const p = sql.placeholder;

/** For `filters`: the column has the value of the filter of that name. */
export function equals(column: SQLiteColumn, filter: string): SQL {
  return eq(column, p(filter));
}

/** What the statements take of a filter with several values, by the names of the placeholders. */
export function severalValues(filter: string, values: readonly string[]): Record<string, string> {
  return {
    [filter]: JSON.stringify(values),
    ...Object.fromEntries(values.map((value, at) => [valueName(filter, at), value])),
  };
}

function valueName(filter: string, at: number): string {
  return `${filter}${at}`;
}

/** The column has one of the values that the placeholder of that name gives as a JSON list. */
export function isOneOf(column: SQLiteColumn, list: string): SQL {
  return sql`${column} in (select value from json_each(${p(list)}))`;
}

/**
 * The table, read by that index and no other: SQLite refuses a statement that cannot use it. Where
 * the table has no `seq` it is given one, the row id, with which SQLite ends each index.
 */
export function rowsBy(table: SQLiteTable, index: string, rest: SQL = sql``): Subquery {
  const columns = getTableColumns(table);
  const all = "seq" in columns ? sql`*` : sql`rowid as seq, *`;
  const rows = sql`select ${all} from ${table} indexed by ${sql.identifier(index)}${rest}`;
  return new Subquery(rows, columns, getTableName(table));
}

/**
 * What prepares the statements of one table.
 * @typeParam Row a row of that table, with `seq`
 */
export function createListStatements<Row, Sort extends string, Filter extends string>(
  orm: Orm,
  listed: ListedTable<Sort, Filter>,
) {
  const { table, orgId, sorts, range, filters, computed, several } = listed;
  const seq = sql<number>`${sql.identifier("seq")}`;
  const columns: Readonly<Record<string, SQLiteColumn>> = getTableColumns(table);
  const fields = { ...columns, ...computed, seq };
  const from = (entry: Entry<Filter>, rest?: SQL) => rowsBy(table, entry.index, rest);

  const inRange = () => sql`${sorts[range]} >= ${p("from")} and ${sorts[range]} < ${p("to")}`;
  /** The positions between which the list goes on. */
  const between = ({ sortBy }: Shape<Sort, Filter>) => {
    const sort = sorts[sortBy];
    const position = sql`(${sort}, ${seq})`;
    return and(
      // SQLite looks up an expression of the index in it, but no pair with one.
      is(sort, SQL) ? sql`${sort} between ${p("aboveAt")} and ${p("belowAt")}` : undefined,
      sql`${position} > (${p("aboveAt")}, ${p("aboveSeq")})`,
      sql`${position} < (${p("belowAt")}, ${p("belowSeq")})`,
    );
  };
  const ofOrganization = () => eq(orgId, p("orgId"));
  /** That a row has the value, or one of the values, that a filter is given. */
  const has = (filter: Filter, { values }: Shape<Sort, Filter>, value?: number) => {
    if (values === undefined || filter !== several?.filter) return filters[filter];
    if (value === undefined) return isOneOf(several.column, filter);
    return eq(several.column, p(valueName(filter, value)));
  };
  const conditionOf = (shape: Shape<Sort, Filter>, value?: number) =>
    and(
      ofOrganization(),
      ...shape.asked.map((name) => has(name, shape, value)),
      shape.sortBy === range ? undefined : inRange(),
      between(shape),
    );
  const ofEntry = (shape: Shape<Sort, Filter>, { entry, value }: Lane<Filter>) =>
    and(ofOrganization(), ...entry.filters.map((name) => has(name, shape, value)), entry.part);
  const allOf = (shape: Shape<Sort, Filter>, entry: Entry<Filter>) =>
    and(ofEntry(shape, { entry }), inRange());
  /** Rows of several values lie apart in the index: in order only those of each. */
  const lanesOf = ({ values }: Shape<Sort, Filter>, entry: Entry<Filter>): Lane<Filter>[] => {
    const isApart = several !== undefined && entry.filters.includes(several.filter);
    if (values === undefined || !isApart) return [{ entry }];
    return Array.from({ length: values }, (_, value) => ({ entry, value }));
  };
  const orderOf = ({ sortBy, order }: Shape<Sort, Filter>): [SQL, SQL] => {
    const direction = order === "desc" ? desc : asc;
    return [direction(sorts[sortBy]), direction(seq)];
  };
  /** Of the generic table nothing is known here but that its rows are `Row`. */
  const rowsOf = <R = Row>(query: Query): Statement<R> => ({
    all: (values) => query.all(values) as R[],
  });
  /** Reads each lane in the order of the whole, and no further than its rows come into the page. */
  const merged = (
    lanes: readonly Lane<Filter>[],
    fields: Fields,
    where: (lane: Lane<Filter>) => SQL | undefined,
  ) => {
    const [first, ...others] = lanes.map((lane) =>
      orm.select(fields).from(from(lane.entry)).where(where(lane)).$dynamic(),
    );
    if (first === undefined) throw new Error("a list reads at least one index");
    return others.reduce((whole, other) => whole.unionAll(other), first);
  };

  return {
    /** Reads on in the order of the list; of several entries, and values, the rows are merged. */
    page(shape: Shape<Sort, Filter>, entries: readonly Entry<Filter>[]): Statement<Row> {
      const lanes = entries.flatMap((entry) => lanesOf(shape, entry));
      const whole = merged(lanes, fields, ({ entry, value }) =>
        and(entry.part, conditionOf(shape, value)),
      );
      return rowsOf(
        whole
          .orderBy(...orderOf(shape))
          .limit(p("limit"))
          .prepare(),
      );
    },

    /** Reads all that an entry leads to, up to `max` rows, and puts them in order afterwards. */
    sorted(shape: Shape<Sort, Filter>, entry: Entry<Filter>, max: number): Statement<Row> {
      const some = from(entry, sql` where ${allOf(shape, entry)} limit ${sql.raw(String(max))}`);
      return rowsOf(
        orm
          .select(fields)
          .from(some)
          .where(conditionOf(shape))
          .orderBy(...orderOf(shape))
          .limit(p("limit"))
          .prepare(),
      );
    },

    /**
     * Goes on in the order of the range, forwards or backwards as the list does, through all that an
     * entry leads to, after a place there; gives of each row of the list its place in the list, and
     * the one in the range.
     * @param of which of the rows that the entry leads to are meant, the same for each entry
     */
    walk(shape: Shape<Sort, Filter>, entry: Entry<Filter>, of?: SQL): Statement<Walked> {
      const isAscending = shape.order === "asc";
      const after = sql`(${p("afterAt")}, ${p("afterSeq")})`;
      const place = sql`(${sorts[range]}, ${seq}) ${isAscending ? sql`>` : sql`<`} ${after}`;
      const placed = { at: sorts[shape.sortBy], seq, walkedAt: sorts[range] };
      const whole = merged(lanesOf(shape, entry), placed, ({ value }) =>
        and(entry.part, of, conditionOf(shape, value), place),
      );
      return rowsOf(
        whole
          .orderBy(...orderOf({ ...shape, sortBy: range }))
          .limit(p("limit"))
          .prepare(),
      );
    },

    /** The rows with these `seq`, given as JSON. */
    rows(): Statement<Row> {
      const given = sql`rowid in (select value from json_each(${p("seqs")}))`;
      const rows = sql`select ${"seq" in columns ? sql`*` : sql`rowid as seq, *`} from ${table}`;
      const found = new Subquery(sql`${rows} where ${given}`, columns, getTableName(table));
      return rowsOf(orm.select(fields).from(found).prepare());
    },

    /** Counts what an entry leads to, up to `max`. */
    count(shape: Shape<Sort, Filter>, entry: Entry<Filter>, max: number) {
      const some = orm
        .select({ seq: seq.as("seq") })
        .from(from(entry))
        .where(entry.isUnranged ? ofEntry(shape, { entry }) : allOf(shape, entry))
        .limit(max)
        .as("some");
      return orm.select({ total: count() }).from(some).prepare();
    },

    /** Finds the row that is `ahead` rows further on in the index, whatever else is asked. */
    edge(shape: Shape<Sort, Filter>, entry: Entry<Filter>): Statement<Edge> {
      const placed = { at: sorts[shape.sortBy], seq, id: columns.id ?? seq };
      const whole = merged(lanesOf(shape, entry), placed, (lane) =>
        and(ofEntry(shape, lane), between(shape)),
      );
      return rowsOf(
        whole
          .orderBy(...orderOf(shape))
          .limit(1)
          .offset(p("ahead"))
          .prepare(),
      );
    },
  };
}
