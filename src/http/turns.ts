/**
 * How much one turn of the event loop answers, so that nobody who asks for much keeps the others, and
 * all that is no request, from their turn. A turn is what happens between two polls of the sockets.
 */

import { type AcceptPause, acceptPause } from "../platform/accept-pause.ts";
import { type Clock, systemClock } from "../platform/clock.ts";

/** Requests of one turn after which no connection is accepted any more. */
const REQUESTS_MAX = 64;
/** So long a turn may have taken when that happens: few requests can be slow ones. */
const TURN_MS_MAX = 20;
/** Requests that one connection has answered in one turn, of those that it sent ahead. */
const PIPELINED_MAX = 8;

/** To be told what happens at a port. */
export type WatchedPort = Pick<AcceptPause, "listenersChange" | "close">;

/** Counts what a turn answers. */
export class Turns {
  readonly #clock: Pick<Clock, "elapsed">;
  readonly #afterTurn: (callback: () => void) => void;
  readonly #pauses = new Set<AcceptPause>();
  /** In this turn; 0 before its first request. */
  #requests = 0;
  #startedAt = 0;
  /** The connection that was heard last in this turn, and its requests one after another. */
  #connection: string | undefined;
  #inSuccession = 0;

  /** @param options.afterTurn calls back when the turn is over */
  constructor(options: {
    readonly clock: Pick<Clock, "elapsed">;
    readonly afterTurn: (callback: () => void) => void;
  }) {
    this.#clock = options.clock;
    this.#afterTurn = options.afterTurn;
  }

  /**
   * Counts a request. What a connection sent ahead is parsed without a break, so that only the one
   * that was heard last has to be remembered.
   * @param connection the peer's address and port
   * @returns true when the connection is to be closed after this answer; what it sent ahead beyond
   * that is left unread, and its client knows that it was not carried out
   */
  isLastOf(connection: string): boolean {
    this.#count();
    this.#inSuccession = connection === this.#connection ? this.#inSuccession + 1 : 1;
    this.#connection = connection;
    return this.#inSuccession >= PIPELINED_MAX;
  }

  /** Watches over a port that listens; does nothing where libc cannot be called. */
  watch(port: number): WatchedPort {
    const pause = acceptPause(port);
    if (pause === undefined) return { listenersChange: () => undefined, close: () => undefined };
    this.#pauses.add(pause);
    return {
      listenersChange: () => pause.listenersChange(),
      close: () => {
        if (this.#pauses.delete(pause)) pause.close();
      },
    };
  }

  #count(): void {
    const now = this.#clock.elapsed();
    if (this.#requests === 0) {
      this.#startedAt = now;
      this.#afterTurn(() => this.#end());
    }
    this.#requests += 1;
    if (this.#requests < REQUESTS_MAX && now - this.#startedAt < TURN_MS_MAX) return;
    for (const pause of this.#pauses) pause.pause();
  }

  #end(): void {
    this.#requests = 0;
    this.#connection = undefined;
    for (const pause of this.#pauses) pause.resume();
  }
}

/** Those of this process: it has one event loop. */
export const turns = new Turns({ clock: systemClock, afterTurn: setImmediate });
