/**
 * The outermost layer: what happens to every request before and after its route, whether there is
 * one or not: request id, count, refusals that need no route, and on the way out the headers that
 * every answer carries and the access-log line.
 */

import { ApiError, validationError } from "#core/errors.ts";
import type { Clock } from "../platform/clock.ts";
import type { AccessLog } from "./access-log.ts";
import { countedAddress, forwardedAddress, wholeAddress } from "./client-address.ts";
import type { Cors } from "./cors.ts";
import { type Authenticate, type Caller, callerOf, type RequireStanding } from "./credentials.ts";
import { envelope } from "./error-response.ts";
import type { PlainRedirect } from "./plain-redirect.ts";
import type { RateState } from "./rate-limiter.ts";
import { type RateLimits, setRateHeaders, tooManyRequests } from "./rate-limits.ts";
import type { RequestCounts } from "./request-counts.ts";
import { requestIdOf, setRequestId } from "./request-id.ts";
import { API_PREFIX, fixUrl, isApiPath, isProbe, pathOf } from "./request-path.ts";
import type { RequestSources } from "./request-source.ts";
import { beginRequest, stateOf } from "./request-state.ts";
import { takeNoLength } from "./streamed-head.ts";
import type { Turns } from "./turns.ts";
import { changes, isWhole } from "./whole-request.ts";

export interface EdgeOptions {
  readonly clock: Pick<Clock, "elapsed">;
  readonly accessLog: AccessLog;
  readonly limits: RateLimits;
  readonly cors: Cors;
  readonly trustProxy: boolean;
  /** Who is at the socket's other end: null when gone, undefined where there is no socket. */
  readonly peerOf: (request: Request) => Peer | null | undefined;
  readonly turns: Turns;
  /** False while starting and while shutting down. */
  readonly ready: () => boolean;
  /** True once what was read may be older than what clients were told: no answer of it leaves. */
  readonly isOutdated: () => boolean;
  readonly authenticate: Authenticate;
  readonly requireStanding: RequireStanding;
  readonly sources: RequestSources;
  readonly counts: RequestCounts | undefined;
  /** Sends requests on to HTTPS where that is on. */
  readonly redirect: PlainRedirect | undefined;
  /** Sets how long the connection of a request may still be quiet before it is closed. */
  readonly allowQuiet: (request: Request, what: "arrival" | "answer") => void;
}

/** The rest of the app: routes and their errors. Undefined when a WebSocket took the request. */
export type NextLayer = (request: Request) => unknown;

/** Handles one request with everything around it. */
export type Edge = (request: Request, next: NextLayer) => MaybeAsync<Response | undefined>;

type MaybeAsync<T> = T | Promise<T>;

interface Peer {
  readonly address: string;
  readonly port: number;
}

/** One request as it came. */
interface Arrival {
  readonly request: Request;
  readonly peer: Peer | undefined;
  /** The connection ends with the answer. */
  readonly isLast: boolean;
}

/** One request on its way through. */
interface Visit extends Arrival {
  readonly path: string;
  readonly isProbe: boolean;
  readonly startedAt: number;
  readonly id: string;
  readonly caller: Caller;
  /** As limits count by it. */
  readonly address: () => string;
  readonly isForeignPage: () => boolean;
  /** Undefined outside of the API, where nothing is counted. */
  readonly rate: RateState | undefined;
  /** See `RequestState`. */
  readonly added: Headers;
}

/** Makes the layer. */
export function createEdge(options: EdgeOptions): Edge {
  const pass = (arrival: Arrival, caller: Caller, next: NextLayer) => {
    const { request } = arrival;
    const visit = arrive(options, arrival, caller);
    const answer = refuse(options, visit) ?? begin(request, next);
    if (!(answer instanceof Promise)) return leave(options, visit, answer);
    // A body that comes with what only reads is read by nobody, and so nobody tells when it is here.
    if (!changes(request.method) || !hasBody(request)) options.allowQuiet(request, "answer");
    return answer.then((response) => {
      // The next request on this connection has to arrive in time too.
      options.allowQuiet(request, "arrival");
      return leave(options, visit, response);
    });
  };
  return (request, next) => {
    const peer = options.peerOf(request);
    const arrival = { request, peer: peer ?? undefined, isLast: isLast(options.turns, peer) };
    const caller = callerOf(request.headers, options.authenticate);
    return caller instanceof Promise
      ? caller.then((found) => pass(arrival, found, next))
      : pass(arrival, caller, next);
  };
}

/** A change begins when it is known to have come as a whole; what waits for its body looks by itself. */
function begin(request: Request, next: NextLayer): unknown {
  if (!changes(request.method) || hasBody(request)) return next(request);
  return isWhole(request).then((isHere) => (isHere ? next(request) : goneAnswer()));
}

/**
 * True when the connection is to end with the answer: it had its share of the turn, or its client has
 * gone, and what that had sent ahead would still be parsed and answered one by one.
 */
function isLast(turns: Turns, peer: Peer | null | undefined): boolean {
  return peer === null || (peer !== undefined && turns.isLastOf(`${peer.address} ${peer.port}`));
}

/** Nobody reads it. */
function goneAnswer(): Response {
  return new Response(null, { status: 400, headers: { Connection: "close" } });
}

/** Gives the request its id and counts it. */
function arrive(options: EdgeOptions, arrival: Arrival, caller: Caller): Visit {
  const { request } = arrival;
  fixUrl(request);
  const path = pathOf(request.url);
  const probe = isProbe(path);
  const client = () => clientAddress(options, arrival);
  const address = () => countedAddress(client());
  const isForeignPage = () => options.sources.isForeignPage(request);
  let rate: RateState | undefined;
  if (isApiPath(path)) {
    rate = probe
      ? options.limits.peek(address())
      : options.limits.take({ method: request.method, path, caller, address, isForeignPage });
  }
  const id = requestIdOf(request);
  const added = new Headers();
  const bodyArrived = () => options.allowQuiet(request, "answer");
  beginRequest(request, {
    id,
    caller,
    isTicketRefused: false,
    address: () => wholeAddress(client()),
    bodyArrived,
    sources: options.sources,
    requireStanding: options.requireStanding,
    requireStill: undefined,
    added,
    route: undefined,
    complete: (headers) => complete(options.cors, { request, id, rate, added }, headers),
  });
  const startedAt = options.clock.elapsed();
  return {
    ...arrival,
    path,
    isProbe: probe,
    startedAt,
    id,
    caller,
    address,
    isForeignPage,
    rate,
    added,
  };
}

/** True when more of the request than its head is to come, or came with it. */
function hasBody({ headers }: Request): boolean {
  // "00" says that there is none, too.
  return headers.has("transfer-encoding") || Number(headers.get("content-length") ?? 0) !== 0;
}

/**
 * True where a proxy in front may have taken another name for the host than we do. Bun joins headers
 * of one name by commas, and no host has one.
 */
function hasSeveralHosts({ headers }: Request): boolean {
  return headers.get("host")?.includes(",") === true;
}

/** True where a length is given twice, also the same one: another on the way may read it otherwise. */
function hasSeveralLengths({ headers }: Request): boolean {
  return headers.get("content-length")?.includes(",") === true;
}

/**
 * True for a request whose connection ends with the answer, whatever that is: another on the way may
 * take what comes behind it for something else.
 */
function endsConnection(request: Request): boolean {
  return request.method === TUNNEL || hasSeveralHosts(request) || hasSeveralLengths(request);
}

/** True for what reads or changes the state. */
function isOfApi(visit: Visit): visit is Visit & { readonly rate: RateState } {
  return !visit.isProbe && visit.rate !== undefined;
}

/** The answer to a request that goes no further; undefined lets it through. */
function refuse({ cors, ready, redirect }: EdgeOptions, visit: Visit): Response | undefined {
  if (visit.rate?.isAllowed === false && !visit.isProbe) return tooManyRequests(visit.rate);
  if (visit.request.method === TUNNEL) return noTunnel();
  if (hasSeveralHosts(visit.request)) return envelope(SEVERAL_HOSTS);
  if (hasSeveralLengths(visit.request)) return envelope(SEVERAL_LENGTHS);
  const moved = redirect?.(visit.request, visit.path);
  if (moved !== undefined || !isOfApi(visit)) return moved;
  return cors.preflight(visit.request) ?? (ready() ? undefined : envelope(NOT_READY));
}

/** Completes the answer's headers and writes the access-log line. */
function leave(options: EdgeOptions, visit: Visit, given: unknown): Response | undefined {
  const isWithheld = given instanceof Response && isOfApi(visit) && options.isOutdated();
  const recounted = recountOf(options, visit);
  const refusal = recounted?.isAllowed === false ? tooManyRequests(recounted) : undefined;
  const answer = refusal ?? (isWithheld ? envelope(NOT_READY) : given);
  const status = statusOf(visit.request, answer);
  const ms = Math.round(options.clock.elapsed() - visit.startedAt);
  const { method } = visit.request;
  if (!visit.isProbe) {
    options.accessLog.write(visit.caller, visit.address, {
      ...{ method, path: visit.path, status, ms, requestId: visit.id },
      orgId: visit.caller.kind === "known" ? visit.caller.principal.orgId : undefined,
    });
  }
  options.counts?.add({ method, route: stateOf(visit.request).route, status, ms });
  if (!(answer instanceof Response)) return undefined;
  // Each page of the portal that is opened renews its session: who has one guesses at nothing.
  const isGivenBack = isRenewal(visit, answer);
  const rate = isGivenBack ? options.limits.giveBackAuth(visit) : (recounted ?? visit.rate);
  takeNoLength(answer);
  complete(options.cors, { ...visit, rate }, answer.headers);
  return visit.isLast || endsConnection(visit.request) ? ending(answer) : answer;
}

/** What asks for a connection to somewhere else takes us for a proxy. */
function noTunnel(): Response {
  const answer = envelope(NO_PROXY);
  answer.headers.set("Allow", "");
  return answer;
}

/** The connection ends with it. */
function ending(answer: Response): Response {
  answer.headers.set("Connection", "close");
  return answer;
}

/** Where a client stands whose ticket opens nothing, which shows only when it is looked up. */
function recountOf({ limits }: EdgeOptions, visit: Visit): RateState | undefined {
  return stateOf(visit.request).isTicketRefused ? limits.recountInvalid(visit) : undefined;
}

/** True for a session that was renewed by its cookie. */
function isRenewal({ path }: Visit, answer: Response): boolean {
  return path === RENEWAL_PATH && answer.status === 200 && answer.headers.has("set-cookie");
}

/** Sets what every answer carries. */
function complete(
  cors: Cors,
  { request, id, rate, added }: Pick<Visit, "request" | "id" | "rate" | "added">,
  headers: Headers,
): void {
  for (const [name, value] of added) headers.set(name, value);
  setRequestId(headers, id);
  // Answers hold tokens and a shop's sales: nothing on the way may keep them.
  if (!headers.has(CACHING)) headers.set(CACHING, "no-store");
  if (rate !== undefined) setRateHeaders(headers, rate);
  cors.allow(request, headers);
}

/** What was answered; an upgrade that succeeded was answered by the server itself. */
function statusOf(request: Request, answer: unknown): number {
  if (!(answer instanceof Response)) return SWITCHING_PROTOCOLS;
  const isUpgrade = answer.status === 200 && request.headers.get("upgrade") === "websocket";
  return isUpgrade ? SWITCHING_PROTOCOLS : answer.status;
}

/** As it was given, by the socket or by the proxy that is trusted. */
function clientAddress(
  { trustProxy }: EdgeOptions,
  { request, peer }: Arrival,
): string | undefined {
  const forwarded = trustProxy ? forwardedAddress(request.headers) : undefined;
  return forwarded ?? peer?.address;
}

const RENEWAL_PATH = `${API_PREFIX}/auth/refresh`;
const CACHING = "Cache-Control";
const SWITCHING_PROTOCOLS = 101;
const TUNNEL = "CONNECT";
const NO_PROXY = new ApiError("METHOD_NOT_ALLOWED", "This is no proxy: CONNECT leads nowhere");
const SEVERAL_HOSTS = validationError([
  { path: "headers.host", message: "Expected one Host header with one name" },
]);
const SEVERAL_LENGTHS = validationError([
  { path: "headers.content-length", message: "Expected one Content-Length header" },
]);
const NOT_READY = new ApiError(
  "SERVICE_UNAVAILABLE",
  "The gateway is starting, shutting down or without its database, see /health: try again later",
);
