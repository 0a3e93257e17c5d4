/**
 * What passes on a line that somebody looks at, some of it in one message: each frame in a message of
 * its own would soon be more than the gateway takes of one controller, whose receipts go over the
 * same connection.
 */

import type { ToGateway } from "#core/controller/messages.ts";
import type { TraceEntry } from "#core/device/trace.ts";
import type { Clock } from "../platform/clock.ts";

type TraceEntries = Extract<ToGateway, { type: "trace.entries" }>;

/** Nobody who reads along sees that an entry waited for so long. */
const GATHER_MS = 100;
/** Entries of one message at the most. */
const ENTRIES_MAX = 64;

export interface GatheredEntriesOptions {
  readonly clock: Pick<Clock, "setTimer">;
  send(message: TraceEntries): void;
}

export class GatheredEntries {
  readonly #o: GatheredEntriesOptions;
  /** What waits, by the request of whoever looks. */
  readonly #waiting = new Map<string, TraceEntry[]>();
  #cancelTimer: (() => void) | undefined;

  constructor(options: GatheredEntriesOptions) {
    this.#o = options;
  }

  /** Entries of a line came; what ends a look at it goes at once, behind what waits. */
  take({ requestId, entries, ended, ...message }: TraceEntries): void {
    const all = [...(this.#waiting.get(requestId) ?? []), ...entries];
    if (ended || all.length >= ENTRIES_MAX) {
      this.#waiting.delete(requestId);
      this.#o.send({ ...message, requestId, entries: all, ended });
      return;
    }
    this.#waiting.set(requestId, all);
    this.#cancelTimer ??= this.#o.clock.setTimer(GATHER_MS, () => this.#sendAll());
  }

  /** The connection is over: nobody looks any more. */
  clear(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#waiting.clear();
  }

  #sendAll(): void {
    this.#cancelTimer = undefined;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const [requestId, entries] of waiting) {
      this.#o.send({ type: "trace.entries", requestId, entries, ended: false });
    }
  }
}
