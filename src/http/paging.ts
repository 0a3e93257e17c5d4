/**
 * Lists that page. Every one of them takes and answers the same: the parameters of `pagination` in
 * `query.ts`, and `{ <collection>, hasMore, lastId }`.
 *
 *   query: query({ deviceId: text(), ...pagination(["createdAt", "total"]) })
 *
 *   const { rows, ...end } = await readPage(page, {
 *     what: "receipt",
 *     find: (id) => receipts.get(orgId, id),
 *     list: (place) => receipts.list(orgId, filter, place),
 *   });
 *   return { receipts: rows.map(toRecord), ...end };
 */

import { type TArray, type TSchema, Type } from "@sinclair/typebox";
import { validationError } from "#core/errors.ts";
import { nextWorkTurn } from "../platform/work-turns.ts";

/** The page that a request asks for. */
export interface PageQuery<Sort extends string> {
  readonly limit: number;
  /** The `lastId` of the page before; absent for the first one. */
  readonly startAfter: string | undefined;
  readonly sortBy: Sort;
  readonly sortOrder: "asc" | "desc";
}

/** Where the rows come from. */
export interface PageSource<Row, Sort extends string> {
  /** What a row is called, as `command`. */
  readonly what: string;
  /** The organization's row of that id. */
  find(id: string): Row | undefined;
  /** Not for searches with `partsMax`. */
  readonly moving?: Moving<Row, Sort>;
  /** The rows of a page in parts, as `db/stores/list.ts` finds them. */
  list(page: {
    readonly limit: number;
    readonly order: "asc" | "desc";
    readonly sortBy: Sort;
    readonly startAfter: Row | undefined;
    readonly partsMax: number | undefined;
  }): Iterator<readonly Row[], string | undefined>;
  /**
   * Where a search may have to look at the whole history: so many parts for one page. It then ends
   * with fewer rows than asked for, and its `lastId` is the row up to which was searched.
   */
  readonly partsMax?: number;
}

/**
 * An order in which a row moves when it changes. `lastId` then tells where the row stood when it was shown:
 * what lies between that and where it stands by now belongs to the next page.
 */
export interface Moving<Row, Sort extends string> {
  readonly sortBy: Sort;
  /** Its place in that order. */
  at(row: Row): number;
  /** The row as it stood there. */
  standing(row: Row, at: number): Row;
}

/** The parts of a page that one statement reads. */
export function inOnePart<Row>(rows: readonly Row[]): Iterator<readonly Row[], undefined> {
  return (function* () {
    yield rows;
    return undefined;
  })();
}

/** How a page ends. */
export interface PageEnd {
  readonly hasMore: boolean;
  /** Empty on an empty page, but for a search that ended early. */
  readonly lastId: string;
}

/**
 * Reads a page. Rows that are inserted meanwhile move none of those that the next pages show; one that
 * changes in an order that goes by its changes comes again, at its new place.
 * @throws ApiError VALIDATION_ERROR when `startAfter` names no row
 */
export async function readPage<Row extends { readonly id: string }, Sort extends string>(
  { limit, startAfter: lastId, sortBy, sortOrder: order }: PageQuery<Sort>,
  { what, find, list, partsMax, moving }: PageSource<Row, Sort>,
): Promise<PageEnd & { readonly rows: readonly Row[] }> {
  const moves = sortBy === moving?.sortBy ? moving : undefined;
  const placed = moves && placeInId(lastId);
  const startAfter = lastId === undefined ? undefined : find(placed?.id ?? lastId);
  if (lastId !== undefined && !startAfter) {
    throw validationError([{ path: "startAfter", message: `Expected the id of a ${what}` }]);
  }
  // One more than asked for tells whether there is more.
  const asked = limit + 1;
  const found: Row[] = [];
  const behind = startAfter && placed ? moves.standing(startAfter, placed.at) : startAfter;
  const parts = list({ limit: asked, order, sortBy, startAfter: behind, partsMax });
  let part = parts.next();
  for (; !part.done; part = parts.next()) {
    found.push(...part.value);
    // A search through a long history lets everybody else go on between its parts.
    if (found.length < asked) await nextWorkTurn();
  }
  const searchedTo = part.value;
  if (searchedTo !== undefined) return { rows: found, hasMore: true, lastId: searchedTo };
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const at = last && moves ? `${PLACE}${moves.at(last)}` : "";
  return { rows, hasMore: found.length > limit, lastId: last ? last.id + at : "" };
}

/** Between an id and a row's place in an order in which it moves. */
const PLACE = "@";

/** What a `lastId` tells beside the id: where the row stood when it was shown. */
function placeInId(lastId = ""): { readonly id: string; readonly at: number } | undefined {
  const [, id, at] = /^(.+)@(\d{1,15})$/.exec(lastId) ?? [];
  return id === undefined ? undefined : { id, at: Number(at) };
}

/** The number that is a row's id on its pages; 0, which no row has, for what is no such id. */
export function seqOf(id: string): number {
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0;
}

/** The schema of a page, for the OpenAPI document. */
export function pageOf<Name extends string, Row extends TSchema>(collection: Name, row: Row) {
  // An object written with a computed name has any name for the compiler.
  const rows = { [collection]: Type.Array(row) } as Record<Name, TArray<Row>>;
  return Type.Object({
    ...rows,
    hasMore: Type.Boolean(),
    lastId: Type.String({
      description: "For `startAfter` of the next page; empty on an empty one",
    }),
  });
}
