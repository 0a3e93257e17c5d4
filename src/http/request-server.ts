/** Which server a request came to, where there is more than one: plain HTTP, and HTTPS. */

import type { AnyElysia } from "elysia";

export type HttpServer = NonNullable<AnyElysia["server"]>;

const servers = new WeakMap<Request, HttpServer | null>();

/** Notes that a request came over HTTPS, and to which server. */
export function cameOverTls(request: Request, server: HttpServer): void {
  servers.set(request, server);
}

/** Notes that a request came through no socket, as in tests of an app that listens besides. */
export function cameWithoutSocket(request: Request): void {
  servers.set(request, null);
}

/** The server of a request. @param plain that of plain HTTP */
export function serverOf(request: Request, plain: HttpServer | null): HttpServer | null {
  const known = servers.get(request);
  return known === undefined ? plain : known;
}

/** True for a request that nobody on the way could read. */
export function isOverTls(request: Request): boolean {
  return (servers.get(request) ?? null) !== null;
}
