/**
 * The two time-outs of a command that has not begun, counted from its acceptance:
 * - push wait, while no controller of its device is connected; it ends for good when one connects;
 * - overall, in any case: a printer that is off, or a queue too long.
 */

import type { Command } from "#core/command/command.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import type { QueueTimes } from "./ports.ts";
import type { TimerQueue } from "./timer-queue.ts";

export class Deadlines {
  /** Every command that has a deadline, by id. */
  readonly #watched = new Map<string, NewCommand>();
  /** Pending commands that wait for a controller, by device. */
  readonly #unreached = new Map<string, Set<string>>();

  constructor(
    private readonly timers: TimerQueue,
    private readonly times: QueueTimes,
    private readonly expire: (command: NewCommand) => void,
  ) {}

  /** The commands that have a deadline. */
  watched(): NewCommand[] {
    return [...this.#watched.values()];
  }

  /**
   * Sets the deadlines of a command that has not begun.
   * @param reached a controller of its device is, or was, there for it
   */
  watch(command: NewCommand, reached: boolean): void {
    this.#watched.set(command.id, command);
    this.timers.set(`overall:${command.id}`, command.expiresAt, () => {
      this.forget(command);
      this.expire(command);
    });
    if (reached) return;
    const waiting = this.#unreached.get(command.deviceId) ?? new Set();
    waiting.add(command.id);
    this.#unreached.set(command.deviceId, waiting);
    this.timers.set(`push:${command.id}`, command.createdAt + this.times.pushWaitMs, () => {
      this.forget(command);
      this.expire(command);
    });
  }

  /** A controller of the device connected: the push wait of its commands is over. */
  reached(deviceId: string): void {
    for (const commandId of this.#unreached.get(deviceId) ?? []) {
      this.timers.cancel(`push:${commandId}`);
    }
    this.#unreached.delete(deviceId);
  }

  /** The command has begun or ended. */
  forget(command: Pick<Command, "id" | "deviceId">): void {
    this.#watched.delete(command.id);
    this.timers.cancel(`overall:${command.id}`);
    const waiting = this.#unreached.get(command.deviceId);
    if (waiting?.delete(command.id)) {
      this.timers.cancel(`push:${command.id}`);
      if (waiting.size === 0) this.#unreached.delete(command.deviceId);
    }
  }
}
