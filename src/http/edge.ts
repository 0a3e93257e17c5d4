/**
 * The outermost layer: what happens to every request before and after its route, whether there is
 * one or not: request id, count, refusals that need no route, and on the way out the headers that
 * every answer carries and the access-log line.
 */

import { ApiError } from "#core/errors.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { countedAddress, forwardedAddress } from "./client-address.ts";
import type { Cors } from "./cors.ts";
import { type Authenticate, credentialOf } from "./credentials.ts";
import { envelope } from "./error-response.ts";
import type { RateState } from "./rate-limiter.ts";
import {
  type CountedRequest,
  type RateLimits,
  setRateHeaders,
  tooManyRequests,
} from "./rate-limits.ts";
import { requestIdOf, setRequestId } from "./request-id.ts";
import { fixUrl, isApiPath, isProbe, pathOf } from "./request-path.ts";
import { beginRequest, type RequestState } from "./request-state.ts";

export interface EdgeOptions {
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  readonly limits: RateLimits;
  readonly cors: Cors;
  readonly trustProxy: boolean;
  /** The peer's address; undefined where there is no socket, as in tests. */
  readonly peerAddress: (request: Request) => string | undefined;
  /** False while starting and while shutting down. */
  readonly ready: () => boolean;
  readonly authenticate: Authenticate;
}

/** The rest of the app: routes and their errors. Undefined when a WebSocket took the request. */
export type NextLayer = (request: Request) => unknown;

/** Handles one request with everything around it. */
export type Edge = (request: Request, next: NextLayer) => MaybeAsync<Response | undefined>;

type MaybeAsync<T> = T | Promise<T>;

/** One request on its way through. */
interface Visit {
  readonly request: Request;
  readonly path: string;
  readonly isProbe: boolean;
  readonly startedAt: number;
  readonly state: RequestState;
  /** Undefined outside of the API, where nothing is counted. */
  readonly rate: RateState | undefined;
}

/** Makes the layer. */
export function createEdge(options: EdgeOptions): Edge {
  return (request, next) => {
    const visit = arrive(options, request);
    const answer = refuse(options, visit) ?? next(request);
    return answer instanceof Promise
      ? answer.then((response) => leave(options, visit, response))
      : leave(options, visit, answer);
  };
}

/** Gives the request its id and counts it. */
function arrive(options: EdgeOptions, request: Request): Visit {
  fixUrl(request);
  const path = pathOf(request.url);
  const probe = isProbe(path);
  let rate: RateState | undefined;
  if (isApiPath(path)) {
    const counted = countedRequest(options, request, path);
    rate = probe ? options.limits.peek(counted) : options.limits.take(counted);
  }
  return {
    request,
    path,
    isProbe: probe,
    startedAt: options.clock.now(),
    state: beginRequest(request, { id: requestIdOf(request), authenticate: options.authenticate }),
    rate,
  };
}

/** The answer to a request that goes no further; undefined lets it through. */
function refuse({ cors, ready }: EdgeOptions, visit: Visit): Response | undefined {
  if (visit.isProbe || visit.rate === undefined) return undefined;
  if (!visit.rate.isAllowed) return tooManyRequests(visit.rate);
  return cors.preflight(visit.request) ?? (ready() ? undefined : envelope(NOT_READY));
}

/** Completes the answer's headers and writes the access-log line. */
function leave(options: EdgeOptions, visit: Visit, answer: unknown): Response | undefined {
  if (!visit.isProbe) logAccess(options, visit, statusOf(visit.request, answer));
  if (!(answer instanceof Response)) return undefined;
  setRequestId(answer.headers, visit.state.id);
  // Answers hold tokens and a shop's sales: nothing on the way may keep them.
  if (!answer.headers.has(CACHING)) answer.headers.set(CACHING, "no-store");
  if (visit.rate !== undefined) setRateHeaders(answer.headers, visit.rate);
  options.cors.allow(visit.request, answer.headers);
  return answer;
}

/** What was answered; an upgrade that succeeded was answered by the server itself. */
function statusOf(request: Request, answer: unknown): number {
  if (!(answer instanceof Response)) return SWITCHING_PROTOCOLS;
  const isUpgrade = answer.status === 200 && request.headers.get("upgrade") === "websocket";
  return isUpgrade ? SWITCHING_PROTOCOLS : answer.status;
}

function countedRequest(options: EdgeOptions, request: Request, path: string): CountedRequest {
  return {
    method: request.method,
    path,
    credential: credentialOf(request.headers),
    address: () =>
      countedAddress(
        (options.trustProxy ? forwardedAddress(request.headers) : undefined) ??
          options.peerAddress(request),
      ),
  };
}

function logAccess({ clock, log }: EdgeOptions, visit: Visit, status: number): void {
  log.info("request", {
    method: visit.request.method,
    path: visit.path,
    status,
    ms: clock.now() - visit.startedAt,
    requestId: visit.state.id,
    orgId: visit.state.orgId,
  });
}

const CACHING = "Cache-Control";
const SWITCHING_PROTOCOLS = 101;
const NOT_READY = new ApiError(
  "SERVICE_UNAVAILABLE",
  "The gateway is starting, shutting down or without its database, see /health: try again later",
);
