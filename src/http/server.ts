/**
 * The HTTP server: what surrounds the routes, in order, and the routes that were given. README.md
 * beside this file says how modules write routes, and what of Elysia is not used and why.
 */

import "./no-forced-collection.ts";
import { type AnyElysia, Elysia, type ElysiaConfig, NotFoundError } from "elysia";
import { ApiError } from "#core/errors.ts";
import { type Clock, systemClock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { AccessLog } from "./access-log.ts";
import { createCors } from "./cors.ts";
import type { Authenticate, RequireStanding } from "./credentials.ts";
import { docsRoutes } from "./docs/docs-routes.ts";
import { openApiDocument } from "./docs/openapi-document.ts";
import type { SentMessage } from "./docs/sent-messages.ts";
import { createEdge } from "./edge.ts";
import { createErrorResponder, type ErrorResponder, envelope } from "./error-response.ts";
import { refuseOtherMethods, wrongMethod } from "./other-methods.ts";
import type { Pages } from "./page-file.ts";
import { createPlainRedirect, type PlainRedirectOptions } from "./plain-redirect.ts";
import { commandQueuing, createRateLimits, type RateLimitSettings } from "./rate-limits.ts";
import { awaitingBodies } from "./request-body.ts";
import type { RequestCounts } from "./request-counts.ts";
import { serverOf } from "./request-server.ts";
import { createRequestSources } from "./request-source.ts";
import { stateOf } from "./request-state.ts";
import { turns } from "./turns.ts";

/**
 * Bun itself ends a request beyond this with a bare 413, before any of our code runs. Bodies are
 * refused at 1 MiB with a documented answer; this only stops what nobody should ever send.
 */
const REQUEST_BYTES_MAX = 64 * 1024 * 1024;
/** A request has to be here, head and body, within this time; an unused connection is closed. */
const ARRIVAL_SECONDS = 30;
/** Longer than the longest wait a route offers, so that a long poll is not cut. */
const ANSWER_SECONDS = 130;

/**
 * A module's routes. What is for different callers stands in a list: of instances within one another
 * Elysia takes each route anew at every level, which is the most expensive thing it does at a start.
 */
export type RouteGroup = AnyElysia | readonly AnyElysia[];

export interface HttpServerOptions {
  readonly clock: Pick<Clock, "elapsed">;
  readonly log: Log;
  /** Whose minutes the access log counts, for tests; the machine's, whose disk it spares. */
  readonly logClock?: Pick<Clock, "setTimer">;
  readonly limits: RateLimitSettings;
  /** Take the client's address from `X-Forwarded-For`. */
  readonly trustProxy: boolean;
  readonly corsOrigins: readonly string[];
  /** Names and addresses of this machine that the system does not know; none unless given. */
  readonly ownNames?: () => readonly string[];
  /** In place of 30, for tests. */
  readonly arrivalSeconds?: number;
  /** Of the program, for the OpenAPI document. */
  readonly version: string;
  readonly authenticate: Authenticate;
  readonly requireStanding: RequireStanding;
  /** Counts what was answered; nothing is counted when absent. */
  readonly counts?: RequestCounts;
  /** False while starting and while shutting down: the API then answers 503. */
  readonly ready: () => boolean;
  /** True once the database holds an older state than clients were told of; never when absent. */
  readonly isOutdated?: () => boolean;
  /** The modules' routes: instances of `access.ts`. */
  readonly groups: readonly RouteGroup[];
  /** What the gateway sends by itself, for the OpenAPI document; nothing unless given. */
  readonly messages?: readonly SentMessage[];
  /** What plain HTTP sends on to HTTPS; nothing when absent. */
  readonly redirect?: Omit<PlainRedirectOptions, "peerAddress"> | undefined;
  /** With their whole paths; what is no JSON route (`detail: { hide: true }`), and probes. */
  readonly plugins?: readonly RouteGroup[];
  /** Answers what no route does, as the web pages do; nothing unless given. */
  readonly pages?: Pages;
}

/** Builds the app. `handle` answers a request without a socket; `startHttp` opens one. */
export function createHttpServer(options: HttpServerOptions): AnyElysia {
  const { log, clock, version, authenticate, requireStanding, ready, trustProxy } = options;
  const { arrivalSeconds = ARRIVAL_SECONDS, isOutdated = () => false, messages = [] } = options;
  const groups = options.groups.flat();
  const respondToError = createErrorResponder(log);
  const peerOf = (request: Request) => serverOf(request, app.server)?.requestIP(request);
  const peerAddress = (request: Request) => peerOf(request)?.address;
  const edge = createEdge({
    ...{ clock, trustProxy, peerOf, turns, ready, isOutdated, authenticate, requireStanding },
    accessLog: new AccessLog({ log, clock: options.logClock ?? systemClock }),
    counts: options.counts,
    limits: createRateLimits(options.limits, {
      clock,
      queuesCommand: commandQueuing(groups.flatMap(({ routes }) => routes)),
      onInvalid: (address, { limit, resetSeconds }) =>
        log.warn(
          "many requests with no valid credential: a till's key that was revoked, or guesses",
          {
            ...{ address, requests: limit, refusedForSeconds: resetSeconds },
          },
        ),
    }),
    redirect: options.redirect && createPlainRedirect({ ...options.redirect, peerAddress }),
    cors: createCors(options.corsOrigins),
    sources: createRequestSources({
      ...{ origins: options.corsOrigins, trustProxy, peerAddress },
      ownNames: options.ownNames ?? (() => []),
    }),
    allowQuiet(request, what) {
      serverOf(request, app.server)?.timeout(
        request,
        what === "answer" ? ANSWER_SECONDS : arrivalSeconds,
      );
    },
  });
  const app: AnyElysia = router(respondToError, (request) => refuseRest(request), {
    serve: { maxRequestBodySize: REQUEST_BYTES_MAX, idleTimeout: arrivalSeconds },
  }).wrap((next) => (request: Request) => edge(request, next));
  const docs = docsRoutes(() => openApiDocument({ routes: app.routes, messages, version }));
  const all = [...groups, docs, ...(options.plugins ?? []).flat()];
  for (const group of all) app.use(awaitingBodies(group));
  const { pages } = options;
  const answerRest: Rest = async (request, path) =>
    (await pages?.(request, path)) ??
    (await pages?.(asGet(request), path).then(refusedMethod)) ??
    envelope(noSuchPath(path));
  const refuseRest = refuseOtherMethods(app, () => router(respondToError, answerRest));
  return app;
}

/** What the same client would open there. */
function asGet({ url, headers }: Request): Request {
  return new Request(url, { headers });
}

/** What is sent to a page is refused as on a route. @param page what is there to be opened */
function refusedMethod(page: Response | undefined): Response | undefined {
  return page && page.status < 400 ? wrongMethod("GET, HEAD") : undefined;
}

/** Answers what a router has no route for. */
type Rest = (request: Request, path: string) => Response | Promise<Response>;

/** Finds routes, and has errors answered. One for sockets and tests alike. */
function router(
  respondToError: ErrorResponder,
  rest: Rest,
  more: Pick<ElysiaConfig<"">, "serve"> = {},
): AnyElysia {
  // Bun's own would treat some paths differently.
  const bare = new Elysia({ ...more, systemRouter: false });
  return (
    bare
      // Elysia waits for what is asynchronous by its form alone.
      .onError(async ({ error, request, path }) =>
        // Not by Elysia's `code`: that is the error's own, where it has one.
        error instanceof NotFoundError ? rest(request, path) : respondToError(error, request),
      )
      // Elysia would read a body before any hook of its route, and split a query at commas: both
      // are left to the schemas of the route, which get the request.
      .onParse(({ request }) => request)
      .derive(({ request, params, path, route }) => {
        stateOf(request).route = route;
        // What is no UTF-8 names nothing. The router hands it on as null.
        const names: readonly unknown[] = Object.values(params ?? {});
        if (names.includes(null)) throw noSuchPath(path);
        return { query: request };
      })
  );
}

function noSuchPath(path: string): ApiError {
  return new ApiError("NOT_FOUND", `There is nothing at ${path.slice(0, 200)}`);
}
