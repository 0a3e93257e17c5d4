/** The parts of a request's URL, cut out without building a URL object for each request. */

/** Everything of the API is below this path. */
export const API_PREFIX = "/api/v1";

/** The path as it was sent, without the query. */
export function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  if (start === -1) return "/";
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

/** True for the health probes, which are neither logged nor counted. */
export function isProbe(path: string): boolean {
  return PROBE_PATHS.has(path);
}
