/**
 * A list that is loaded page by page as its reader goes down, and that events do not move: what is
 * new is counted, and comes when it is asked for.
 */

import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useCallback } from "react";
import type { components, GatewayError } from "../../client/index.ts";
import { type Body, type Params, queries, read } from "../api/queries.ts";

/** Lists that are newest first and are paged by `startAfter`. */
interface Lists {
  readonly "/api/v1/receipts": components["schemas"]["Receipt"];
  readonly "/api/v1/commands": components["schemas"]["Command"];
  readonly "/api/v1/audit": components["schemas"]["AuditEntry"];
}
type Listed = keyof Lists;
type Filter<Path extends Listed> = Params<Path> extends { query?: infer Query } ? Query : never;
type ListPage = Body<Listed>;

const PAGE_ROWS = 50;

/** @param filter without the place in the list */
export function useEndless<Path extends Listed>(path: Path, filter: Filter<Path>) {
  const cache = useQueryClient();
  const query = { ...(filter as object), limit: PAGE_ROWS };
  const pageAt = (startAfter: string | undefined) => {
    const params = { query: startAfter === undefined ? query : { ...query, startAfter } };
    // The lists are paged alike; which of them it is, the types of all at once cannot say.
    return read(path as "/api/v1/receipts", params as Params<"/api/v1/receipts">);
  };
  const key = ["pages of", path, query];
  const pages = useInfiniteQuery<
    ListPage,
    GatewayError,
    InfiniteData<ListPage, string | undefined>,
    readonly unknown[],
    string | undefined
  >({
    queryKey: key,
    // Through the cache, so that the first page is not asked for twice.
    queryFn: ({ pageParam }) => queries.fetchQuery(pageAt(pageParam)),
    initialPageParam: undefined,
    getNextPageParam: ({ hasMore, lastId }) => (hasMore ? lastId : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    // Pages that are there stay the same objects; to compare all of them takes longer with each.
    structuralSharing: false,
    placeholderData: keepPreviousData,
  });
  // Events have this one read again, and not the pages that somebody reads.
  const head = useQuery({ ...pageAt(undefined), enabled: pages.isSuccess });

  const latest = new Map(rowsOf<Path>(head.data).map((row) => [row.id, row]));
  const loaded = (pages.data?.pages ?? []).flatMap((page) => rowsOf<Path>(page));
  const known = new Set(loaded.map(({ id }) => id));
  // What was there before the reader came is not news, however late it shows among the first.
  const [newest] = loaded;
  const fresh = pages.isPlaceholderData
    ? []
    : [...latest.values()].filter((row) => !known.has(row.id) && isAfter(row, newest));
  const showFresh = () => {
    if (head.data === undefined) return;
    cache.setQueryData(key, { pages: [head.data], pageParams: [undefined] });
    window.scrollTo(0, 0);
  };

  const { fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError } = pages;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError]);

  return {
    /** For `PageStates`. */
    query: { ...pages, dataUpdatedAt: Math.max(pages.dataUpdatedAt, head.dataUpdatedAt) },
    /** As they are now; in an empty list also what has come since. */
    rows:
      loaded.length === 0 ? [...latest.values()] : loaded.map((row) => latest.get(row.id) ?? row),
    /** How many have come since. */
    freshCount: loaded.length === 0 ? 0 : fresh.length,
    showFresh,
    more,
    hasMore: hasNextPage,
    isFailed: isFetchNextPageError,
    again: () => void fetchNextPage(),
  };
}

type Row = { readonly id: string; readonly createdAt: string; readonly issuedAt?: string };

function isAfter(row: Row, other: Row | undefined): boolean {
  return other === undefined || timeOf(row) >= timeOf(other);
}

function timeOf({ issuedAt, createdAt }: Row): number {
  return Date.parse(issuedAt ?? createdAt);
}

function rowsOf<Path extends Listed>(page: ListPage | undefined): readonly Lists[Path][] {
  if (page === undefined) return [];
  // Which of them it is follows from the path.
  return rowsIn(page) as readonly Lists[Path][];
}

function rowsIn(page: ListPage): readonly unknown[] {
  if ("receipts" in page) return page.receipts;
  return "commands" in page ? page.commands : page.entries;
}
