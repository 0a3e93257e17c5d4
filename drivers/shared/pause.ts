/** Documents that stand still until a person loads paper or closes the cover. */

import type { CommandProgress, DriverEnvironment } from "#core/driver.ts";
import type { FiscalError } from "#core/errors.ts";

/** How often the device is asked whether it can go on. */
export const PAUSE_POLL_MS = 500;
/** What a round counts for at most, in ms: a clock that jumps does not use up the limit. */
const ROUND_MS_MAX = 60_000;

export interface PauseOptions {
  readonly environment: Pick<DriverEnvironment, "now" | "setTimer">;
  readonly progress: Pick<CommandProgress, "hasLimit" | "mayGoOn" | "paused" | "pauseLimitMs">;
  /**
   * Asks the device whether it can go on, and tells it to where it wants to be told.
   * @returns what still keeps it, E306 or E307; undefined when it can go on
   * @throws FiscalError a line fault
   */
  look(): Promise<FiscalError | undefined>;
}

/** Waits while paper is out or the cover open; all waits of one document share one limit. */
export class PauseKeeper {
  readonly #options: PauseOptions;
  #waitedMs = 0;

  constructor(options: PauseOptions) {
    this.#options = options;
  }

  /**
   * Waits until the device can go on.
   * @param fault what began the pause
   * @returns undefined when it can go on, the reason when the limit is over or the document may not
   *   go on any more
   * @throws FiscalError a line fault
   */
  async wait(fault: FiscalError): Promise<FiscalError | undefined> {
    const { environment, progress, look } = this.#options;
    progress.paused(fault.code === "E307" ? "cover_open" : "paper_out");
    try {
      let reason: FiscalError | undefined = fault;
      // At least one wait, so that a device that refuses but shows no reason is not asked at once.
      while (reason && this.#waitedMs < progress.pauseLimitMs && progress.mayGoOn()) {
        const begunAt = environment.now();
        await delay(environment, PAUSE_POLL_MS);
        reason = await look();
        // A device that refuses, and shows nothing that a person could see to, is not tried for ever.
        if (reason === undefined || progress.hasLimit()) this.#count(environment.now() - begunAt);
      }
      return reason;
    } finally {
      progress.paused(undefined);
    }
  }

  /** Counts a round with the time that the look took; one that waited has lasted no less. */
  #count(passedMs: number): void {
    this.#waitedMs += Math.min(Math.max(passedMs, PAUSE_POLL_MS), ROUND_MS_MAX);
  }
}

/** Resolves after this much of the driver's time. */
export function delay(environment: Pick<DriverEnvironment, "setTimer">, ms: number): Promise<void> {
  return new Promise((resolve) => {
    environment.setTimer(ms, resolve);
  });
}
