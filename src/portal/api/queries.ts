/** Reading through TanStack Query: `useQuery(read("/api/v1/devices"))`. */

import { type Query, QueryClient, queryOptions } from "@tanstack/react-query";
import { answer, GatewayError, type paths } from "../../client/index.ts";
import { api, isSessionOver } from "./client.ts";
import { beforeSomebodyElse } from "./session.ts";

/** Paths that can be read. */
export type Readable = {
  [Path in keyof paths]: paths[Path] extends { get: object } ? Path : never;
}[keyof paths];

type Get<Path extends Readable> = paths[Path] extends { get: infer Operation } ? Operation : never;

/** What stands in the path and behind the question mark. */
export type Params<Path extends Readable> =
  Get<Path> extends { parameters: { path?: infer InPath; query?: infer Query } }
    ? ([InPath] extends [undefined] ? unknown : { readonly path: InPath }) &
        ([Query] extends [undefined] ? unknown : { readonly query?: Query })
    : unknown;

/** The body that is answered. */
export type Body<Path extends Readable> =
  Get<Path> extends { responses: { 200: { content: { "application/json": infer Json } } } }
    ? Json
    : never;

/** Data that events do not refresh is read again when it is older. */
const FRESH_MS = 60_000;
const RETRIES = 2;

/**
 * What `useQuery` takes for a path. Everything under one key has the path first: events tell by it
 * what has to be read again.
 */
export function read<Path extends Readable>(path: Path, params?: Params<Path>) {
  return queryOptions<Body<Path>, GatewayError>({
    queryKey: [path, params ?? {}],
    queryFn: async ({ signal }) => {
      // The types of the path are what its parameters and its answer are; the client cannot see
      // that while the path is any of them.
      const call = api.GET(path as "/api/v1/org", { params: params as never, signal });
      return (await answer(call)) as Body<Path>;
    },
  });
}

/** The data of all pages. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      // The box is in the same room: whether there is an internet says nothing.
      networkMode: "always",
      retry: (failures, error) =>
        failures < RETRIES &&
        error instanceof GatewayError &&
        error.isTemporary &&
        // Who asks too much asks no more until the time that it was told.
        error.status !== 429 &&
        !isSessionOver(error),
    },
    mutations: { networkMode: "always", retry: false },
  },
});

beforeSomebodyElse(() => void queries.resetQueries());

/**
 * What changes while it is read for the first time is read again behind that: its answer may be of
 * before. A later reading is broken off instead, which the library does by itself.
 */
const changedMeanwhile = new WeakSet<Query>();
queries.getQueryCache().subscribe((event) => {
  if (event.type !== "updated") return;
  const { query, action } = event;
  const { data, fetchStatus } = query.state;
  if (action.type === "invalidate" && fetchStatus === "fetching" && data === undefined) {
    changedMeanwhile.add(query);
  }
  if (action.type !== "success" || !changedMeanwhile.delete(query)) return;
  void queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
});
