/** The HTTP server without the gateway's modules, for tests of what surrounds routes. */

import type { AnyElysia } from "elysia";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { createHttpServer, type HttpServerOptions } from "../server.ts";

/** An app without routes, on the machine's clock, that logs nothing and is asked for no credential. */
export function bareServer(options: Partial<HttpServerOptions>): AnyElysia {
  return createHttpServer({
    clock: systemClock,
    log: silentLog,
    limits: { globalMax: 100, authMax: 100, commandsMax: 100, windowSeconds: 600 },
    trustProxy: false,
    corsOrigins: [],
    version: "1.2.3",
    authenticate: () => {
      throw new Error("not used");
    },
    requireStanding: () => undefined,
    ready: () => true,
    groups: [],
    ...options,
  });
}
