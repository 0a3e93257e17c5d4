/**
 * Events on their way to disk and from there to whoever listens.
 *
 * Other processes write events too, as the command line at the box does beside a running gateway.
 * `catchUp` publishes theirs, each once, as soon as somebody noticed that the database changed.
 */

import type { GatewayEvent, StoredEvent } from "#core/events.ts";
import type { EventRow } from "#db/stores/events.ts";
import type { Stores } from "#db/stores/index.ts";
import type { EventSink } from "#db/writer.ts";
import type { Clock } from "../platform/clock.ts";
import type { Random } from "../platform/random.ts";
import type { EventBus } from "./bus.ts";

export interface EventLogOptions {
  readonly stores: Pick<Stores, "events" | "commands" | "receipts" | "reports">;
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
      if (error instanceof Error && "code" in error && error.code === "SQLITE_ERROR") return true;
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
        const event = this.#told(row);
        if (event) this.#o.bus.publish({ ...row, event });
      }
      if (rows.length < CATCH_UP_ROWS) return;
    }
  }

  /** The event of a row; undefined when what it tells of is gone. */
  #told({ type, orgId, subjectId, data }: EventRow): GatewayEvent | undefined {
    switch (type) {
      case "command.updated":
      case "command.completed":
      case "command.failed":
      case "command.timeout": {
        const command = this.#o.stores.commands.get(orgId, subjectId);
        return command && { type, orgId, command };
      }
      case "report.generated": {
        const report = this.#o.stores.reports.get(orgId, subjectId);
        return report && { type, orgId, report };
      }
      case "receipt.created": {
        const receipt = this.#o.stores.receipts.get(orgId, subjectId);
        return receipt && { type, orgId, receipt };
      }
      case "device.online":
      case "device.offline":
      case "device.updated":
      case "device.released": {
        const { controllerId } = data;
        return {
          type,
          orgId,
          deviceId: subjectId,
          controllerId: typeof controllerId === "string" ? controllerId : null,
        };
      }
      default:
        return type satisfies never;
    }
  }
}

/** What of an event is kept: its subject's row has the rest. */
function storedForm(event: GatewayEvent): Pick<EventRow, "subjectId" | "data"> {
  if ("command" in event) {
    return { subjectId: event.command.id, data: { status: event.command.status } };
  }
  if ("report" in event) return { subjectId: event.report.id, data: {} };
  if ("receipt" in event) return { subjectId: event.receipt.id, data: {} };
  return { subjectId: event.deviceId, data: { controllerId: event.controllerId } };
}
