/** When printers that may not be used are tried again. */

import type { Clock } from "../platform/clock.ts";

/** Waiting before a printer that may not be used is tried again. */
const KEPT_OUT_MS = 30_000;

export class KeptOut {
  readonly #clock: Pick<Clock, "setTimer">;
  /** Cancels the next attempt, by device; there are as many as devices at most. */
  readonly #attempts = new Map<string, () => void>();

  constructor(clock: Pick<Clock, "setTimer">) {
    this.#clock = clock;
  }

  /** The device is kept out: what it was tried with before is over. */
  add(deviceId: string, tryAgain: () => void): void {
    this.forget(deviceId);
    const cancel = this.#clock.setTimer(KEPT_OUT_MS, () => {
      this.#attempts.delete(deviceId);
      tryAgain();
    });
    this.#attempts.set(deviceId, cancel);
  }

  /** It is tried no more. */
  forget(deviceId: string): void {
    this.#attempts.get(deviceId)?.();
    this.#attempts.delete(deviceId);
  }
}
