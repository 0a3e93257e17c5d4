/** Documents that stand still until a person loads paper or closes the cover. */

import type { CommandProgress } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import type { ZfpDevice } from "./device.ts";

/** How often the device is asked whether it can go on. */
export const PAUSE_POLL_MS = 500;

/** True for the refusals that a person at the device can take away. */
export function isPauseFault(fault: FiscalError): boolean {
  return fault.code === "E306" || fault.code === "E307";
}

/** Waits while paper is out or the cover open; all waits of one document share one limit. */
export class PauseKeeper {
  readonly #device: ZfpDevice;
  readonly #progress: CommandProgress;
  #waitedMs = 0;

  constructor(device: ZfpDevice, progress: CommandProgress) {
    this.#device = device;
    this.#progress = progress;
  }

  /**
   * Waits until the device can go on.
   * @returns undefined when it can go on, the reason when the limit is over
   * @throws FiscalError a line fault
   */
  async wait(fault: FiscalError): Promise<FiscalError | undefined> {
    let reason = fault;
    this.#progress.paused(fault.code === "E307" ? "cover_open" : "paper_out");
    try {
      for (;;) {
        if (this.#waitedMs >= this.#progress.pauseLimitMs) return reason;
        await this.#delay();
        const { paper, cover } = await this.#device.readState();
        if (paper !== "out" && cover !== "open") return undefined;
        reason =
          paper === "out"
            ? new FiscalError("E306", "Out of paper: load paper")
            : new FiscalError("E307", "The cover is open: close it");
      }
    } finally {
      this.#progress.paused(undefined);
    }
  }

  #delay(): Promise<void> {
    this.#waitedMs += PAUSE_POLL_MS;
    return new Promise((resolve) => {
      this.#device.environment.setTimer(PAUSE_POLL_MS, resolve);
    });
  }
}
