/**
 * WebSockets: a route is a plain GET that ends in `takeSocket`, so that who may call, what must
 * precede validation and the query are checked as on every other route, before the connection
 * changes over. Elysia's own `.ws` parses whatever looks like JSON, tells nothing of a socket that
 * does not keep up, and answers a refused handshake outside of the one envelope.
 */

import type { ServerWebSocket, WebSocketHandler } from "bun";
import { CLOSE_CODES } from "#core/close-codes.ts";
import { ApiError } from "#core/errors.ts";
import { Allowance, type AllowanceSize } from "../platform/allowance.ts";
import { systemClock } from "../platform/clock.ts";
import { type HttpServer, serverOf } from "./request-server.ts";
import { stateOf } from "./request-state.ts";

/**
 * The longest message that is taken, in bytes; a longer one ends the connection with 1009. The
 * contract's bound of what a controller sends.
 */
export const MESSAGE_BYTES_MAX = 256 * 1024;
/**
 * What may wait for a peer that does not read, in bytes; beyond it Bun would drop messages, so the
 * connection is ended before. Two of the longest messages to a controller.
 */
const WAITING_BYTES_MAX = 2 * 1024 * 1024 + 64 * 1024;
/** The only one there is (RFC 6455, 4.1). */
const VERSION = "13";
/** A peer that answers no ping for so long is gone. Bun sends the pings. */
const SILENCE_SECONDS = 120;

/**
 * Frames that a peer may send, pings and pongs among them; one that sends more is ended. More than a
 * controller may say (`CONTROLLER_MESSAGES`), which is told by its own link.
 */
const FRAMES: AllowanceSize = { burst: 1_200, perSecond: 120 };
/** The same for a peer that has nothing to say. */
export const LISTENER_FRAMES: AllowanceSize = { burst: 60, perSecond: 2 };

/** One open WebSocket, from this side. Nothing it does throws, a closed one included. */
export interface Socket {
  /** Sends a text frame. One that the peer does not take in time ends the connection, 4408. */
  send(text: string): void;
  /** Bytes that wait for the peer to read. */
  waiting(): number;
  /** Sends what waits and ends the connection. @param reason at most 123 bytes */
  close(code: number, reason: string): void;
}

/** What a route does with its socket. */
export interface SocketHandler {
  /** Frames that the peer may send; those that suit a controller unless given. */
  readonly frames?: AllowanceSize;
  opened(socket: Socket): void;
  /** A text frame came. */
  message(text: string): void;
  /** The peer has read all that waited. */
  drained?(): void;
  /** The connection is over; called once, whoever ended it. */
  closed(code: number, reason: string): void;
}

/** What hangs on each socket; the server hands its events on to these. */
export interface SocketEvents {
  open(raw: ServerWebSocket<SocketEvents>): void;
  message(raw: ServerWebSocket<SocketEvents>, text: string | Uint8Array): void;
  ping(raw: ServerWebSocket<SocketEvents>): void;
  pong(raw: ServerWebSocket<SocketEvents>): void;
  drain(raw: ServerWebSocket<SocketEvents>): void;
  close(raw: ServerWebSocket<SocketEvents>, code: number, reason: string): void;
}

/** For the server that serves such routes: what it grants its sockets, and where their events go. */
export const SOCKETS: WebSocketHandler<SocketEvents> = {
  maxPayloadLength: MESSAGE_BYTES_MAX,
  backpressureLimit: WAITING_BYTES_MAX,
  idleTimeout: SILENCE_SECONDS,
  sendPings: true,
  perMessageDeflate: false,
  open: (raw: ServerWebSocket<SocketEvents>) => raw.data.open(raw),
  message: (raw, message) => raw.data.message(raw, message),
  ping: (raw) => raw.data.ping(raw),
  pong: (raw) => raw.data.pong(raw),
  drain: (raw) => raw.data.drain(raw),
  close: (raw, code, reason) => raw.data.close(raw, code, reason),
};

/** The sockets that are open, by the server that took them. */
const openOn = new WeakMap<HttpServer, Set<Socket>>();
/** Those that take none any more. */
const stopped = new WeakSet<HttpServer>();

/**
 * Ends a route's handler: from here on the request is a WebSocket.
 *
 *   .get("/things", (context) => takeSocket(context, thingsFor(context.principal)))
 *
 * @param subprotocol said to a client that offered it; one may offer none at all
 * @throws ApiError BAD_REQUEST for a request that asks for no WebSocket, or for other subprotocols;
 * SERVICE_UNAVAILABLE when the server stops
 */
export function takeSocket(
  {
    request,
    server: plainServer,
  }: { readonly request: Request; readonly server: HttpServer | null },
  handler: SocketHandler,
  subprotocol?: string,
): void {
  const version = request.headers.get("sec-websocket-version") ?? VERSION;
  // Bun would answer by itself, outside of the envelope.
  if (version !== VERSION) {
    throw new ApiError("BAD_REQUEST", `Open this path as a WebSocket of version ${VERSION}`);
  }
  const offered = request.headers.get("sec-websocket-protocol")?.split(",") ?? [];
  const isOffered = offered.some((name) => name.trim() === subprotocol);
  // Bun would answer with the first of them, as if it were spoken here.
  if (offered.length > 0 && !isOffered) {
    const wanted = subprotocol === undefined ? "no subprotocol" : `subprotocol ${subprotocol}`;
    throw new ApiError("BAD_REQUEST", `Open this path with ${wanted}`);
  }
  const headers = new Headers();
  stateOf(request).complete(headers);
  if (subprotocol && isOffered) headers.set("Sec-WebSocket-Protocol", subprotocol);
  const server = serverOf(request, plainServer);
  // It was let in before, and nobody would end it.
  if (server && stopped.has(server)) throw new ApiError("SERVICE_UNAVAILABLE", STOPS);
  const open = server && openSockets(server);
  if (!open || !server.upgrade(request, { data: eventsOf(handler, open), headers })) {
    throw new ApiError("BAD_REQUEST", "Open this path as a WebSocket");
  }
}

/** Tells every peer that the gateway goes, so that it comes again later. No more are taken. */
export function closeSockets(server: HttpServer): void {
  stopped.add(server);
  for (const socket of [...openSockets(server)]) socket.close(CLOSE_CODES.goingAway, STOPS);
}

function openSockets(server: HttpServer): Set<Socket> {
  const open = openOn.get(server) ?? new Set();
  openOn.set(server, open);
  return open;
}

function eventsOf(handler: SocketHandler, open: Set<Socket>): SocketEvents {
  let socket: Socket | undefined;
  // By the machine's own clock: it is the machine's time that the frames take.
  const frames = new Allowance(handler.frames ?? FRAMES, systemClock);
  const takes = (raw: ServerWebSocket<SocketEvents>): boolean => {
    if (raw.readyState !== WebSocket.OPEN) return false;
    if (frames.take()) return true;
    raw.close(CLOSE_CODES.tooMany, "Too many messages");
    // What it sends on is read and thrown away, without a call: Bun waits for its end.
    return false;
  };
  return {
    open(raw) {
      socket = socketOf(raw);
      open.add(socket);
      handler.opened(socket);
    },
    message(raw, given) {
      if (!takes(raw)) return;
      if (typeof given === "string") handler.message(given);
      else raw.close(UNSUPPORTED_DATA, "Only text frames are taken");
    },
    ping: (raw) => void takes(raw),
    pong: (raw) => void takes(raw),
    drain() {
      handler.drained?.();
    },
    close(_, code, reason) {
      if (socket) open.delete(socket);
      handler.closed(code, reason);
    },
  };
}

function socketOf(raw: ServerWebSocket<SocketEvents>): Socket {
  return {
    send(text) {
      // 0: Bun dropped it, because too much waits already.
      if (raw.readyState === WebSocket.OPEN && raw.sendText(text) === 0) {
        raw.close(CLOSE_CODES.slow, "Messages are not read fast enough");
      }
    },
    waiting: () => raw.getBufferedAmount(),
    close(code, reason) {
      if (raw.readyState === WebSocket.OPEN) raw.close(code, reason);
    },
  };
}

const STOPS = "The gateway stops";
const UNSUPPORTED_DATA = 1003;
