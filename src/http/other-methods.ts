/**
 * The refusal of methods that a path has no route for: 405, with those that it takes. It is decided
 * where no route was found, by a router of its own over the same paths, which is made when it is asked
 * for the first time: to have it at every start took longer than opening the port.
 */

import type { AnyElysia } from "elysia";
import { ApiError } from "#core/errors.ts";
import { envelope } from "./error-response.ts";

/** What a path takes, as the header `Allow` says it. */
type Allowed = ReadonlyMap<string, string>;

/**
 * Refuses other methods on the paths of an app that has all its routes.
 *
 * Where no route has the method of a path without parameters, the router takes a route whose
 * parameters the path fits. On such paths the app gets the refusal at once.
 * @param create makes the other router, which answers what is on no path at all
 * @returns the answer to a request that the app has no route for
 */
export function refuseOtherMethods(
  app: AnyElysia,
  create: () => AnyElysia,
): (request: Request) => Response | Promise<Response> {
  const paths = new Set(app.routes.map(({ path }) => path));
  const begins = new Set([...paths].filter(hasParameters).map(beginningOf));
  const isTakenElse = (path: string) => begins.values().some((begin) => path.startsWith(begin));
  const early = new Set([...paths].filter((path) => !hasParameters(path) && isTakenElse(path)));
  for (const [path, allow] of allowedIn(app, early)) refuse(app, path, allow);
  let router: AnyElysia | undefined;
  return (request) => {
    router ??= refusing(create(), allowedIn(app, paths));
    return router.fetch(request);
  };
}

function refusing(router: AnyElysia, allowed: Allowed): AnyElysia {
  for (const [path, allow] of allowed) refuse(router, path, allow);
  return router;
}

function refuse(router: AnyElysia, path: string, allow: string): void {
  router.all(path, () => wrongMethod(allow), { detail: { hide: true } });
}

/** What an app's routes on those paths take. */
function allowedIn({ routes }: AnyElysia, paths: ReadonlySet<string>): Allowed {
  const methodsOf = new Map<string, Set<string>>();
  for (const { path, method } of routes) {
    if (!paths.has(path) || method === ANY) continue;
    const methods = methodsOf.get(path) ?? new Set();
    methodsOf.set(path, methods.add(method));
    // It comes with GET.
    if (method === "GET") methods.add("HEAD");
  }
  return new Map([...methodsOf].map(([path, methods]) => [path, [...methods].sort().join(", ")]));
}

/** The refusal itself. @param allow what the path takes */
export function wrongMethod(allow: string): Response {
  const answer = envelope(new ApiError("METHOD_NOT_ALLOWED", `This path takes ${allow}`));
  answer.headers.set("Allow", allow);
  return answer;
}

function hasParameters(path: string): boolean {
  return path.includes(":") || path.includes("*");
}

/** What a path begins with before its first parameter. */
function beginningOf(path: string): string {
  return path.slice(0, path.search(/[:*]/));
}

const ANY = "ALL";
