/**
 * The last frames of one device's line, kept within bounds, and shown to those who look at it. They
 * are put into words only then.
 */

import {
  type KeptFrame,
  type LineEvent,
  type LineViewer,
  TRACE_EVENTS_MAX,
  TRACE_FRAMES_MAX,
  type TracedFrame,
  type TraceEntry,
} from "#core/device/trace.ts";
import type { Clock } from "../platform/clock.ts";
import { errorText } from "../platform/thrown.ts";

/** Who may follow one device at a time. */
const FOLLOWERS_MAX = 8;

/** Hears of new entries. */
export type TraceFollower = Pick<LineViewer, "entry" | "ended">;

type NewEntry =
  | { readonly kind: "frame"; readonly frame: KeptFrame }
  | { readonly kind: "line"; readonly event: LineEvent; readonly text: string };

/** How many are kept of each kind. */
const KEPT_MAX = { frame: TRACE_FRAMES_MAX, line: TRACE_EVENTS_MAX } as const;

/** An entry as it is kept. */
interface KeptEntry {
  readonly what: NewEntry;
  readonly number: number;
  readonly at: number;
  times: number;
  lastAt: number;
}

export class LineTrace {
  readonly #clock: Pick<Clock, "now">;
  /** By kind, oldest first. */
  readonly #kept: Readonly<Record<NewEntry["kind"], KeptEntry[]>> = { frame: [], line: [] };
  #last: KeptEntry | undefined;
  readonly #followers = new Set<TraceFollower>();
  #number = 0;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** Takes frames as they pass. */
  frames(frames: readonly KeptFrame[]): void {
    for (const frame of frames) this.#take({ kind: "frame", frame });
  }

  /** Takes what became of the line. @param text in words for a person; may be empty */
  event(event: LineEvent, text: string): void {
    this.#take({ kind: "line", event, text });
  }

  /** What is kept, in words, oldest first. */
  entries(): readonly TraceEntry[] {
    const { frame, line } = this.#kept;
    return [...frame, ...line].sort((one, other) => one.number - other.number).map(shown);
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

  #take(what: NewEntry): void {
    const at = this.#clock.now();
    const last = this.#last;
    if (last !== undefined && isRepeat(last.what, what)) {
      // Told when the run is over: a device at work says so every 60 ms.
      last.times += 1;
      last.lastAt = at;
      return;
    }
    if (last !== undefined && last.times > 1) this.#tell(last);
    this.#number += 1;
    const entry: KeptEntry = { what, number: this.#number, at, times: 1, lastAt: at };
    this.#last = entry;
    const kept = this.#kept[what.kind];
    kept.push(entry);
    if (kept.length > KEPT_MAX[what.kind]) kept.shift();
    this.#tell(entry);
  }

  #tell(entry: KeptEntry): void {
    if (this.#followers.size === 0) return;
    const told = shown(entry);
    for (const follower of this.#followers) follower.entry(told);
  }
}

/** An entry in words. */
function shown({ what, number, at, times, lastAt }: KeptEntry): TraceEntry {
  const moments = { at: new Date(at).toISOString(), lastAt: new Date(lastAt).toISOString() };
  const counted = { number, times, ...moments };
  return what.kind === "line"
    ? { ...counted, ...what }
    : { kind: "frame", ...counted, ...describedFrame(what.frame) };
}

/** A frame that cannot be put into words does not hide the others. */
function describedFrame(frame: KeptFrame): TracedFrame {
  try {
    return frame.describe();
  } catch (error) {
    const { direction, byteCount, isDamaged } = frame;
    const text = errorText(error);
    return { direction, name: "cannot be explained", text, hex: "", byteCount, isDamaged };
  }
}

/** True when the same comes again and says no more than that: "still working", or "still off". */
function isRepeat(last: NewEntry, next: NewEntry): boolean {
  if (last.kind === "line") {
    return next.kind === "line" && last.event === next.event && last.text === next.text;
  }
  return next.kind === "frame" && last.frame.byteCount === 1 && isSameByte(last.frame, next.frame);
}

/** @param one frame of one byte */
function isSameByte(one: KeptFrame, other: KeptFrame): boolean {
  return (
    other.byteCount === 1 &&
    one.direction === other.direction &&
    one.isDamaged === other.isDamaged &&
    one.bytes[0] === other.bytes[0] &&
    one.masked.length === other.masked.length
  );
}
