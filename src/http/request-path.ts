/** The parts of a request's URL, cut out without building a URL object for each request. */

import { isOverTls } from "./request-server.ts";

/** Everything of the API is below this path. */
export const API_PREFIX = "/api/v1";

/**
 * The router looks for the path from this character of the URL on, which is past the authority of
 * `http://abc` and any longer one.
 */
const ROUTER_STARTS_AT = 11;
const USUAL_HOST = "localhost";

/**
 * Has everything that reads the URL of a request find the target in it that the client sent,
 * whatever its `Host` header says. Bun puts that header into the URL, and gives the bare target
 * where it is absent, as in HTTP/1.0, or no host; the router takes any URL for one with a host.
 */
export function fixUrl(request: Request): void {
  const { url } = request;
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("://") + 3);
  if (start >= ROUTER_STARTS_AT) return;
  // CONNECT names a host and no path.
  const target = start === -1 ? "/" : url.slice(start);
  const scheme = isOverTls(request) ? "https" : "http";
  Object.defineProperty(request, "url", { value: `${scheme}://${USUAL_HOST}${target}` });
}

/** The path of a URL that the router can read, as it was sent, without the query. */
export function pathOf(url: string): string {
  const start = url.indexOf("/", ROUTER_STARTS_AT);
  const end = url.indexOf("?", start);
  return end === -1 ? url.slice(start) : url.slice(start, end);
}

/** The query without its question mark; empty when there is none. */
export function queryOf(url: string): string {
  const start = url.indexOf("?");
  return start === -1 ? "" : url.slice(start + 1);
}

/** True for the API's own paths. */
export function isApiPath(path: string): boolean {
  return path.startsWith(API_PREFIX) && (path.length === API_PREFIX.length || path[7] === "/");
}

const PROBES = ["/health", "/ready", "/healthz", "/livez"] as const;
const PROBE_PATHS: ReadonlySet<string> = new Set(
  PROBES.flatMap((probe) => [probe, `${API_PREFIX}${probe}`]),
);

/** True for the health probes, which are neither logged nor counted; the router takes a slash behind them. */
export function isProbe(path: string): boolean {
  return PROBE_PATHS.has(path.endsWith("/") ? path.slice(0, -1) : path);
}
