/**
 * Events on their way to disk and from there to whoever listens.
 *
 * Other processes write events too, as the command line at the box does beside a running gateway.
 * `catchUp` publishes theirs, each once, as soon as somebody noticed that the database changed.
 */

import type { GatewayEvent, StoredEvent } from "#core/events.ts";
import type { Stores } from "#db/stores/index.ts";
import type { EventSink } from "#db/writer.ts";
import type { Clock } from "../platform/clock.ts";
import type { Random } from "../platform/random.ts";
import { errorCode } from "../platform/thrown.ts";
import type { EventBus } from "./bus.ts";
import { type EventSubjects, storedEvent, storedForm } from "./stored-form.ts";

export interface EventLogOptions {
  readonly stores: Pick<Stores, "events"> & EventSubjects;
  readonly bus: EventBus;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
}

/** Rows that are read at once. */
const CATCH_UP_ROWS = 500;

export class EventLog implements EventSink {
  readonly #o: EventLogOptions;
  /** Of the newest event that this process published or left behind. */
  #lastSeq: number;
  /** Events of other processes below it, as ranges of `seq`, both ends included. */
  #skipped: (readonly [first: number, last: number])[] = [];

  /** Begins behind what is stored: nobody listened when that happened. */
  constructor(options: EventLogOptions) {
    this.#o = options;
    this.#lastSeq = options.stores.events.lastSeq();
  }

  store(event: GatewayEvent): StoredEvent {
    const { stores, clock, random } = this.#o;
    const id = random.id("evt");
    const createdAt = clock.now();
    const { type, orgId } = event;
    const seq = stores.events.insert({ id, orgId, type, createdAt, ...storedForm(event) });
    return { seq, id, createdAt, event };
  }

  publish(stored: StoredEvent): void {
    if (stored.seq > this.#lastSeq + 1) this.#skipped.push([this.#lastSeq + 1, stored.seq - 1]);
    this.#lastSeq = Math.max(this.#lastSeq, stored.seq);
    this.#o.bus.publish(stored);
  }

  /**
   * True when the newest event that this process knows of is gone: somebody put back an older state.
   * @throws the database's error, but for a database that has no events at all
   */
  haveGoneBack(): boolean {
    try {
      return this.#o.stores.events.lastSeq() < this.#lastSeq;
    } catch (error) {
      // As for a table that is not there.
      if (errorCode(error) === "SQLITE_ERROR") return true;
      throw error;
    }
  }

  /** Publishes what other processes stored. */
  catchUp(): void {
    const skipped = this.#skipped;
    this.#skipped = [];
    for (const [first, last] of skipped) this.#publishStored(first, last);
    this.#publishStored(this.#lastSeq + 1, Number.MAX_SAFE_INTEGER);
  }

  #publishStored(first: number, last: number): void {
    for (let from = first; from <= last; ) {
      const rows = this.#o.stores.events.listAfter(from - 1, CATCH_UP_ROWS);
      for (const row of rows) {
        if (row.seq > last) return;
        from = row.seq + 1;
        this.#lastSeq = Math.max(this.#lastSeq, row.seq);
        const stored = storedEvent(row, this.#o.stores);
        if (stored) this.#o.bus.publish(stored);
      }
      if (rows.length < CATCH_UP_ROWS) return;
    }
  }
}
