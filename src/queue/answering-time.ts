/**
 * How long a remote controller has had what it is to answer. Only time counts in which it has it, is
 * connected and could ask the printer, so that no outage ends anything, however long. The built-in
 * controller has limits of its own.
 */

import type { Clock } from "../platform/clock.ts";
import type { ControllerPort } from "./ports.ts";
import type { TimerQueue } from "./timer-queue.ts";

/** Something that a controller is to answer. */
export interface Owed {
  readonly commandId: string;
  /** The device over whose line its printer is asked; undefined while it is not. */
  readonly askedAt: string | undefined;
}

export interface AnsweringTimeOptions {
  readonly clock: Pick<Clock, "elapsed" | "now">;
  readonly timers: TimerQueue;
  readonly controllers: Pick<ControllerPort, "controllerOf" | "mayAnswer">;
}

/** Between two looks; time in which the machine slept counts as one. */
const LOOK_MS = 30_000;

export abstract class AnsweringTime<One extends Owed> {
  readonly #o: AnsweringTimeOptions;
  readonly #timer: string;
  /** How long each could have been answered, by command. Milliseconds. */
  readonly #counted = new Map<string, number>();
  /** By the clock's `elapsed`; undefined while there is nothing to look at. */
  #lookedAt: number | undefined;

  /** @param timer its name, of which there is one */
  constructor(options: AnsweringTimeOptions, timer: string) {
    this.#o = options;
    this.#timer = timer;
  }

  /** What is open at the moment. */
  protected abstract owed(): readonly One[];

  /**
   * Time was counted; called again at every look while it counts.
   * @param ms in all, and before this look
   */
  protected abstract counted(one: One, ms: { readonly now: number; readonly before: number }): void;

  /** Something may be open. */
  watch(): void {
    if (this.#lookedAt !== undefined || this.owed().length === 0) return;
    this.#next();
  }

  #next(): void {
    const { clock, timers } = this.#o;
    this.#lookedAt = clock.elapsed();
    timers.set(this.#timer, clock.now() + LOOK_MS, () => this.#look());
  }

  #look(): void {
    const { clock } = this.#o;
    const passedMs = Math.min(LOOK_MS, clock.elapsed() - (this.#lookedAt ?? clock.elapsed()));
    this.#lookedAt = undefined;
    const open = this.owed();
    const countedBefore = new Map(this.#counted);
    this.#counted.clear();
    for (const one of open) {
      const before = countedBefore.get(one.commandId) ?? 0;
      const isCounted = this.#mayBeAnswered(one);
      const now = before + (isCounted ? passedMs : 0);
      this.#counted.set(one.commandId, now);
      if (isCounted) this.counted(one, { now, before });
    }
    if (open.length > 0) this.#next();
  }

  #mayBeAnswered({ askedAt }: Owed): boolean {
    const { controllers } = this.#o;
    if (askedAt === undefined || !controllers.mayAnswer(askedAt)) return false;
    const key = controllers.controllerOf(askedAt);
    return key !== undefined && key.orgId !== null;
  }
}
