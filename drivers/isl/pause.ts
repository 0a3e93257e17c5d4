/** Documents that stand still until a person loads paper or closes the cover. */

import type { CommandProgress } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import type { IslDevice } from "./device.ts";

/** How often the device is asked whether it can go on. */
export const PAUSE_POLL_MS = 500;

/** True for the refusals that a person at the device can take away. */
export function isPauseFault(fault: FiscalError): boolean {
  return fault.code === "E306" || fault.code === "E307";
}

/** Waits while paper is out or the cover open; all waits of one document share one limit. */
export class PauseKeeper {
  readonly #device: IslDevice;
  readonly #progress: CommandProgress;
  #waitedMs = 0;

  constructor(device: IslDevice, progress: CommandProgress) {
    this.#device = device;
    this.#progress = progress;
  }

  /** True when the last answer shows a state that stops the document. */
  isNeeded(): boolean {
    return this.#device.shows("paper_out") || this.#device.shows("cover_open");
  }

  /**
   * Waits until the device can go on.
   * @param fault the refusal that began the pause, if it was one
   * @returns undefined when it can go on, the reason when the limit is over
   * @throws FiscalError a line fault
   */
  async wait(fault: FiscalError | undefined): Promise<FiscalError | undefined> {
    let reason = fault ?? this.#shownFault();
    this.#progress.paused(reason.code === "E307" ? "cover_open" : "paper_out");
    try {
      // At least one wait, so that a device that refuses but shows no reason is not asked at once.
      do {
        if (this.#waitedMs >= this.#progress.pauseLimitMs) return reason;
        await this.#delay();
        await this.#device.send("status");
        if (this.isNeeded()) reason = this.#shownFault();
      } while (this.isNeeded());
      return undefined;
    } finally {
      this.#progress.paused(undefined);
    }
  }

  #shownFault(): FiscalError {
    return this.#device.shows("paper_out")
      ? new FiscalError("E306", "Out of paper: load paper")
      : new FiscalError("E307", "The cover is open: close it");
  }

  #delay(): Promise<void> {
    this.#waitedMs += PAUSE_POLL_MS;
    return new Promise((resolve) => {
      this.#device.environment.setTimer(PAUSE_POLL_MS, resolve);
    });
  }
}
