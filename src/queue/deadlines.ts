/**
 * The two time-outs of a command that has not begun, counted from its acceptance:
 * - push wait, while no controller of its device is connected; it ends for good when one connects;
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
export type Awaited = Pick<Command, "id" | "orgId" | "deviceId" | "createdAt" | "expiresAt">;

interface Watched {
  readonly command: Awaited;
  /** By the clock's `elapsed`. */
  readonly dueAt: number;
}

export interface DeadlinesOptions {
  readonly clock: Pick<Clock, "now" | "elapsed">;
  readonly timers: TimerQueue;
  readonly times: QueueTimes;
  /** The time of a command is over. */
  expire(command: Awaited): void;
}

export class Deadlines {
  readonly #o: DeadlinesOptions;
  /** Every command that has a deadline, by id. */
  readonly #watched = new Map<string, Watched>();
  /** Pending commands that wait for a controller, by device. */
  readonly #unreached = new Map<string, Set<string>>();

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
    for (const { dueAt } of this.#watched.values()) most = Math.max(most, now - dueAt);
    return most;
  }

  /**
   * Sets the deadlines of a command that has not begun.
   * @param reached a controller of its device is, or was, there for it
   */
  watch(command: Awaited, reached: boolean): void {
    const { id, orgId, deviceId, createdAt, expiresAt } = command;
    const kept = { id, orgId, deviceId, createdAt, expiresAt };
    const remainingMs = expiresAt - this.#o.clock.now();
    this.#watched.set(id, { command: kept, dueAt: this.#o.clock.elapsed() + remainingMs });
    this.#o.timers.set(`overall:${id}`, expiresAt, () => {
      this.forget(kept);
      this.#o.expire(kept);
    });
    if (reached) return;
    const waiting = this.#unreached.get(deviceId) ?? new Set();
    waiting.add(id);
    this.#unreached.set(deviceId, waiting);
    // From the end, which is put right after a start with a clock that was set meanwhile.
    const pushAt = expiresAt - this.#o.times.overallMs + this.#o.times.pushWaitMs;
    this.#o.timers.set(`push:${id}`, pushAt, () => {
      this.forget(kept);
      this.#o.expire(kept);
    });
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
      this.#o.timers.cancel(`push:${commandId}`);
    }
    this.#unreached.delete(deviceId);
  }

  /** The command has begun or ended. */
  forget(command: Pick<Command, "id" | "deviceId">): void {
    this.#watched.delete(command.id);
    this.#o.timers.cancel(`overall:${command.id}`);
    const waiting = this.#unreached.get(command.deviceId);
    if (waiting?.delete(command.id)) {
      this.#o.timers.cancel(`push:${command.id}`);
      if (waiting.size === 0) this.#unreached.delete(command.deviceId);
    }
  }
}
