/** The three buckets, and which of them a request counts against. */

import type { Clock } from "../platform/clock.ts";
import { API_KEY_START, type Credential } from "./credentials.ts";
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
/** Routes whose purpose is to submit a command. */
const COMMAND_SUBMISSION = new RegExp(
  `^${API_PREFIX}/(commands|devices/[^/]+/commands|receipts/[^/]+/storno)/?$`,
);

/** What the edge knows of a request when it counts it. */
export interface CountedRequest {
  readonly method: string;
  readonly path: string;
  readonly credential: Credential;
  /** Looked up only when it is needed. */
  readonly address: () => string;
}

export interface RateLimits {
  /** Counts a request; the state is that of the bucket which decided, or of the narrowest one. */
  take(request: CountedRequest): RateState;
  /** The global bucket's state, without counting. */
  peek(request: CountedRequest): RateState;
}

/** Makes the buckets. */
export function createRateLimits(
  settings: RateLimitSettings,
  clock: Pick<Clock, "now">,
): RateLimits {
  const bucket = (limit: number) =>
    new RateLimiter({ limit, windowSeconds: settings.windowSeconds, clock });
  const global = bucket(settings.globalMax);
  const auth = bucket(settings.authMax);
  const commands = bucket(settings.commandsMax);
  return {
    take(request) {
      const client = clientOf(request);
      const state = global.take(client);
      if (!state.isAllowed) return state;
      if (request.path.startsWith(AUTH_PATHS)) return auth.take(request.address());
      if (request.method === "POST" && COMMAND_SUBMISSION.test(request.path)) {
        return commands.take(client);
      }
      return state;
    },
    peek: (request) => global.peek(clientOf(request)),
  };
}

/** The beginning of the API key, else the address. */
function clientOf({ credential, address }: CountedRequest): string {
  // What does not even look like a key must not choose its own bucket.
  return credential.kind === "key" && credential.key.startsWith(API_KEY_START)
    ? credential.key.slice(0, KEY_CHARACTERS)
    : address();
}

/** Puts the documented headers on an answer. */
export function setRateHeaders(headers: Headers, state: RateState): void {
  headers.set("RateLimit-Limit", String(state.limit));
  headers.set("RateLimit-Remaining", String(state.remaining));
  headers.set("RateLimit-Reset", String(state.resetSeconds));
}

/** The 429: flat by contract, unlike every other error. */
export function tooManyRequests(state: RateState): Response {
  return Response.json(
    {
      code: "RATE_LIMIT_EXCEEDED",
      message: "Too many requests: wait as long as Retry-After says and try again",
      status: 429,
    },
    { status: 429, headers: { "Retry-After": String(state.resetSeconds) } },
  );
}
