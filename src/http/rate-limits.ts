/** The buckets, and which of them a request counts against. */

import { ApiError } from "#core/errors.ts";
import type { Clock } from "../platform/clock.ts";
import type { Caller } from "./credentials.ts";
import type { ListedRoute } from "./listed-route.ts";
import { RateLimiter, type RateState } from "./rate-limiter.ts";
import { API_PREFIX } from "./request-path.ts";

/** Requests per window of each bucket. */
export interface RateLimitSettings {
  readonly globalMax: number;
  readonly authMax: number;
  readonly commandsMax: number;
  readonly windowSeconds: number;
}

/** So much of an API key tells one client from another. */
const KEY_CHARACTERS = 20;

const AUTH_PATHS = `${API_PREFIX}/auth/`;

/** True for requests to a route that queues a command. */
export type QueuesCommand = (method: string, path: string) => boolean;

/** Finds them among routes, whose paths are below the API's prefix. */
export function commandQueuing(routes: readonly ListedRoute[]): QueuesCommand {
  const patterns = new Map<string, string[]>();
  for (const { method, path, hooks } of routes) {
    if (hooks.detail?.["x-queues-command"] !== true) continue;
    const known = patterns.get(method) ?? [];
    patterns.set(method, [...known, path.replaceAll(/:[^/]+/g, "[^/]+")]);
  }
  const ofMethod = new Map(
    [...patterns].map(([method, paths]) => [method, new RegExp(`^(${paths.join("|")})/?$`)]),
  );
  // HEAD comes with GET, and runs what GET does.
  return (method, path) => ofMethod.get(method === "HEAD" ? "GET" : method)?.test(path) ?? false;
}

/** What the edge knows of a request when it counts it. */
export interface CountedRequest {
  readonly method: string;
  readonly path: string;
  readonly caller: Caller;
  /** Looked up only when it is needed. */
  readonly address: () => string;
  /** The same; see `RequestSources.isForeignPage`. */
  readonly isForeignPage: () => boolean;
}

type AuthRequest = Pick<CountedRequest, "caller" | "address" | "isForeignPage">;

export interface RateLimits {
  /** Counts a request; the state is that of the bucket which decided, or of the narrowest one. */
  take(request: CountedRequest): RateState;
  /** A request to the authentication routes was no guess: it does not count against their bucket. */
  giveBackAuth(request: AuthRequest): RateState;
  /** A request that came without a credential had a ticket that opens nothing: it counts as invalid. */
  recountInvalid(request: Pick<CountedRequest, "address">): RateState;
  /** The state of an address in the global bucket, without counting. */
  peek(address: string): RateState;
}

/** Makes the buckets. */
export function createRateLimits(
  settings: RateLimitSettings,
  options: {
    readonly clock: Pick<Clock, "elapsed">;
    readonly queuesCommand: QueuesCommand;
    /** An address has used up what may come without a valid credential; once in a window. */
    readonly onInvalid?: (address: string, state: RateState) => void;
  },
): RateLimits {
  const { clock, queuesCommand, onInvalid } = options;
  const bucket = (limit: number) =>
    new RateLimiter({ limit, windowSeconds: settings.windowSeconds, clock });
  const buckets = () => ({
    global: bucket(settings.globalMax),
    auth: bucket(settings.authMax),
    commands: bucket(settings.commandsMax),
  });
  const valid = buckets();
  // Apart, and by address: a key that is not valid must neither use up the shop's buckets whose
  // beginning it copies, nor its neighbours' behind one address, nor find fresh ones.
  const invalid = buckets();
  const authOf = ({ caller, isForeignPage }: AuthRequest) =>
    (hasInvalidCredential(caller) || isForeignPage() ? invalid : valid).auth;
  const takeInvalid = (client: string): RateState => {
    const state = invalid.global.take(client);
    if (state.isAllowed && state.remaining === 0) onInvalid?.(client, state);
    return state;
  };
  return {
    take(request) {
      const isInvalid = hasInvalidCredential(request.caller);
      const client = isInvalid ? request.address() : clientOf(request);
      const { commands } = isInvalid ? invalid : valid;
      const state = isInvalid ? takeInvalid(client) : valid.global.take(client);
      if (!state.isAllowed) return state;
      if (mayGuess(request)) return authOf(request).take(request.address());
      return queuesCommand(request.method, request.path) ? commands.take(client) : state;
    },
    recountInvalid({ address }) {
      valid.global.giveBack(address());
      return takeInvalid(address());
    },
    giveBackAuth: (request) => authOf(request).giveBack(request.address()),
    peek: (address) => valid.global.peek(address),
  };
}

/**
 * True for the authentication routes, but for what reads there without a credential: it guesses at
 * nothing, and any page on the web can have a browser in the shop ask it.
 */
function mayGuess({ method, path, caller }: CountedRequest): boolean {
  if (!path.startsWith(AUTH_PATHS)) return false;
  return !(caller.kind === "nobody" && (method === "GET" || method === "HEAD"));
}

/** What went wrong while a credential was checked says nothing about the credential. */
function hasInvalidCredential(caller: Caller): boolean {
  return caller.kind === "refused" && caller.error instanceof ApiError;
}

/** The beginning of a valid API key, else the address. */
function clientOf({ caller, address }: CountedRequest): string {
  return caller.kind === "known" && caller.credential.kind === "key"
    ? caller.credential.key.slice(0, KEY_CHARACTERS)
    : address();
}

/** Puts the documented headers on an answer. */
export function setRateHeaders(headers: Headers, state: RateState): void {
  headers.set("RateLimit-Limit", String(state.limit));
  headers.set("RateLimit-Remaining", String(state.remaining));
  headers.set("RateLimit-Reset", String(state.resetSeconds));
}

/** The answer to a request beyond its bucket. */
export function tooManyRequests({ resetSeconds }: RateState): Response {
  return rateLimited(
    "Too many requests: wait as long as Retry-After says and try again",
    resetSeconds,
  );
}

/** The 429: flat by contract, unlike every other error. */
export function rateLimited(message: string, retryAfterSeconds: number): Response {
  return Response.json(
    { code: "RATE_LIMIT_EXCEEDED", message, status: 429 },
    { status: 429, headers: { "Retry-After": String(retryAfterSeconds) } },
  );
}
