/** A timer that is started anew with each sign of life. */

import type { DriverEnvironment } from "#core/driver.ts";

/** Fires once, unless it is started again or stopped before. */
export class RestartingTimer {
  readonly #environment: Pick<DriverEnvironment, "setTimer">;
  #cancel: (() => void) | undefined;

  constructor(environment: Pick<DriverEnvironment, "setTimer">) {
    this.#environment = environment;
  }

  get isRunning(): boolean {
    return this.#cancel !== undefined;
  }

  /** Starts it; one that was running begins anew. */
  start(ms: number, callback: () => void): void {
    this.#cancel?.();
    this.#cancel = this.#environment.setTimer(ms, () => {
      this.#cancel = undefined;
      callback();
    });
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
