/** Cross-origin calls from browsers: only for the origins that are configured. */

import { BODY_MISMATCH, KEY_IGNORED, REPLAYED } from "./idempotency-headers.ts";

const METHODS = "GET, POST, PUT, PATCH, DELETE";
/** Without `X-Session`: cookies are for this gateway's own pages. */
const REQUEST_HEADERS = [
  ...["Content-Type", "Authorization", "X-Api-Key", "X-Request-Id", "Idempotency-Key"],
  // What a page that reads the events by itself comes again with.
  "Last-Event-ID",
].join(", ");
const ANSWER_HEADERS = [
  ...["X-Request-Id", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "Retry-After"],
  ...[REPLAYED, BODY_MISMATCH, KEY_IGNORED, "WWW-Authenticate", "Allow", "Content-Disposition"],
].join(", ");
const PREFLIGHT_SECONDS = 600;

export interface Cors {
  /** Lets the page at the request's origin read the answer, if it may. */
  allow(request: Request, headers: Headers): void;
  /** The answer to a browser that asks before it calls; undefined when this is no such question. */
  preflight(request: Request): Response | undefined;
}

/** @param origins `https://till.example.com`; empty turns it off */
export function createCors(origins: readonly string[]): Cors {
  const allowed = new Set(origins);
  const isAllowed = (request: Request): boolean => {
    const origin = request.headers.get("origin");
    return origin !== null && allowed.has(origin);
  };
  return {
    allow(request, headers) {
      if (allowed.size === 0) return;
      // The answer differs by origin, so a cache must not hand one origin's to another.
      headers.append("Vary", "Origin");
      if (!isAllowed(request)) return;
      headers.set("Access-Control-Allow-Origin", request.headers.get("origin") ?? "");
      headers.set("Access-Control-Expose-Headers", ANSWER_HEADERS);
    },
    preflight(request) {
      if (request.method !== "OPTIONS" || !isAllowed(request)) return undefined;
      if (!request.headers.has("access-control-request-method")) return undefined;
      return new Response(null, {
        status: 204,
        headers: {
          "Access-Control-Allow-Methods": METHODS,
          "Access-Control-Allow-Headers": REQUEST_HEADERS,
          "Access-Control-Max-Age": String(PREFLIGHT_SECONDS),
        },
      });
    },
  };
}
