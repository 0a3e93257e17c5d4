/** Reading through TanStack Query: `useQuery(read("/api/v1/devices"))`. */

import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  QueryClient,
  type QueryClientConfig,
  type QueryKey,
  queryOptions,
} from "@tanstack/react-query";
import { answer, GatewayError, type paths } from "../../client/index.ts";
import { api, isSessionOver } from "./client.ts";
import { forSomebodyElse } from "./session.ts";

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

/** Data that events do not refresh is read again when it is older: by the next page that shows it. */
const FRESH_MS = 60_000;
/** What people change in the settings: no event tells of it, and such a page may stand open for long. */
const SETTINGS = /^\/api\/v1\/(org|billing)(\/|$)/;
const RETRIES = 2;

/**
 * What `useQuery` takes for a path. Everything under one key has the path first: events tell by it
 * what has to be read again.
 */
export function read<Path extends Readable>(path: Path, params?: Params<Path>) {
  return queryOptions<Body<Path>, GatewayError>({
    queryKey: [path, params ?? {}],
    refetchInterval: SETTINGS.test(path) ? FRESH_MS : false,
    queryFn: async ({ signal }) => {
      // The types of the path are what its parameters and its answer are; the client cannot see
      // that while the path is any of them.
      const call = api.GET(path as "/api/v1/org", { params: params as never, signal });
      return (await answer(call)) as Body<Path>;
    },
  });
}

/** A reading that takes longer than this may have no answer, as over a connection that is dead. */
const READING_MS = 15_000;

/**
 * What changes while it is read is read again behind that, for its answer may be of before: for the first
 * time, and upon events. Broken off each time it would never be shown while these come quicker than an
 * answer. A later reading is broken off where somebody waits for how it is now, which the library does by
 * itself.
 */
class Queries extends QueryClient {
  readonly #changedMeanwhile = new WeakSet<Query>();
  readonly #readSince = new WeakMap<Query, number>();

  constructor(config: QueryClientConfig) {
    super(config);
    this.getQueryCache().subscribe((event) => {
      if (event.type !== "updated") return;
      const { query, action } = event;
      if (action.type === "fetch") this.#readSince.set(query, Date.now());
      const isOver =
        action.type === "success" || (action.type === "error" && mayAskAgain(action.error));
      if (!isOver || !this.#changedMeanwhile.delete(query)) return;
      this.changed(({ queryHash }) => queryHash === query.queryHash);
    });
  }

  /** An event tells that what is read so may look different by now. */
  changed(isMeant: (query: Query) => boolean): void {
    const oldest = Date.now() - READING_MS;
    const isShownFirst = (query: Query) =>
      isBeingRead(query) &&
      query.state.data !== undefined &&
      (this.#readSince.get(query) ?? 0) > oldest;
    for (const query of this.getQueryCache().findAll({ predicate: isMeant })) {
      if (isShownFirst(query)) this.#changedMeanwhile.add(query);
    }
    const predicate = (query: Query) => isMeant(query) && !isShownFirst(query);
    void this.invalidateQueries({ predicate });
  }

  override invalidateQueries<Key extends QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    for (const query of this.getQueryCache().findAll(filters)) {
      if (isBeingRead(query) && query.state.data === undefined) this.#changedMeanwhile.add(query);
    }
    return super.invalidateQueries(filters, options);
  }
}

/** Who asks too much asks no more until the time that it was told. */
function mayAskAgain(error: unknown): boolean {
  return !(error instanceof GatewayError && error.status === 429);
}

function isBeingRead({ state: { fetchStatus } }: Query): boolean {
  return fetchStatus === "fetching";
}

/** The data of all pages. */
export const queries = new Queries({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      // The box is in the same room: whether there is an internet says nothing.
      networkMode: "always",
      retry: (failures, error) =>
        failures < RETRIES &&
        error instanceof GatewayError &&
        error.isTemporary &&
        mayAskAgain(error) &&
        !isSessionOver(error),
    },
    mutations: { networkMode: "always", retry: false },
  },
});

forSomebodyElse(() => void queries.resetQueries());
