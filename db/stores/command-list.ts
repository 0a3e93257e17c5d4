/**
 * Pages of an organization's commands. A page is read in its order out of one index that the code
 * names, so that it costs what it shows however long the history is, and whether or not somebody
 * ran ANALYZE. A combination of filters has no index of its own: the list is searched in parts,
 * between which the caller lets others work; where the first part does not fill the page and one of
 * the filters leaves few commands, those are read and sorted instead.
 */

import type { CommandType } from "#core/command/catalogue.ts";
import { isFiscalDocument } from "#core/command/catalogue.ts";
import { type Command, type CommandStatus, isFinal } from "#core/command/command.ts";
import type { Database } from "../connection.ts";
import {
  ENTRIES,
  type Entry,
  prepareCount,
  prepareEdge,
  preparePage,
  prepareSorted,
  type Shape,
} from "./command-list-sql.ts";

export interface CommandFilter {
  readonly deviceId?: string | undefined;
  readonly status?: CommandStatus | undefined;
  readonly type?: CommandType | undefined;
  /** createdAt, inclusive. */
  readonly from?: number | undefined;
  /** createdAt, exclusive. */
  readonly to?: number | undefined;
}

export interface Page {
  readonly limit: number;
  readonly order: "asc" | "desc";
  readonly sortBy: "createdAt" | "updatedAt";
  /** The last one of the previous page. */
  readonly startAfter?: Command | undefined;
}

/**
 * Finds a page; equal instants are in order of acceptance.
 * @returns its commands in parts, some of them empty; to find one takes a few milliseconds
 */
export type CommandLister = (
  orgId: string,
  filter: CommandFilter,
  page: Page,
) => Generator<readonly Command[], void>;

/** How the work for a page is divided. */
export interface ListSizes {
  /** Fewer commands than this are sorted rather than searched in the order of the list. */
  readonly few: number;
  /** Rows of an index that are searched in the first part; each later one has twice as many. */
  readonly firstPart: number;
  readonly largestPart: number;
}

const SIZES: ListSizes = { few: 1_000, firstPart: 500, largestPart: 2_000 };

/** Makes the function that reads a page; it prepares a statement for each kind of query once. */
export function createCommandLister(orm: Database["orm"], sizes = SIZES): CommandLister {
  const { few: max } = sizes;
  const pageOf = once((shape: Shape, entries: readonly Entry[]) =>
    preparePage(orm, shape, entries),
  );
  const sorted = once((shape: Shape, entry: Entry) => prepareSorted(orm, shape, { entry, max }));
  const counted = once((entry: Entry) => prepareCount(orm, { entry, max }));
  const edge = once((shape: Shape, entry: Entry) => prepareEdge(orm, shape, entry));
  /** An entry that leads to few of those that are left. */
  const fewOf = (filter: CommandFilter, left: Record<string, unknown>) =>
    filterEntries(filter).find((entry) => (counted(entry).get(left)?.total ?? 0) < max);

  return function* list(orgId, filter, page) {
    const shape = shapeOf(filter, page);
    const entries = entriesOf(filter, page.sortBy);
    const [main] = entries;
    const within = (bounds: Bounds, limit: number) => ({
      ...{ orgId, ...filter, ...createdBetween(filter, page, bounds), limit },
      ...{ aboveAt: bounds.above.at, aboveSeq: bounds.above.seq },
      ...{ belowAt: bounds.below.at, belowSeq: bounds.below.seq },
    });
    let rest: Bounds | undefined = boundsOf(filter, page);
    if (isExact(main, filter, page.sortBy)) {
      yield pageOf(shape, entries).all(within(rest, page.limit));
      return;
    }
    const found = new Set<number>();
    for (let ahead = sizes.firstPart; rest; ahead = Math.min(2 * ahead, sizes.largestPart)) {
      const asked = within(rest, page.limit - found.size);
      const end = edge(shape, main).get({ ...asked, ahead });
      const part = end === undefined ? rest : upTo(rest, end, page.order);
      const read = pageOf(shape, entries).all(within(part, asked.limit));
      // Between two parts a command may have moved on to where the search still comes.
      const fresh = read.filter(({ seq }) => !found.has(seq));
      for (const { seq } of fresh) found.add(seq);
      yield fresh;
      if (found.size === page.limit) return;
      rest = end && beyond(rest, end, page.order);
      // Most lists are full by now. Is the rest of this one perhaps so little that it can be sorted?
      const few = rest && ahead === sizes.firstPart ? fewOf(filter, within(rest, 1)) : undefined;
      if (rest && few) {
        const sortedRest = sorted(shape, few).all(within(rest, page.limit - found.size));
        yield sortedRest.filter(({ seq }) => !found.has(seq));
        return;
      }
    }
  };
}

/** Prepares once for each of what it is given. */
function once<Given extends readonly unknown[], T>(
  prepare: (...given: Given) => T,
): (...given: Given) => T {
  const prepared = new Map<string, T>();
  return (...given) => {
    const key = JSON.stringify(given);
    const statement = prepared.get(key) ?? prepare(...given);
    prepared.set(key, statement);
    return statement;
  };
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

/** Before and behind everything: no command has a `seq` of 0. */
const FIRST: Position = { at: Number.MIN_SAFE_INTEGER, seq: 0 };
const LAST: Position = { at: Number.MAX_SAFE_INTEGER, seq: 0 };

/** Where the page lies. SQLite seeks one bound of each side, so of two the narrower is given. */
function boundsOf({ from, to }: CommandFilter, page: Page): Bounds {
  const isByCreation = page.sortBy === "createdAt";
  const above = isByCreation && from !== undefined ? { at: from, seq: 0 } : FIRST;
  const below = isByCreation && to !== undefined ? { at: to, seq: 0 } : LAST;
  if (page.startAfter === undefined) return { above, below };
  const last = { at: page.startAfter[page.sortBy], seq: page.startAfter.seq };
  if (page.order === "asc") return { above: isBefore(above, last) ? last : above, below };
  return { above, below: isBefore(last, below) ? last : below };
}

/** The instants of acceptance between which all of the page lies. */
function createdBetween(
  { from = FIRST.at, to = LAST.at }: CommandFilter,
  { sortBy }: Page,
  { above, below }: Bounds,
): { from: number; to: number } {
  if (sortBy === "updatedAt") return { from, to };
  return { from: above.at, to: Math.min(below.at + 1, LAST.at) };
}

function isBefore(a: Position, b: Position): boolean {
  return a.at < b.at || (a.at === b.at && a.seq < b.seq);
}

/** From where the list goes on to `end`, without that. */
function upTo({ above, below }: Bounds, end: Position, order: Page["order"]): Bounds {
  return order === "asc" ? { above, below: end } : { above: end, below };
}

/** From `end`, with that, on. */
function beyond({ above, below }: Bounds, { at, seq }: Position, order: Page["order"]): Bounds {
  return order === "asc"
    ? { above: { at, seq: seq - 1 }, below }
    : { above, below: { at, seq: seq + 1 } };
}

function shapeOf(filter: CommandFilter, { sortBy, order }: Page): Shape {
  const fields = ["deviceId", "status", "type"] as const;
  return { sortBy, order, equals: fields.filter((field) => filter[field] !== undefined) };
}

/** Where to read in the order of the list; what is not final has its own index beside the main. */
function entriesOf(
  { deviceId, status, type }: CommandFilter,
  sortBy: Page["sortBy"],
): [Entry, ...Entry[]] {
  if (status !== undefined && !isFinal(status)) return [ENTRIES.unfinished];
  if (sortBy === "updatedAt") {
    const others = status === undefined ? [ENTRIES.unfinished] : [];
    return [ENTRIES.byFinalChange, ...others];
  }
  // The rarest first: most commands are completed, and most are fiscal documents.
  if (status === "failed" || status === "timeout") return [ENTRIES.byFinalStatus];
  if (type !== undefined && !isFiscalDocument(type)) return [ENTRIES.byType];
  if (deviceId !== undefined) return [ENTRIES.byDevice];
  if (type !== undefined) return [ENTRIES.byType];
  return status === undefined ? [ENTRIES.byOrg] : [ENTRIES.byFinalStatus];
}

/** True when all that lies there belongs to the list, or when it is little anyway. */
function isExact(entry: Entry, filter: CommandFilter, sortBy: Page["sortBy"]): boolean {
  if (entry === ENTRIES.unfinished) return true;
  const { deviceId, status, type, from, to } = filter;
  const asked = [deviceId, status, type].filter((value) => value !== undefined).length;
  if (sortBy === "updatedAt") return asked === 0 && from === undefined && to === undefined;
  return asked === (entry.field === undefined ? 0 : 1);
}

/** The entries that lead to what one of the filters lets through. */
function filterEntries({ deviceId, status, type, from, to }: CommandFilter): Entry[] {
  const entries: Entry[] = [];
  if (deviceId !== undefined) entries.push(ENTRIES.byDevice);
  if (type !== undefined) entries.push(ENTRIES.byType);
  if (status !== undefined) entries.push(ENTRIES.byFinalStatus);
  if (from !== undefined || to !== undefined) entries.push(ENTRIES.byOrg);
  return entries;
}
