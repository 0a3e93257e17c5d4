/**
 * What is done later about single devices: one thing of a kind for each, until it is called off. What
 * cannot be done then, as while the database cannot be read, is done after the same time again.
 */

import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";

export class DeviceTimers {
  readonly #clock: Pick<Clock, "setTimer">;
  readonly #log: Log;
  readonly #ms: number;
  /** Cancels what is to be done, by device; there are as many as devices at most. */
  readonly #cancels = new Map<string, () => void>();

  /** @param ms waiting before it is done */
  constructor(
    { clock, log }: { readonly clock: Pick<Clock, "setTimer">; readonly log: Log },
    ms: number,
  ) {
    this.#clock = clock;
    this.#log = log;
    this.#ms = ms;
  }

  /** From now on it is waited for; what was waited for before is called off. */
  set(deviceId: string, over: () => void): void {
    this.forget(deviceId);
    const cancel = this.#clock.setTimer(this.#ms, () => {
      this.#cancels.delete(deviceId);
      try {
        over();
      } catch (error) {
        this.#log.error("what a device waits for is put off", { deviceId, error });
        this.set(deviceId, over);
      }
    });
    this.#cancels.set(deviceId, cancel);
  }

  /** True while it is waited for. */
  isSet(deviceId: string): boolean {
    return this.#cancels.has(deviceId);
  }

  /** It is called off. */
  forget(deviceId: string): void {
    this.#cancels.get(deviceId)?.();
    this.#cancels.delete(deviceId);
  }
}
