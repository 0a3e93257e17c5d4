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
 * Reads a page. Rows that are inserted meanwhile move none of those that the next pages show.
 * @throws ApiError VALIDATION_ERROR when `startAfter` names no row
 */
export async function readPage<Row extends { readonly id: string }, Sort extends string>(
  { limit, startAfter: lastId, sortBy, sortOrder: order }: PageQuery<Sort>,
  { what, find, list, partsMax }: PageSource<Row, Sort>,
): Promise<PageEnd & { readonly rows: readonly Row[] }> {
  const startAfter = lastId === undefined ? undefined : find(lastId);
  if (lastId !== undefined && !startAfter) {
    throw validationError([{ path: "startAfter", message: `Expected the id of a ${what}` }]);
  }
  // One more than asked for tells whether there is more.
  const asked = limit + 1;
  const found: Row[] = [];
  const parts = list({ limit: asked, order, sortBy, startAfter, partsMax });
  let part = parts.next();
  for (; !part.done; part = parts.next()) {
    found.push(...part.value);
    // A search through a long history lets everybody else go on between its parts.
    if (found.length < asked) await nextWorkTurn();
  }
  const searchedTo = part.value;
  if (searchedTo !== undefined) return { rows: found, hasMore: true, lastId: searchedTo };
  const rows = found.slice(0, limit);
  return { rows, hasMore: found.length > limit, lastId: rows.at(-1)?.id ?? "" };
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
