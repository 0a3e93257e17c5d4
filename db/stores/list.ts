/**
 * Pages of an organization's rows of a table that grows with the years. A page is read in its order
 * out of one index that the code names, so that it costs what it shows however long the history is,
 * and whether or not somebody ran ANALYZE. A combination of filters has no index of its own: the
 * list is searched in parts, between which the caller lets others work; where the first part does
 * not fill the page and one of the filters leaves few rows, those are read and sorted instead, or all
 * of a range are walked through and the first of them kept.
 */

import type { Database } from "../connection.ts";
import {
  createListStatements,
  type Entry,
  type ListedTable,
  type Shape,
  type Statement,
} from "./list-sql.ts";

/** Which rows are listed. Filters that are absent let everything through. */
export type ListFilter<Filter extends string> = Readonly<
  Partial<Record<Filter, string | undefined>>
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
   * An entry in the order of the range, where it is better to walk through all of a range than to
   * search for it in another order: where rows of one range are far from the list's beginning.
   */
  rangeEntry?(filter: ListFilter<Filter>): Entry<Filter> | undefined;
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
  const counted = once(statements.count, (entry) => entry.index);
  const walk = once(statements.walk, (shape, entry) => [shape, entry.index]);
  const all = once(statements.rows, () => "");
  const edge = once(statements.edge, (shape, entry) => [shape, entry.index]);
  /** An entry that leads to few of those that are left. */
  const fewOf = (filter: ListFilter<Filter>, left: Record<string, unknown>) =>
    listing
      .filterEntries(filter)
      .find((entry) => (counted(entry, max).get(left)?.total ?? 0) < max);

  return function* list(orgId, filter, page) {
    const { sortBy, order } = page;
    const shape: Shape<Sort, Filter> = { sortBy, order, asked: askedOf(listing, filter) };
    const isByRange = sortBy === listing.range;
    const entries = listing.entries(filter, sortBy);
    const [main] = entries;
    const within = (bounds: Bounds, limit: number) => ({
      ...{ orgId, ...filter, ...rangeOf(filter, isByRange, bounds), limit },
      ...{ aboveAt: bounds.above.at, aboveSeq: bounds.above.seq },
      ...{ belowAt: bounds.below.at, belowSeq: bounds.below.seq },
    });
    let rest: Bounds | undefined = boundsOf(filter, isByRange, page);
    if (isExact(main, shape, isByRange || (filter.from ?? filter.to) === undefined)) {
      yield pageOf(shape, entries).all(within(rest, page.limit));
      return undefined;
    }
    const found = new Set<number>();
    let ahead = sizes.firstPart;
    for (let parts = 1; rest; parts += 1) {
      const asked = within(rest, page.limit - found.size);
      const end = edge(shape, main).get({ ...asked, ahead: ahead - 1 });
      const part = end === undefined ? rest : upTo(rest, end, order);
      const read = pageOf(shape, entries).all(within(part, asked.limit));
      // Between two parts a row may have moved on to where the search still comes.
      const fresh = read.filter(({ seq }) => !found.has(seq));
      for (const { seq } of fresh) found.add(seq);
      yield fresh;
      if (found.size === page.limit) return undefined;
      rest = end && beyond(rest, end, order);
      // Most lists are full by now. Is the rest of this one perhaps so little that it can be sorted?
      const few = rest && parts === 1 ? fewOf(filter, within(rest, 1)) : undefined;
      if (rest && few) {
        const sortedRest = sorted(shape, few, max).all(within(rest, page.limit - found.size));
        yield sortedRest.filter(({ seq }) => !found.has(seq));
        return undefined;
      }
      const ranged = isByRange || parts > 1 ? undefined : listing.rangeEntry?.(filter);
      if (rest && ranged) {
        const left = within(rest, page.limit - found.size);
        yield* walked(walk(shape, ranged), left, {
          order,
          rows: all(),
          stepRows: sizes.largestPart,
        });
        return undefined;
      }
      if (parts === page.partsMax) return end?.id;
      ahead = Math.min(2 * ahead, sizes.largestPart);
    }
    return undefined;
  };
}

/** The first of all that a walk comes by, in the order of the list. */
function* walked<R extends Row>(
  walk: Statement<Position & { readonly walkedAt: number }>,
  asked: Readonly<Record<string, unknown>> & { readonly limit: number },
  how: { readonly order: "asc" | "desc"; readonly rows: Statement<R>; readonly stepRows: number },
): Generator<readonly R[], void> {
  const { order, rows, stepRows } = how;
  const compare = (a: Position, b: Position) => (isBefore(a, b) === (order === "asc") ? -1 : 1);
  let first: Position[] = [];
  let after = { afterAt: FIRST.at, afterSeq: FIRST.seq };
  for (;;) {
    const step = walk.all({ ...asked, ...after, limit: stepRows });
    first = [...first, ...step].toSorted(compare).slice(0, asked.limit);
    const last = step.at(-1);
    if (last === undefined || step.length < stepRows) break;
    after = { afterAt: last.walkedAt, afterSeq: last.seq };
    yield [];
  }
  const bySeq = new Map(
    rows.all({ seqs: JSON.stringify(first.map(({ seq }) => seq)) }).map((row) => [row.seq, row]),
  );
  yield first.flatMap(({ seq }) => bySeq.get(seq) ?? []);
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
