/**
 * Events for those who listen: each hears what is its own once, in the order of `seq`, from where it
 * left off. What is on disk is the truth; the bus only saves reading it while everybody keeps up.
 */

import type { StoredEvent } from "#core/events.ts";
import type { EventStore } from "#db/stores/events.ts";
import type { Clock } from "../platform/clock.ts";
import { nextWorkTurn } from "../platform/work-turns.ts";
import type { EventBus } from "./bus.ts";
import type { ToEnvelope } from "./envelope.ts";
import { type EventSubjects, storedEvent } from "./stored-form.ts";

/** Why a listener is not told any more; `failed`: what is stored cannot be read. */
export type FeedEnd = "slow" | "stopped" | "failed";

/** Somebody who listens. Nothing of it may throw. */
export interface Listener {
  readonly orgId: string;
  /** False for what it may not know. */
  covers(event: StoredEvent): boolean;
  /** @param text the envelope as JSON */
  tell(id: string, text: string): void;
  /** Bytes that it has not read yet. */
  waiting(): number;
  /**
   * Nothing more comes; not called when the listener left by itself.
   * @param error of one that failed
   */
  ended(why: FeedEnd, error?: unknown): void;
}

/** One listener's place in the feed. */
export interface Listening {
  /** What waited was read: goes on with what is stored. */
  drained(): void;
  /** The listener is gone. Harmless when called twice. */
  leave(): void;
}

export interface EventFeedOptions {
  readonly events: Pick<EventStore, "listAfter" | "lastSeq">;
  readonly subjects: EventSubjects;
  readonly bus: EventBus;
  readonly clock: Pick<Clock, "setTimer">;
  readonly toEnvelope: ToEnvelope;
}

/** Rows that are read at once for those who are up to date. */
const ROWS = 200;
/** The same for one that catches up: a piece of work, of which each turn of the process does one. */
const PIECE_ROWS = 50;
/** A listener that catches up is told more only while less than this waits, in bytes. */
const CATCH_UP_BYTES = 64 * 1024;
/** One that is up to date is told at once while no more than this waits; then it catches up. */
const LIVE_BYTES = 256 * 1024;
/** One that catches up has to read something of what waits within this time. */
const CATCH_UP_MS = 30_000;
/** Listeners that are told in one turn of the process: a command must not wait until all know of it. */
const TOLD_A_TURN = 8;
/** Events that are being told at most; more than these are told at once, whoever has to wait. */
const UNTOLD_MAX = 1_000;

/** A listener and how far it has been told. */
interface Place {
  readonly listener: Listener;
  /** Everything up to this one was told, or was not for it. */
  seq: number;
  isGone: boolean;
  /** It waits for its next piece. */
  isQueued: boolean;
  /** Cancels the timer of its end when it reads nothing of what waits for it. */
  cancelTimer: (() => void) | undefined;
}

/** An event that is being told. */
interface Telling {
  readonly stored: StoredEvent;
  readonly text: () => string;
  /** Those who were up to date when it came and have not been told. */
  readonly left: Iterator<Place>;
}

export class EventFeed {
  readonly #o: EventFeedOptions;
  /** Of the newest event that those who are up to date were told. */
  #seq: number;
  /** Those who are up to date, by organization. */
  readonly #live = new Map<string, Set<Place>>();
  readonly #behind = new Set<Place>();
  /** Who has yet to be told what, in order. Up to `#seq`, everybody else has been told. */
  #untold: Telling[] = [];
  #unsubscribe: () => void;

  constructor(options: EventFeedOptions) {
    this.#o = options;
    this.#seq = options.events.lastSeq();
    this.#unsubscribe = options.bus.subscribe((stored) => this.#published(stored));
  }

  /**
   * Tells somebody of events from now on.
   * @param after `seq` of the last event that it knows; from now on when undefined
   */
  listen(listener: Listener, after?: number): Listening {
    const place: Place = {
      listener,
      seq: after ?? this.#seq,
      ...{ isGone: false, isQueued: false },
      cancelTimer: undefined,
    };
    if (after === undefined) this.#isUpToDate(place);
    else {
      this.#behind.add(place);
      this.#catchUp(place);
    }
    return {
      drained: () => {
        if (this.#behind.has(place)) this.#catchUp(place);
      },
      leave: () => this.#leave(place),
    };
  }

  /** Tells nobody anything any more, as at shutdown. */
  stop(): void {
    this.#unsubscribe();
    this.#untold = [];
    for (const place of [...this.#behind, ...this.#everybodyLive()]) this.#end(place, "stopped");
  }

  #published(stored: StoredEvent): void {
    // Told already, when a later one was published before it.
    if (stored.seq <= this.#seq) return;
    if (this.#live.size > 0) {
      try {
        // What another process stored meanwhile comes before it.
        for (const row of this.#between(this.#seq, stored.seq)) this.#tellAll(row);
      } catch (error) {
        // Nobody may be left behind without knowing: they come again from where they were.
        for (const place of [...this.#everybodyLive()]) this.#end(place, "failed", error);
      }
    }
    this.#tellAll(stored);
    if (this.#untold.length > UNTOLD_MAX) this.#tell(Number.POSITIVE_INFINITY);
  }

  *#between(after: number, before: number): Generator<StoredEvent> {
    const { events, subjects } = this.#o;
    for (let from = after; from + 1 < before; ) {
      const rows = events.listAfter(from, Math.min(ROWS, before - from - 1));
      for (const row of rows) {
        if (row.seq >= before) return;
        from = row.seq;
        const stored = storedEvent(row, subjects);
        if (stored) yield stored;
      }
      if (rows.length === 0) return;
    }
  }

  #tellAll(stored: StoredEvent): void {
    // Whatever becomes of it: nothing is told twice.
    this.#seq = stored.seq;
    const places = this.#live.get(stored.event.orgId);
    if (!places) return;
    const isAlone = this.#untold.length === 0;
    const left = [...places].values();
    this.#untold.push({ stored, text: this.#textOf(stored), left });
    if (isAlone) this.#tellSome();
  }

  /** Tells as many as have their turn, and the others in turns to come. */
  #tellSome(): void {
    this.#tell(TOLD_A_TURN);
    if (this.#untold.length > 0) setImmediate(() => this.#tellSome());
  }

  #tell(most: number): void {
    for (let told = 0; told < most; told += 1) {
      const [telling] = this.#untold;
      if (!telling) return;
      const { done, value: place } = telling.left.next();
      if (done) this.#untold.shift();
      else this.#tellOne(place, telling);
    }
  }

  #tellOne(place: Place, { stored, text }: Telling): void {
    const { listener } = place;
    if (place.isGone || this.#behind.has(place)) return;
    try {
      if (!listener.covers(stored)) return;
      // What this turn has told nobody can have read yet, and one event may be long, as a logo's is.
      if (listener.waiting() > LIVE_BYTES) this.#fallBehind(place, stored.seq - 1);
      else listener.tell(stored.id, text());
    } catch (error) {
      this.#end(place, "failed", error);
    }
  }

  /** It goes on with what is stored once it has read of what waits. @param seq told up to here */
  #fallBehind(place: Place, seq: number): void {
    this.#takeFromLive(place);
    place.seq = seq;
    this.#behind.add(place);
    this.#awaitReader(place);
  }

  #awaitReader(place: Place): void {
    place.cancelTimer = this.#o.clock.setTimer(CATCH_UP_MS, () => this.#end(place, "slow"));
  }

  /**
   * Made once, however many are told, and only if somebody is. What of it cannot be read is tried
   * again for the next.
   */
  #textOf(stored: StoredEvent): () => string {
    let text: string | undefined;
    return () => {
      text ??= JSON.stringify(this.#o.toEnvelope(stored));
      return text;
    };
  }

  /** Tells what is stored, a piece in each of its turns: whoever listens, tills go first. */
  #catchUp(place: Place): void {
    place.cancelTimer?.();
    place.cancelTimer = undefined;
    if (place.isQueued) return;
    place.isQueued = true;
    void nextWorkTurn().then(() => {
      place.isQueued = false;
      try {
        if (!place.isGone) this.#tellPiece(place);
      } catch (error) {
        this.#end(place, "failed", error);
      }
    });
  }

  /** As far as there is room for it. */
  #tellPiece(place: Place): void {
    const rows = this.#o.events.listAfter(place.seq, PIECE_ROWS);
    for (const row of rows) {
      if (place.listener.waiting() > CATCH_UP_BYTES) {
        this.#awaitReader(place);
        return;
      }
      place.seq = row.seq;
      if (row.orgId !== place.listener.orgId) continue;
      const stored = storedEvent(row, this.#o.subjects);
      if (stored && place.listener.covers(stored)) {
        place.listener.tell(stored.id, this.#textOf(stored)());
      }
      if (place.isGone) return;
    }
    if (rows.length < PIECE_ROWS) this.#isUpToDate(place);
    else this.#catchUp(place);
  }

  /** It was told all that is stored, which may be more than was published yet. */
  #isUpToDate(place: Place): void {
    const { seq } = place;
    if (seq > this.#seq) {
      for (const row of this.#between(this.#seq, seq + 1)) this.#tellAll(row);
      this.#seq = seq;
    }
    // It knows what the others are being told.
    this.#tell(Number.POSITIVE_INFINITY);
    this.#behind.delete(place);
    const { orgId } = place.listener;
    const places = this.#live.get(orgId) ?? new Set();
    this.#live.set(orgId, places);
    places.add(place);
  }

  #end(place: Place, why: FeedEnd, error?: unknown): void {
    if (place.isGone) return;
    this.#leave(place);
    place.listener.ended(why, error);
  }

  #leave(place: Place): void {
    place.isGone = true;
    place.cancelTimer?.();
    this.#behind.delete(place);
    this.#takeFromLive(place);
  }

  #takeFromLive(place: Place): void {
    const { orgId } = place.listener;
    const places = this.#live.get(orgId);
    places?.delete(place);
    if (places?.size === 0) this.#live.delete(orgId);
  }

  *#everybodyLive(): Generator<Place> {
    for (const places of this.#live.values()) yield* places;
  }
}
