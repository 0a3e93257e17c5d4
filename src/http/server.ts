/** The HTTP server: what surrounds the routes, in order, and the routes that were given. */

import { type AnyElysia, Elysia } from "elysia";
import { ApiError } from "#core/errors.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { createCors } from "./cors.ts";
import { docsRoutes } from "./docs/docs-routes.ts";
import { createEdge } from "./edge.ts";
import { createErrorResponder, envelope } from "./error-response.ts";
import { createAllowedMethods } from "./known-paths.ts";
import { type Authenticate, mountRoutes } from "./mount.ts";
import { createRateLimits, type RateLimitSettings } from "./rate-limits.ts";
import { pathOf } from "./request-path.ts";
import type { RouteGroup } from "./route.ts";

/**
 * Bun itself ends a request beyond this with a bare 413, before any of our code runs. Bodies are
 * refused at 1 MiB with a documented answer; this only stops what nobody should ever send.
 */
const REQUEST_BYTES_MAX = 64 * 1024 * 1024;
/** Longer than the longest wait a route offers, so that a long poll is not cut. */
const IDLE_SECONDS = 130;

export interface HttpServerOptions {
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  readonly limits: RateLimitSettings;
  /** Take the client's address from `X-Forwarded-For`. */
  readonly trustProxy: boolean;
  readonly corsOrigins: readonly string[];
  /** Of the program, for the OpenAPI document. */
  readonly version: string;
  readonly authenticate: Authenticate;
  /** False while starting and while shutting down: the API then answers 503. */
  readonly ready: () => boolean;
  /** The modules' routes, below `/api/v1`. */
  readonly groups: readonly RouteGroup[];
  /** What is no JSON route: WebSockets (with their whole path), the portal, probes. */
  readonly plugins?: readonly AnyElysia[];
}

/** Builds the app. `handle` answers a request without a socket; `startHttp` opens one. */
export function createHttpServer(options: HttpServerOptions): AnyElysia {
  const { log, clock } = options;
  const respondToError = createErrorResponder(log);
  const edge = createEdge({
    clock,
    log,
    limits: createRateLimits(options.limits, clock),
    cors: createCors(options.corsOrigins),
    trustProxy: options.trustProxy,
    peerAddress: (request) => app.server?.requestIP(request)?.address,
    ready: options.ready,
  });
  const app: AnyElysia = new Elysia({
    // One router for sockets and tests alike: Bun's own would treat some paths differently.
    systemRouter: false,
    serve: { maxRequestBodySize: REQUEST_BYTES_MAX, idleTimeout: IDLE_SECONDS, reusePort: false },
  })
    .wrap((next) => (request: Request) => edge(request, next))
    .onError(({ code, error, request }) => {
      if (code !== "NOT_FOUND") return respondToError(error, request);
      const path = pathOf(request.url);
      const methods = allowedMethods(path);
      return methods.length > 0 ? wrongMethod(methods) : envelope(noSuchPath(path));
    })
    .use(mountRoutes(options.groups, { authenticate: options.authenticate, respondToError }))
    .use(docsRoutes(options.groups, options.version));
  const allowedMethods = createAllowedMethods(() => app.routes);
  for (const plugin of options.plugins ?? []) app.use(plugin);
  return app;
}

function wrongMethod(methods: readonly string[]): Response {
  const allow = methods.join(", ");
  const answer = envelope(new ApiError("METHOD_NOT_ALLOWED", `This path takes ${allow}`));
  answer.headers.set("Allow", allow);
  return answer;
}

function noSuchPath(path: string): ApiError {
  return new ApiError("NOT_FOUND", `There is nothing at ${path.slice(0, 200)}`);
}
