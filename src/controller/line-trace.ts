/** The last frames of one device's line, kept within bounds, and told to those who follow it. */

import {
  type LineEvent,
  type LineViewer,
  TRACE_EVENTS_MAX,
  TRACE_FRAMES_MAX,
  type TracedFrame,
  type TraceEntry,
} from "#core/device/trace.ts";
import type { Clock } from "../platform/clock.ts";

/** Who may follow one device at a time. */
const FOLLOWERS_MAX = 8;

/** Hears of new entries. */
export type TraceFollower = Pick<LineViewer, "entry" | "ended">;

type NewEntry =
  | ({ readonly kind: "frame" } & TracedFrame)
  | { readonly kind: "line"; readonly event: LineEvent; readonly text: string };

export class LineTrace {
  readonly #clock: Pick<Clock, "now">;
  readonly #entries: TraceEntry[] = [];
  readonly #followers = new Set<TraceFollower>();
  #number = 0;
  #frames = 0;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** Takes frames as they pass. */
  frames(frames: readonly TracedFrame[]): void {
    for (const frame of frames) this.#take({ kind: "frame", ...frame });
  }

  /** Takes what became of the line. @param text in words for a person; may be empty */
  event(event: LineEvent, text: string): void {
    this.#take({ kind: "line", event, text });
  }

  /** What is kept, oldest first. */
  entries(): readonly TraceEntry[] {
    return [...this.#entries];
  }

  /**
   * Gives each new entry, and again each that changed.
   * @returns ends it; undefined when too many follow this device already
   */
  follow(follower: TraceFollower): (() => void) | undefined {
    if (this.#followers.size >= FOLLOWERS_MAX) return undefined;
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  get followerCount(): number {
    return this.#followers.size;
  }

  /** Tells everybody who follows that nothing more comes. */
  end(): void {
    for (const follower of [...this.#followers]) {
      this.#followers.delete(follower);
      follower.ended();
    }
  }

  #take(next: NewEntry): void {
    const at = this.#clock.now();
    const last = this.#entries.at(-1);
    if (last !== undefined && isRepeat(last, next)) {
      // Told when the run is over: a device at work says so every 60 ms.
      this.#entries[this.#entries.length - 1] = { ...last, times: last.times + 1, lastAt: at };
      return;
    }
    if (last !== undefined && last.times > 1) this.#tell(last);
    this.#number += 1;
    const entry: TraceEntry = { number: this.#number, at, times: 1, lastAt: at, ...next };
    this.#entries.push(entry);
    if (next.kind === "frame") this.#frames += 1;
    this.#makeRoom();
    this.#tell(entry);
  }

  #makeRoom(): void {
    const events = this.#entries.length - this.#frames;
    if (this.#frames > TRACE_FRAMES_MAX) {
      this.#drop("frame");
      this.#frames -= 1;
    }
    if (events > TRACE_EVENTS_MAX) this.#drop("line");
  }

  /** Drops the oldest entry of its kind. */
  #drop(kind: TraceEntry["kind"]): void {
    const at = this.#entries.findIndex((entry) => entry.kind === kind);
    if (at >= 0) this.#entries.splice(at, 1);
  }

  #tell(entry: TraceEntry): void {
    for (const follower of this.#followers) follower.entry(entry);
  }
}

/** True when the same comes again and says no more than that: "still working", or "still off". */
function isRepeat(last: TraceEntry, next: NewEntry): boolean {
  if (last.kind === "line") {
    return next.kind === "line" && last.event === next.event && last.text === next.text;
  }
  return (
    next.kind === "frame" &&
    last.byteCount === 1 &&
    last.direction === next.direction &&
    last.hex === next.hex &&
    last.isDamaged === next.isDamaged
  );
}
