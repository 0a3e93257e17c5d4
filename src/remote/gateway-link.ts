/**
 * The connection to a gateway on another computer: a WebSocket that is opened again whenever it
 * ends, for as long as the controller runs. What is said while there is none is lost; whoever is
 * connected again says how things stand.
 */

import { CLOSE_CODES } from "#core/close-codes.ts";
import {
  CONTROLLER_SUBPROTOCOL,
  type ToController,
  type ToGateway,
} from "#core/controller/messages.ts";
import { isUnreadable, readOrder } from "#core/controller/orders.ts";
import { CONTROLLER_SILENCE_SECONDS } from "#core/limits.ts";
import type { GatewayChannel } from "../controller/channel.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { textsOf } from "./fitting.ts";
import type { GatewayPlace } from "./gateway-place.ts";
import { refusalOf } from "./gateway-requests.ts";
import { GatheredEntries } from "./gathered-entries.ts";

export interface GatewayLinkOptions {
  readonly place: GatewayPlace;
  readonly clock: Pick<Clock, "elapsed" | "setTimer">;
  readonly log: Log;
  /** A random integer in 0..bound-1. */
  random(bound: number): number;
}

/**
 * Waiting before the next attempt: doubled each time between these, and then half of it by chance.
 * A customer may wait for the receipt that stands open.
 */
const RETRY_MS_MIN = 500;
const RETRY_MS_MAX = 5_000;
/** Waiting where nothing will change before somebody has done something. */
const LASTING_MS = 30_000;
/** An attempt that came to nothing for so long is given up. */
const HANDSHAKE_MS = 15_000;
/** How often is looked whether the gateway was heard; it pings more often than that is too long. */
const LOOK_MS = 5_000;
/** Bytes that a gateway has not read: it will not read them any more. */
const UNREAD_BYTES_MAX = 8 * 1024 * 1024;

/** Ends that the next attempt will meet too, unless somebody does something. */
const LASTING: ReadonlyMap<number, string> = new Map([
  [CLOSE_CODES.senseless, "The gateway does not understand this version"],
  [CLOSE_CODES.unauthorized, "The key is no longer valid"],
  [CLOSE_CODES.replaced, "Another controller has connected with the same --id: each needs its own"],
  [CLOSE_CODES.tooMany, "The gateway was told too much at once"],
]);

export class GatewayLink implements GatewayChannel {
  readonly #o: GatewayLinkOptions;
  readonly #lineEntries: GatheredEntries;
  #listener: (message: ToController) => void = () => undefined;
  #socket: WebSocket | undefined;
  #isWelcome = false;
  #heardAt = 0;
  #retryMs = RETRY_MS_MIN;
  #cancelTimer = (): void => undefined;
  /** Logged last, so that the same is not logged again. */
  #trouble: string | undefined;
  #isStopped = false;

  constructor(options: GatewayLinkOptions) {
    this.#o = options;
    const { clock } = options;
    this.#lineEntries = new GatheredEntries({ clock, send: (message) => this.#send(message) });
  }

  listen(listener: (message: ToController) => void): void {
    this.#listener = listener;
  }

  /** True from the gateway's welcome until the connection ends. */
  get isConnected(): boolean {
    return this.#isWelcome;
  }

  /** Opens the connection, and keeps it open from then on. */
  start(): void {
    this.#connect();
  }

  send(message: ToGateway): void {
    if (!this.#isWelcome) return;
    if (message.type === "trace.entries") this.#lineEntries.take(message);
    else this.#send(message);
  }

  /** Ends the connection for good. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer();
    const socket = this.#socket;
    this.#socket = undefined;
    this.#isWelcome = false;
    this.#lineEntries.clear();
    socket?.close(CLOSE_CODES.goingAway, "The controller stops");
  }

  #send(message: ToGateway): void {
    const socket = this.#socket;
    if (!socket || !this.#isWelcome) return;
    for (const text of textsOf(message)) socket.send(text);
    if (socket.bufferedAmount > UNREAD_BYTES_MAX) this.#lost(socket, "The gateway reads nothing");
  }

  #connect(): void {
    const { place, clock } = this.#o;
    const socket = new WebSocket(place.connectUrl, {
      protocols: [CONTROLLER_SUBPROTOCOL],
      headers: place.headers,
      ...(place.tls === undefined ? {} : { tls: place.tls }),
    });
    this.#socket = socket;
    this.#heardAt = clock.elapsed();
    let isOpen = false;
    socket.addEventListener("open", () => {
      isOpen = true;
    });
    socket.addEventListener("message", ({ data }) => this.#hear(socket, data));
    // Why a handshake failed is not told here; the end that follows asks.
    socket.addEventListener("error", () => undefined);
    socket.addEventListener("close", ({ code, reason }) => {
      if (isOpen) this.#lost(socket, reason || `The connection ended with ${code}`, code);
      else this.#unopened(socket);
    });
    this.#cancelTimer = clock.setTimer(HANDSHAKE_MS, () => {
      if (!this.#isWelcome) this.#lost(socket, "The gateway did not answer in time");
    });
  }

  #hear(socket: WebSocket, data: unknown): void {
    if (this.#socket !== socket) return;
    this.#heardAt = this.#o.clock.elapsed();
    const order = readOrder(String(data));
    if (isUnreadable(order)) {
      this.#o.log.warn("message of the gateway passed over", { fault: order.fault });
      return;
    }
    if (order.type === "welcome") this.#welcomed(socket);
    if (order.type === "error") {
      this.#o.log.warn("the gateway did not take a message", {
        code: order.code,
        reason: order.message,
      });
    }
    try {
      this.#listener(order);
    } catch (error) {
      this.#o.log.error("message of the gateway not carried out", { type: order.type, error });
    }
  }

  #welcomed(socket: WebSocket): void {
    this.#isWelcome = true;
    this.#retryMs = RETRY_MS_MIN;
    this.#trouble = undefined;
    this.#o.log.info("connected to the gateway", { gateway: this.#o.place.origin });
    this.#watch(socket);
  }

  /** Ends a connection on which the gateway has fallen silent. */
  #watch(socket: WebSocket): void {
    const { clock } = this.#o;
    this.#cancelTimer();
    this.#cancelTimer = clock.setTimer(LOOK_MS, () => {
      const silentMs = clock.elapsed() - this.#heardAt;
      if (silentMs < CONTROLLER_SILENCE_SECONDS * 1_000) this.#watch(socket);
      else this.#lost(socket, "Nothing was heard of the gateway");
    });
  }

  /** The gateway refused the connection, or there is none at its address: asks which. */
  #unopened(socket: WebSocket): void {
    if (this.#socket !== socket) return;
    void refusalOf(this.#o.place).then((reason) => this.#lost(socket, reason));
  }

  #lost(socket: WebSocket, reason: string, code = 0): void {
    if (this.#socket !== socket || this.#isStopped) return;
    this.#socket = undefined;
    this.#isWelcome = false;
    this.#lineEntries.clear();
    this.#cancelTimer();
    socket.terminate();
    const lasting = LASTING.get(code);
    const trouble = lasting ?? reason;
    if (trouble !== this.#trouble) {
      this.#trouble = trouble;
      this.#o.log.warn("not connected to the gateway", { reason: trouble });
    }
    const waitMs = lasting === undefined ? this.#nextWait() : LASTING_MS;
    this.#cancelTimer = this.#o.clock.setTimer(waitMs, () => this.#connect());
  }

  /** Controllers that lost the same gateway do not come back at the same moment. */
  #nextWait(): number {
    const half = this.#retryMs / 2;
    this.#retryMs = Math.min(2 * this.#retryMs, RETRY_MS_MAX);
    return half + this.#o.random(half + 1);
  }
}
