/** A driver's environment under the test's control. */

import type { Baseline, Mark } from "#core/command/marks.ts";
import type { CommandProgress, DriverEnvironment } from "#core/driver.ts";

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** Time stands still until it is advanced; what is logged is kept. */
export class FakeEnvironment implements DriverEnvironment {
  readonly timezone: string;
  readonly currency = "EUR";
  readonly remembered = new Map<string, string>();
  readonly noted: { action: string; details: Record<string, unknown> }[] = [];
  readonly logged: { level: string; sentence: string; fields: unknown }[] = [];
  /** What `random` returns. */
  chance = 0;
  #now: number;
  #timers: Timer[] = [];

  constructor(options: { now?: number; timezone?: string } = {}) {
    this.#now = options.now ?? Date.UTC(2024, 2, 15, 12, 5, 9);
    this.timezone = options.timezone ?? "Europe/Sofia";
  }

  now(): number {
    return this.#now;
  }

  setTimer(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + ms, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  random(bound: number): number {
    return this.chance % bound;
  }

  note(action: string, details: Record<string, unknown>): void {
    this.noted.push({ action, details });
  }

  log(level: "debug" | "info" | "warn", sentence: string, fields?: Record<string, unknown>): void {
    this.logged.push({ level, sentence, fields });
  }

  /** Timers that wait. */
  get timers(): number {
    return this.#timers.length;
  }

  /** Lets time pass, firing timers in order and letting what they cause happen in between. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await atRest();
      const next = this.#timers
        .filter((timer) => timer.at <= end)
        .sort((one, other) => one.at - other.at)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
    }
    this.#now = end;
    await atRest();
  }
}

/** Resolves when everything that can happen without time passing has happened. */
export function atRest(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Keeps the marks of a command as the queue would. */
export class RecordedProgress implements CommandProgress {
  readonly marks: Mark[] = [];
  readonly pauses: (string | undefined)[] = [];
  readonly pauseLimitMs: number;
  baseline: Baseline = {};
  /** Called when the document begins to wait for a person: the test is that person. */
  whenPaused: (() => Promise<void>) | undefined;
  /** The mark at which the command may not go on. */
  refuseAt: Mark | undefined;
  /** A person has said what became of the command, and it may not come out. */
  isSettled = false;
  /** A person has called it printed. */
  isCalledPrinted = false;

  constructor(pauseLimitMs = 10_000) {
    this.pauseLimitMs = pauseLimitMs;
  }

  async mark(mark: Mark, baseline?: Baseline): Promise<void> {
    if (mark === this.refuseAt) throw new Error(`may not go on at ${mark}`);
    this.marks.push(mark);
    this.baseline = { ...this.baseline, ...baseline };
  }

  mayGoOn(): boolean {
    return !this.isSettled;
  }

  hasLimit(): boolean {
    return !this.isCalledPrinted;
  }

  /** Adds what a resolution has learned, as the controller does. */
  async keep(learned: Baseline): Promise<void> {
    this.baseline = { ...this.baseline, ...learned };
  }

  paused(reason: "paper_out" | "cover_open" | undefined): void {
    this.pauses.push(reason);
    if (reason !== undefined) void this.whenPaused?.();
  }

  /** What the queue would hand to `resolve`. */
  evidence() {
    const mark = this.marks.at(-1);
    if (!mark) throw new RangeError("no mark was stored");
    return { mark, baseline: this.baseline };
  }
}
