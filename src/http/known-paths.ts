/** Tells a wrong method on a known path from a path nobody knows. */

/** A route as the app knows it. */
interface KnownRoute {
  readonly method: string;
  readonly path: string;
}

/**
 * Finds the methods of a path; made when it is first needed, which is on the way to a refusal.
 * @param routes every route of the app
 * @returns the methods, sorted, to a path; empty when nobody knows the path
 */
export function createAllowedMethods(
  routes: () => readonly KnownRoute[],
): (path: string) => readonly string[] {
  let known: { pattern: RegExp; methods: readonly string[] }[] | undefined;
  return (path) => {
    known ??= routes().map((route) => ({
      pattern: patternOf(route.path),
      methods: methodsOf(route.method),
    }));
    const methods = known.filter(({ pattern }) => pattern.test(path)).flatMap((k) => k.methods);
    return [...new Set(methods)].sort();
  };
}

/** Parameters stand for one part of a path, a star for the rest of it. */
function patternOf(path: string): RegExp {
  const parts = path.split("/").map((part) => {
    if (part.startsWith(":")) return part.endsWith("?") ? "[^/]*" : "[^/]+";
    return part === "*" ? ".*" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("/")}/?$`);
}

function methodsOf(method: string): readonly string[] {
  if (method === "GET") return ["GET", "HEAD"];
  // A WebSocket begins as a GET.
  if (method === "WS") return ["GET"];
  return method === "ALL" ? [] : [method];
}
