/** Documents that stand still until a person loads paper or closes the cover. */

import type { CommandProgress } from "#core/driver.ts";
import type { FiscalError } from "#core/errors.ts";
import type { ShtrihDevice } from "./device.ts";
import { SUBMODE } from "./status.ts";

/** How often the device is asked whether it can go on. */
export const PAUSE_POLL_MS = 500;

/** True for the refusals that a person at the device can take away. */
export function isPauseFault(fault: FiscalError): boolean {
  return fault.code === "E306" || fault.code === "E307";
}

/** Waits while paper is out or the cover open; all waits of one document share one limit. */
export class PauseKeeper {
  readonly #device: ShtrihDevice;
  readonly #progress: CommandProgress;
  #waitedMs = 0;

  constructor(device: ShtrihDevice, progress: CommandProgress) {
    this.#device = device;
    this.#progress = progress;
  }

  /**
   * Waits until the device can go on, and tells it to where it wants to be told.
   * @param fault the refusal that began the pause
   * @returns undefined when it can go on, the reason when the limit is over
   * @throws FiscalError a line fault
   */
  async wait(fault: FiscalError): Promise<FiscalError | undefined> {
    let reason: FiscalError | undefined = fault;
    let last = fault;
    this.#progress.paused(fault.code === "E307" ? "cover_open" : "paper_out");
    try {
      // At least one wait, so that a device that refuses but shows no reason is not asked at once.
      while (reason) {
        last = reason;
        if (this.#waitedMs >= this.#progress.pauseLimitMs) return last;
        this.#waitedMs += PAUSE_POLL_MS;
        await this.#device.delay(PAUSE_POLL_MS);
        const state = await this.#device.printerState();
        reason = this.#device.printFault(state);
        if (!reason && state.submode === SUBMODE.waitsForContinue) {
          await this.#device.send("proceed");
        }
      }
      return undefined;
    } finally {
      this.#progress.paused(undefined);
    }
  }
}
