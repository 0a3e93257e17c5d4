/** Waiting for a command to become final: long polls and live routes. */

import { type Command, isFinal } from "#core/command/command.ts";
import type { EventBus } from "../events/bus.ts";
import type { Clock } from "../platform/clock.ts";

export interface Waiter {
  /**
   * Resolves when the command is final on disk, with the command; or after `ms`, with nothing. Look
   * at the command before waiting and in the same turn: what became final earlier is not told again.
   */
  final(commandId: string, ms: number): Promise<Command | undefined>;
  /** Ends every wait, those too that would begin from now on, as at shutdown. */
  releaseAll(): void;
}

/** Makes the waiter; each waiting request holds one entry. */
export function createWaiter(bus: EventBus, clock: Clock): Waiter {
  const waiting = new Map<string, Set<(ended?: Command) => void>>();
  let isOver = false;
  const release = (commandId: string, ended?: Command): void => {
    const callbacks = waiting.get(commandId);
    if (callbacks === undefined) return;
    waiting.delete(commandId);
    for (const callback of callbacks) callback(ended);
  };
  bus.subscribe(({ event }) => {
    if ("command" in event && isFinal(event.command.status)) {
      release(event.command.id, event.command);
    }
  });
  return {
    final(commandId, ms) {
      if (isOver) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const callbacks = waiting.get(commandId) ?? new Set();
        const done = (ended?: Command): void => {
          cancelTimer();
          callbacks.delete(done);
          if (callbacks.size === 0) waiting.delete(commandId);
          resolve(ended);
        };
        const cancelTimer = clock.setTimer(ms, () => done());
        callbacks.add(done);
        waiting.set(commandId, callbacks);
      });
    },
    releaseAll() {
      isOver = true;
      for (const commandId of [...waiting.keys()]) release(commandId);
    },
  };
}
