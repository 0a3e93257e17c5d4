/**
 * The two time-outs of a command that has not begun, counted from its acceptance:
 * - push wait, while no controller of its device is connected; it ends for good when one connects. A start begins
 *   it anew: nobody knows then for what a controller was there;
 * - overall, in any case: a printer that is off, or a queue too long.
 *
 * They run by time that passes evenly, so that a wall clock that is set neither ends a command nor
 * keeps it waiting. Nothing of payloads is held here, however many commands wait.
 */

import type { Command } from "#core/command/command.ts";
import type { Clock } from "../platform/clock.ts";
import type { QueueTimes } from "./ports.ts";
import type { TimerQueue } from "./timer-queue.ts";

/** What a deadline needs to know of its command. */
export type Awaited = Pick<Command, "id" | "orgId" | "deviceId" | "expiresAt">;

/** A command and its time-outs by the clock's `elapsed`. */
interface Watched {
  readonly command: Awaited;
  readonly dueAt: number;
  /** Infinity from when a controller was there. */
  unreachedUntil: number;
}

export interface DeadlinesOptions {
  readonly clock: Pick<Clock, "now" | "elapsed">;
  readonly timers: TimerQueue;
  readonly times: QueueTimes;
  /** True while the end of its time waits: what comes meanwhile may still begin. */
  isToWait(command: Awaited): boolean;
  /** The time of a command is over. */
  expire(command: Awaited): void;
}

const TIMER = "deadlines";
/** Between two looks at one whose end waits. */
const LOOK_AGAIN_MS = 1_000;

export class Deadlines {
  readonly #o: DeadlinesOptions;
  /** Every command that has a deadline, by id. */
  readonly #watched = new Map<string, Watched>();
  /** Pending commands that wait for a controller, by device. */
  readonly #unreached = new Map<string, Set<string>>();
  /**
   * One timer for all: nearly every command begins in time, and one each would cost more than the
   * rest of its acceptance. It may come early, when what it was set for has begun. By `elapsed`.
   */
  #looksAt = Number.POSITIVE_INFINITY;

  constructor(options: DeadlinesOptions) {
    this.#o = options;
  }

  /** The commands that have a deadline. */
  watched(): Awaited[] {
    return [...this.#watched.values()].map(({ command }) => command);
  }

  /** How long ago the deadline was that is the most overdue; 0 when none is. Milliseconds. */
  overdue(): number {
    const now = this.#o.clock.elapsed();
    let most = 0;
    for (const { command, dueAt } of this.#watched.values()) {
      if (now - dueAt > most && !this.#o.isToWait(command)) most = now - dueAt;
    }
    return most;
  }

  /**
   * Sets the deadlines of a command that has not begun.
   * @param reached a controller of its device is, or was, there for it
   * @param isLeft from before a start
   */
  watch(command: Awaited, reached: boolean, isLeft = false): void {
    const { id, orgId, deviceId, expiresAt } = command;
    const { clock, times } = this.#o;
    const dueAt = clock.elapsed() + expiresAt - clock.now();
    // From the end, which is put right after a start with a clock that was set meanwhile.
    const acceptedAt = dueAt - times.overallMs;
    const pushAt = (isLeft ? clock.elapsed() : acceptedAt) + times.pushWaitMs;
    const unreachedUntil = reached ? Number.POSITIVE_INFINITY : pushAt;
    const kept = { id, orgId, deviceId, expiresAt };
    this.#watched.set(id, { command: kept, dueAt, unreachedUntil });
    if (!reached) {
      const waiting = this.#unreached.get(deviceId) ?? new Set();
      waiting.add(id);
      this.#unreached.set(deviceId, waiting);
    }
    this.#lookBy(Math.min(dueAt, unreachedUntil));
  }

  /** How long a command may still wait; 0 or less when its time is over. Milliseconds. */
  remaining({ id, expiresAt }: Pick<Command, "id" | "expiresAt">): number {
    const watched = this.#watched.get(id);
    // One that is not watched is being accepted or is over; the instants on disk say which.
    return watched ? watched.dueAt - this.#o.clock.elapsed() : expiresAt - this.#o.clock.now();
  }

  /** A controller of the device connected: the push wait of its commands is over. */
  reached(deviceId: string): void {
    for (const commandId of this.#unreached.get(deviceId) ?? []) {
      const watched = this.#watched.get(commandId);
      if (watched) watched.unreachedUntil = Number.POSITIVE_INFINITY;
    }
    this.#unreached.delete(deviceId);
  }

  /** The command has begun or ended. */
  forget(command: Pick<Command, "id" | "deviceId">): void {
    this.#watched.delete(command.id);
    const waiting = this.#unreached.get(command.deviceId);
    if (waiting?.delete(command.id) && waiting.size === 0) {
      this.#unreached.delete(command.deviceId);
    }
    if (this.#watched.size > 0) return;
    this.#looksAt = Number.POSITIVE_INFINITY;
    this.#o.timers.cancel(TIMER);
  }

  #lookBy(elapsed: number): void {
    if (elapsed >= this.#looksAt) return;
    this.#looksAt = elapsed;
    const { clock, timers } = this.#o;
    timers.set(TIMER, clock.now() + elapsed - clock.elapsed(), () => this.#look());
  }

  /** Ends those whose time is over, the longest overdue first. */
  #look(): void {
    this.#looksAt = Number.POSITIVE_INFINITY;
    const now = this.#o.clock.elapsed();
    const over: { readonly command: Awaited; readonly endsAt: number }[] = [];
    let next = Number.POSITIVE_INFINITY;
    for (const { command, dueAt, unreachedUntil } of this.#watched.values()) {
      const endsAt = Math.min(dueAt, unreachedUntil);
      if (endsAt > now) next = Math.min(next, endsAt);
      else if (this.#o.isToWait(command)) next = Math.min(next, now + LOOK_AGAIN_MS);
      else over.push({ command, endsAt });
    }
    this.#lookBy(next);
    for (const { command } of over.toSorted((one, other) => one.endsAt - other.endsAt)) {
      this.forget(command);
      this.#o.expire(command);
    }
  }
}
