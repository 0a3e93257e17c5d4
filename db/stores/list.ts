/**
 * Pages of an organization's rows of a table that grows with the years. A page is read in its order
 * out of one index that the code names, so that it costs what it shows however long the history is,
 * and whether or not somebody ran ANALYZE. Where a combination of filters and order has no index of
 * its own the list is searched in parts, between which the caller lets others work; where the first
 * part does not fill the page and one of the filters leaves few rows, those are read and sorted
 * instead, or a range is gone through, as far as it has to be, and the first of its rows kept.
 */

import type { SQL } from "drizzle-orm";
import type { Database } from "../connection.ts";
import {
  createListStatements,
  type Entry,
  type ListedTable,
  type Shape,
  type Statement,
  severalValues,
  type Walked,
} from "./list-sql.ts";

/** Which rows are listed. Filters that are absent let everything through; a row has one of several values. */
export type ListFilter<Filter extends string> = Readonly<
  Partial<Record<Filter, string | number | readonly string[] | undefined>>
> & {
  /** Of the table's `range`, inclusive. */
  readonly from?: number | undefined;
  /** Of the table's `range`, exclusive. */
  readonly to?: number | undefined;
};

/** What every listed row has. */
interface Row {
  /** Grows with each row of the table: equal rows are in this order. */
  readonly seq: number;
}

/** Which of them, in which order. */
export interface Page<R, Sort extends string> {
  readonly limit: number;
  readonly order: "asc" | "desc";
  readonly sortBy: Sort;
  /** The last one of the previous page. */
  readonly startAfter?: R | undefined;
  /** Gives up after so many parts of a search; it goes on to the end unless given. */
  readonly partsMax?: number | undefined;
}

/** How to come by all rows of a list in the order of the range, where the list has another one. */
export interface Through<Filter extends string> {
  /** Leads to the rows in the order of the range. */
  readonly entry: Entry<Filter>;
  /** Which of those that it leads to are meant; all where it is not said. */
  readonly of?: SQL;
  /**
   * How far the place of each of these in the list may be behind its place in the range; it is never
   * before that. Where this is not known, all of the range is gone through.
   */
  readonly behindMax?: number;
  /** Lead to all others. */
  readonly others?: readonly Entry<Filter>[];
}

/** What is said of a table to list its rows. */
export interface Listing<Sort extends string, Filter extends string>
  extends ListedTable<Sort, Filter> {
  /**
   * Where to read in the order of the list. Of several entries the rows are merged; together they
   * lead to all that the filters let through, each row once.
   */
  entries(
    filter: ListFilter<Filter>,
    sortBy: Sort,
  ): readonly [Entry<Filter>, ...(readonly Entry<Filter>[])];
  /** The entries that lead to what one of the filters lets through, whatever the order there. */
  filterEntries(filter: ListFilter<Filter>): readonly Entry<Filter>[];
  /**
   * Where it is better to go through a range than to search for its rows in another order: where
   * they may be far from the list's beginning.
   */
  through?(filter: ListFilter<Filter>): Through<Filter> | undefined;
}

/**
 * Finds a page; equal rows are in order of their `seq`.
 * @returns its rows in parts, some of them empty; to find one takes a few milliseconds. In the end
 * the id of the row after which to go on, where it gave up
 */
export type Lister<R, Sort extends string, Filter extends string> = (
  orgId: string,
  filter: ListFilter<Filter>,
  page: Page<R, Sort>,
) => Generator<readonly R[], string | undefined>;

/** How the work for a page is divided. */
export interface ListSizes {
  /** Fewer rows than this are sorted rather than searched in the order of the list. */
  readonly few: number;
  /** Rows of an index that are searched in the first part; each later one has twice as many. */
  readonly firstPart: number;
  readonly largestPart: number;
}

const SIZES: ListSizes = { few: 1_000, firstPart: 500, largestPart: 2_000 };
/** Rows of a walk's first step beyond what the page takes; each later step has twice as many. */
const SPARE_ROWS = 8;

/** Makes the function that reads a page; it prepares a statement for each kind of query once. */
export function createLister<
  R extends Row & Readonly<Record<Sort, number>>,
  Sort extends string,
  Filter extends string,
>(orm: Database["orm"], listing: Listing<Sort, Filter>, sizes = SIZES): Lister<R, Sort, Filter> {
  const { few: max } = sizes;
  const statements = createListStatements<R, Sort, Filter>(orm, listing);
  const indexesOf = (entries: readonly Entry<Filter>[]) => entries.map(({ index }) => index);
  const pageOf = once(statements.page, (shape, entries) => [shape, indexesOf(entries)]);
  const sorted = once(statements.sorted, (shape, entry) => [shape, entry.index]);
  const counted = once(statements.count, (shape, entry) => [shape, entry.index]);
  const walk = once(statements.walk, (shape, entry, _of) => [shape, entry.index]);
  const all = once(statements.rows, () => "");
  const edge = once(statements.edge, (shape, entry) => [shape, entry.index]);
  const fewOf = (shape: Shape<Sort, Filter>) => (entry: Entry<Filter>, left: Values) =>
    (counted(shape, entry, max).get(left)?.total ?? 0) < max;

  return function* list(orgId, filter, page) {
    const { sortBy, order } = page;
    const { values, given } = severalOf(listing, filter);
    const shape: Shape<Sort, Filter> = { sortBy, order, asked: askedOf(listing, filter), values };
    const isFew = fewOf(shape);
    const isByRange = sortBy === listing.range;
    const entries = listing.entries(filter, sortBy);
    const [main] = entries;
    const within = (bounds: Bounds, limit: number) => ({
      ...{ orgId, ...filter, ...given, ...rangeOf(filter, isByRange, bounds), limit },
      ...{ aboveAt: bounds.above.at, aboveSeq: bounds.above.seq },
      ...{ belowAt: bounds.below.at, belowSeq: bounds.below.seq },
    });
    let rest: Bounds | undefined = boundsOf(filter, isByRange, page);
    const isRanged = (filter.from ?? filter.to) !== undefined;
    if (isExact(main, shape, isByRange || !isRanged)) {
      yield pageOf(shape, entries).all(within(rest, page.limit));
      return undefined;
    }
    const found = new Set<number>();
    const goThrough = ({ entry, of, behindMax, others = [] }: Through<Filter>, rest: Bounds) => {
      const left = within(rest, page.limit - found.size);
      return walked(left, {
        ...{ order, behindMax, stepRowsMax: sizes.largestPart },
        walk: walk(shape, entry, of),
        rows: all(),
        others(last) {
          if (others.length === 0) return [];
          const asFar = last === undefined ? rest : upTo(rest, last, order);
          const read = pageOf(shape, others).all(within(asFar, left.limit));
          return read.map((row) => ({ at: row[sortBy], seq: row.seq }));
        },
        isKnown: ({ seq }) => found.has(seq),
      });
    };
    const through = isByRange ? undefined : listing.through?.(filter);
    if (through && isRanged && isFew(through.entry, within(rest, 1))) {
      yield* goThrough(through, rest);
      return undefined;
    }
    let ahead = sizes.firstPart;
    for (let parts = 1; rest; parts += 1) {
      const asked = within(rest, page.limit - found.size);
      const end = edge(shape, main)
        .all({ ...asked, ahead: ahead - 1 })
        .at(0);
      const part = end === undefined ? rest : upTo(rest, end, order);
      const read = pageOf(shape, entries).all(within(part, asked.limit));
      // Between two parts a row may have moved on to where the search still comes.
      const fresh = read.filter(({ seq }) => !found.has(seq));
      for (const { seq } of fresh) found.add(seq);
      yield fresh;
      if (found.size === page.limit) return undefined;
      rest = end && beyond(rest, end, order);
      if (rest && through) {
        yield* goThrough(through, rest);
        return undefined;
      }
      // Most lists are full by now. Is the rest of this one perhaps so little that it can be sorted?
      const left = rest && parts === 1 ? within(rest, 1) : undefined;
      const few = left && listing.filterEntries(filter).find((entry) => isFew(entry, left));
      if (rest && few) {
        const sortedRest = sorted(shape, few, max).all(within(rest, page.limit - found.size));
        yield sortedRest.filter(({ seq }) => !found.has(seq));
        return undefined;
      }
      if (parts === page.partsMax) return end?.id;
      ahead = Math.min(2 * ahead, sizes.largestPart);
    }
    return undefined;
  };
}

/** Values of placeholders that the statements of one page have in common. */
interface Asked {
  readonly limit: number;
  readonly from: number;
  readonly to: number;
  readonly aboveAt: number;
  readonly belowAt: number;
}

interface Walk<R> {
  readonly order: "asc" | "desc";
  readonly walk: Statement<Walked>;
  readonly behindMax: number | undefined;
  readonly stepRowsMax: number;
  readonly rows: Statement<R>;
  /** The first of those that the walk does not come by, as far as `last` where that is given. */
  others(last: Position | undefined): readonly Position[];
  /** True for a row that was found before. */
  isKnown(row: Row): boolean;
}

/** The first of all that a walk comes by and of the others, in the order of the list. */
function* walked<R extends Row>(asked: Asked, how: Walk<R>): Generator<readonly R[], void> {
  const { order, walk, rows, stepRowsMax, behindMax, isKnown } = how;
  const isAscending = order === "asc";
  const compare = (a: Position, b: Position) => (isBefore(a, b) === isAscending ? -1 : 1);
  /** True when whatever comes later in the range comes later in the list than this. */
  const isOver = (walkedAt: number, last: Position | undefined): boolean => {
    if (behindMax === undefined || last === undefined) return false;
    return isAscending ? walkedAt > last.at : walkedAt + behindMax < last.at;
  };
  let first: Position[] = [];
  /** As many as the page takes at most. */
  const add = (some: readonly Position[]): void => {
    const fresh = some.filter((row) => !isKnown(row));
    first = [...first, ...fresh].toSorted(compare).slice(0, asked.limit);
  };
  let after = beginOf(asked, how);
  for (let stepRows = asked.limit + SPARE_ROWS; ; stepRows = Math.min(2 * stepRows, stepRowsMax)) {
    // SQLite seeks only one bound of each side: this one says as much as the place.
    const bound = isAscending ? { from: after.at } : { to: Math.min(after.at + 1, asked.to) };
    const place = { afterAt: after.at, afterSeq: after.seq };
    const step = walk.all({ ...asked, ...bound, ...place, limit: stepRows });
    add(step);
    const last = step.at(-1);
    if (last === undefined || step.length < stepRows) break;
    if (isOver(last.walkedAt, first[asked.limit - 1])) break;
    after = { at: last.walkedAt, seq: last.seq };
    yield [];
  }
  add(how.others(first[asked.limit - 1]));
  const bySeq = new Map(
    rows.all({ seqs: JSON.stringify(first.map(({ seq }) => seq)) }).map((row) => [row.seq, row]),
  );
  yield first.flatMap(({ seq }) => bySeq.get(seq) ?? []);
}

/** Where in the range a walk begins: nothing of the list is before that. */
function beginOf(
  { from, to, aboveAt, belowAt }: Asked,
  { order, behindMax }: Pick<Walk<unknown>, "order" | "behindMax">,
): Position {
  if (order === "asc") {
    const at = behindMax === undefined ? from : Math.max(from, aboveAt - behindMax);
    return { at, seq: 0 };
  }
  return { at: behindMax === undefined ? to : Math.min(to, belowAt + 1), seq: 0 };
}

/** Prepares once for each key of what it is given. */
function once<Given extends readonly unknown[], T>(
  prepare: (...given: Given) => T,
  keyOf: (...given: Given) => unknown,
): (...given: Given) => T {
  const prepared = new Map<string, T>();
  return (...given) => {
    const key = JSON.stringify(keyOf(...given));
    const statement = prepared.get(key) ?? prepare(...given);
    prepared.set(key, statement);
    return statement;
  };
}

/** Values by the names of the placeholders. */
type Values = Readonly<Record<string, unknown>>;

/** Of the filter that may have several values: how many, unless it is one, and what statements take. */
function severalOf<Sort extends string, Filter extends string>(
  { several }: Listing<Sort, Filter>,
  filter: ListFilter<Filter>,
): { readonly values: number | undefined; readonly given: Values } {
  const asked = several && filter[several.filter];
  if (several === undefined || !Array.isArray(asked)) return { values: undefined, given: {} };
  const distinct: readonly string[] = [...new Set(asked)];
  const [only] = distinct;
  if (distinct.length === 1) return { values: undefined, given: { [several.filter]: only } };
  return { values: distinct.length, given: severalValues(several.filter, distinct) };
}

function askedOf<Sort extends string, Filter extends string>(
  { filters }: Listing<Sort, Filter>,
  filter: ListFilter<Filter>,
): Filter[] {
  const names = Object.keys(filters) as Filter[];
  return names.filter((name) => filter[name] !== undefined);
}

/** True when all that lies there belongs to the list, or when it is little anyway. */
function isExact<Sort extends string, Filter extends string>(
  entry: Entry<Filter>,
  { asked }: Shape<Sort, Filter>,
  isRangeRead: boolean,
): boolean {
  if (entry.isSmall) return true;
  return isRangeRead && asked.every((name) => entry.filters.includes(name));
}

/** A place in the order of a list. */
interface Position {
  readonly at: number;
  readonly seq: number;
}

/** What lies between two places, without these. */
interface Bounds {
  readonly above: Position;
  readonly below: Position;
}

/** `from` and `to` of a filter. */
interface Range {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Before and behind everything: no row has a `seq` of 0. */
const FIRST: Position = { at: Number.MIN_SAFE_INTEGER, seq: 0 };
const LAST: Position = { at: Number.MAX_SAFE_INTEGER, seq: 0 };

/** Where the page lies. SQLite seeks one bound of each side, so of two the narrower is given. */
function boundsOf<Sort extends string>(
  { from, to }: Range,
  isByRange: boolean,
  page: Page<Row & Readonly<Record<Sort, number>>, Sort>,
): Bounds {
  const above = isByRange && from !== undefined ? { at: from, seq: 0 } : FIRST;
  const below = isByRange && to !== undefined ? { at: to, seq: 0 } : LAST;
  if (page.startAfter === undefined) return { above, below };
  const last = { at: page.startAfter[page.sortBy], seq: page.startAfter.seq };
  if (page.order === "asc") return { above: isBefore(above, last) ? last : above, below };
  return { above, below: isBefore(last, below) ? last : below };
}

/** Between which values of the range all of the page lies. */
function rangeOf(
  { from = FIRST.at, to = LAST.at }: Range,
  isByRange: boolean,
  { above, below }: Bounds,
): { from: number; to: number } {
  if (!isByRange) return { from, to };
  return { from: above.at, to: Math.min(below.at + 1, LAST.at) };
}

function isBefore(a: Position, b: Position): boolean {
  return a.at < b.at || (a.at === b.at && a.seq < b.seq);
}

/** From where the list goes on to `end`, with that. */
function upTo({ above, below }: Bounds, { at, seq }: Position, order: "asc" | "desc"): Bounds {
  return order === "asc"
    ? { above, below: { at, seq: seq + 1 } }
    : { above: { at, seq: seq - 1 }, below };
}

/** From `end`, without that, on. */
function beyond({ above, below }: Bounds, { at, seq }: Position, order: "asc" | "desc"): Bounds {
  const end = { at, seq };
  return order === "asc" ? { above: end, below } : { above, below: end };
}
