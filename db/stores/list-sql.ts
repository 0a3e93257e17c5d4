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
}

/** What makes one list's SQL differ from another's. */
export interface Shape<Sort extends string, Filter extends string> {
  readonly sortBy: Sort;
  readonly order: "asc" | "desc";
  /** The filters that are given. */
  readonly asked: readonly Filter[];
}

/** A prepared query, on values by the names of the placeholders. */
export interface Statement<Row> {
  all(values: Record<string, unknown>): Row[];
}

/** The statements of one table. */
export type ListStatements<Row, Sort extends string, Filter extends string> = ReturnType<
  typeof createListStatements<Row, Sort, Filter>
>;

const p = sql.placeholder;

/** For `filters`: the column has the value of the filter of that name. */
export function equals(column: SQLiteColumn, filter: string): SQL {
  return eq(column, p(filter));
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
  const { table, orgId, sorts, range, filters, computed } = listed;
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
  const conditionOf = (shape: Shape<Sort, Filter>) =>
    and(
      ofOrganization(),
      ...shape.asked.map((name) => filters[name]),
      shape.sortBy === range ? undefined : inRange(),
      between(shape),
    );
  const ofEntry = (entry: Entry<Filter>) =>
    and(ofOrganization(), ...entry.filters.map((name) => filters[name]), entry.part);
  const allOf = (entry: Entry<Filter>) => and(ofEntry(entry), inRange());
  const orderOf = ({ sortBy, order }: Shape<Sort, Filter>): [SQL, SQL] => {
    const direction = order === "desc" ? desc : asc;
    return [direction(sorts[sortBy]), direction(seq)];
  };
  /** Of the generic table nothing is known here but that its rows are `Row`. */
  const rowsOf = (query: { all(values: Record<string, unknown>): unknown[] }): Statement<Row> => ({
    all: (values) => query.all(values) as Row[],
  });

  return {
    /** Reads on in the order of the list; of several entries the rows are merged. */
    page(shape: Shape<Sort, Filter>, entries: readonly Entry<Filter>[]): Statement<Row> {
      const [first, second] = entries.map((entry) =>
        orm
          .select(fields)
          .from(from(entry))
          .where(and(entry.part, conditionOf(shape))),
      );
      if (first === undefined) throw new Error("a list reads at least one index");
      const whole = second === undefined ? first : first.unionAll(second);
      return rowsOf(
        whole
          .orderBy(...orderOf(shape))
          .limit(p("limit"))
          .prepare(),
      );
    },

    /** Reads all that an entry leads to, up to `max` rows, and puts them in order afterwards. */
    sorted(shape: Shape<Sort, Filter>, entry: Entry<Filter>, max: number): Statement<Row> {
      const some = from(entry, sql` where ${allOf(entry)} limit ${sql.raw(String(max))}`);
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
    walk(shape: Shape<Sort, Filter>, entry: Entry<Filter>, of?: SQL) {
      const isAscending = shape.order === "asc";
      const after = sql`(${p("afterAt")}, ${p("afterSeq")})`;
      const place = sql`(${sorts[range]}, ${seq}) ${isAscending ? sql`>` : sql`<`} ${after}`;
      const direction = isAscending ? asc : desc;
      return orm
        .select({
          at: sql<number>`${sorts[shape.sortBy]}`,
          seq,
          walkedAt: sql<number>`${sorts[range]}`,
        })
        .from(from(entry))
        .where(and(entry.part, of, conditionOf(shape), place))
        .orderBy(direction(sorts[range]), direction(seq))
        .limit(p("limit"))
        .prepare();
    },

    /** The rows with these `seq`, given as JSON. */
    rows(): Statement<Row> {
      const given = sql`rowid in (select value from json_each(${p("seqs")}))`;
      const rows = sql`select ${"seq" in columns ? sql`*` : sql`rowid as seq, *`} from ${table}`;
      const found = new Subquery(sql`${rows} where ${given}`, columns, getTableName(table));
      return rowsOf(orm.select(fields).from(found).prepare());
    },

    /** Counts what an entry leads to, up to `max`. */
    count(entry: Entry<Filter>, max: number) {
      const some = orm
        .select({ seq: seq.as("seq") })
        .from(from(entry))
        .where(allOf(entry))
        .limit(max)
        .as("some");
      return orm.select({ total: count() }).from(some).prepare();
    },

    /** Finds the row that is `ahead` rows further on in the index, whatever else is asked. */
    edge(shape: Shape<Sort, Filter>, entry: Entry<Filter>) {
      return orm
        .select({
          at: sql<number>`${sorts[shape.sortBy]}`,
          seq,
          id: sql<string>`${columns.id ?? seq}`,
        })
        .from(from(entry))
        .where(and(ofEntry(entry), between(shape)))
        .orderBy(...orderOf(shape))
        .limit(1)
        .offset(p("ahead"))
        .prepare();
    },
  };
}
