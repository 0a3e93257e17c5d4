/**
 * A list that is loaded page by page as its reader goes down, and that events do not move: what is
 * new is counted, and comes when it is asked for. Rows in sight are shown as they are now.
 */

import {
  type InfiniteData,
  keepPreviousData,
  type UseQueryOptions,
  type UseQueryResult,
  useInfiniteQuery,
  useQueries,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import type { components, GatewayError } from "../../client/index.ts";
import { type Body, type Params, queries, read } from "../api/queries.ts";
import { rowAlone } from "./row-alone.ts";

/** Lists that are newest first and are paged by `startAfter`. */
interface Lists {
  readonly "/api/v1/alerts": components["schemas"]["AlertPeriod"];
  readonly "/api/v1/receipts": components["schemas"]["Receipt"];
  readonly "/api/v1/commands": components["schemas"]["Command"];
  readonly "/api/v1/audit": components["schemas"]["AuditEntry"];
}
type Listed = keyof Lists;
type Filter<Path extends Listed> = Params<Path> extends { query?: infer Query } ? Query : never;
type ListPage = Body<Listed>;
type Loaded = InfiniteData<ListPage, string | undefined>;

const PAGE_ROWS = 50;

/** @param filter without the place in the list */
export function useEndless<Path extends Listed>(path: Path, filter: Filter<Path>) {
  const cache = useQueryClient();
  const { key, pages, head, again, look } = usePages<Path>(path, filter);
  const { data: loadedPages, isPlaceholderData } = pages;
  const { data: headPage } = head;
  // Once for each page that comes: a long list is drawn more often than that.
  const { rows, freshCount } = useMemo(() => {
    const latest = rowsOf<Path>(headPage);
    const loaded = (loadedPages?.pages ?? []).flatMap((page) => rowsOf<Path>(page));
    if (loaded.length === 0) return { rows: latest, freshCount: 0 };
    return {
      rows: withLatest(loaded, [...again, ...latest]),
      freshCount: isPlaceholderData ? 0 : countFresh(loaded, latest),
    };
  }, [loadedPages, headPage, again, isPlaceholderData]);
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
    rows,
    /** How many have come since, of the head. */
    freshCount,
    /** Nothing of what was there is among what is counted: there may be more. */
    isMoreFresh: freshCount === PAGE_ROWS,
    showFresh,
    /** To be told the keys of the rows that are in the page. */
    look,
    more,
    hasMore: hasNextPage,
    isFailed: isFetchNextPageError,
    again: () => void fetchNextPage(),
  };
}

/** What is read of a list: pages as they are loaded, and those in sight as they are now. */
function usePages<Path extends Listed>(path: Path, filter: Filter<Path>) {
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
    Loaded,
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
  // Events have this one read again, and the pages that are in sight.
  const head = useQuery({ ...pageAt(undefined), enabled: pages.isSuccess });
  const loaded = pages.isPlaceholderData ? undefined : pages.data;
  return { key, pages, head, ...useInSight<Path>(path, { loaded, head: head.data, pageAt }) };
}

interface Loading {
  readonly loaded: Loaded | undefined;
  readonly head: ListPage | undefined;
  /** What reads the page behind a row. */
  readonly pageAt: (startAfter: string) => UseQueryOptions<Body<"/api/v1/receipts">, GatewayError>;
}

/**
 * What somebody looks at and the list's head does not have: its page is read again as that is, and what has
 * left the list's filter by itself. It stays where it is, for nothing is to move under a finger.
 */
function useInSight<Path extends Listed>(path: Path, { loaded, head, pageAt }: Loading) {
  const [starts, setStarts] = useState<readonly string[]>([]);
  const [gone, setGone] = useState<readonly string[]>([]);
  const pages = useQueries({ queries: starts.map(pageAt), combine: answers });
  const alone = useQueries({
    queries: gone.map((id) => rowAlone(path, id)),
    combine: answers,
  });
  const places = useMemo(() => placesOf(loaded), [loaded]);
  const look = useCallback(
    (keys: readonly string[]) => {
      const first = new Set(rowsOf(head).map(({ id }) => String(id)));
      const isMissed = new Set(keys.filter((key) => !first.has(key)));
      const missed = places.filter(({ id }) => isMissed.has(id));
      const pageBehind = new Map(starts.map((start, at) => [start, pages[at]]));
      const isGone = ({ id, start }: Place) => {
        const page = pageBehind.get(start);
        return page !== undefined && !rowsOf(page).some((row) => String(row.id) === id);
      };
      setStarts(unlessSame<readonly string[]>([...new Set(missed.map(({ start }) => start))]));
      setGone(unlessSame<readonly string[]>(missed.filter(isGone).map(({ id }) => id)));
    },
    [places, head, starts, pages],
  );
  const again = useMemo(() => {
    const rows: readonly unknown[] = alone.flatMap((row) => row ?? []);
    // Which of them they are follows from the path.
    return [...(rows as readonly Lists[Path][]), ...pages.flatMap((page) => rowsOf<Path>(page))];
  }, [alone, pages]);
  return { again, look };
}

/** What has answered so far, where it was asked. */
function answers<Data>(results: readonly UseQueryResult<Data>[]): readonly (Data | undefined)[] {
  return results.map(({ data }) => data);
}

/** Keeps the state as it is where the new one has the same content. */
function unlessSame<State>(now: State): (old: State) => State {
  return (old) => (JSON.stringify(old) === JSON.stringify(now) ? old : now);
}

interface Place {
  readonly id: string;
  /** The row that its page is read again behind. */
  readonly start: string;
}

/** Where the rows stand. */
function placesOf(loaded: Loaded | undefined): readonly Place[] {
  return (loaded?.pages ?? []).flatMap((page, at) => {
    const rows = rowsOf(page);
    return rows.map((row) => {
      const id = String(row.id);
      // New rows push the last ones of the first page out of the head; what is behind its own
      // first row stays the same.
      const start = loaded?.pageParams[at] ?? String(rows[0]?.id);
      return { id, start };
    });
  });
}

type Row = { readonly id: string; readonly createdAt?: string; readonly bookedAt?: string };

/** The rows, those that were read again as they are now. */
function withLatest<One extends Row>(
  loaded: readonly One[],
  latest: readonly One[],
): readonly One[] {
  const byId = new Map(latest.map((row) => [row.id, row]));
  return loaded.map((row) => byId.get(row.id) ?? row);
}

/** What was there before the reader came is not news, however late it shows among the first. */
function countFresh(loaded: readonly Row[], latest: readonly Row[]): number {
  const known = new Set(loaded.map(({ id }) => id));
  return latest.filter((row) => !known.has(row.id) && isAfter(row, loaded[0])).length;
}

function isAfter(row: Row, other: Row | undefined): boolean {
  return other === undefined || orderOf(row) >= orderOf(other);
}

/** Alerts are numbered in the order of their list: some are told late. */
function orderOf({ id, createdAt, bookedAt = createdAt }: Row): number {
  return bookedAt === undefined ? Number(id) : Date.parse(bookedAt);
}

function rowsOf<Path extends Listed>(page: ListPage | undefined): readonly Lists[Path][] {
  if (page === undefined) return [];
  // Which of them it is follows from the path.
  return rowsIn(page) as readonly Lists[Path][];
}

function rowsIn(page: ListPage): readonly unknown[] {
  if ("receipts" in page) return page.receipts;
  if ("alerts" in page) return page.alerts;
  return "commands" in page ? page.commands : page.entries;
}
