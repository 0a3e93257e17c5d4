/**
 * A device that is busy with something else has done nothing of what it was given, and takes it later.
 * It may be busy because others work at it, so what pays, closes or cancels a receipt is given again
 * only behind another look: whoever sends such a frame waits here, and not the device's own repeats.
 */

import type { DriverEnvironment } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { delay } from "./pause.ts";

/** How a busy device is given the same again. */
export interface BusyRounds {
  /** Between two attempts. */
  readonly pollMs: number;
  /** For how long in all: then it has refused for good. */
  readonly limitMs: number;
}

/** The refusal of a device that is busy. */
export class DeviceBusy extends FiscalError {
  readonly rounds: BusyRounds;

  constructor({ code, message, device }: FiscalError, rounds: BusyRounds) {
    super(code, message, device && { device });
    this.rounds = rounds;
  }
}

/** Waits for a busy device; all waits for one frame share one limit. */
export class BusyWait {
  readonly #environment: Pick<DriverEnvironment, "setTimer">;
  #waitedMs = 0;

  constructor(environment: Pick<DriverEnvironment, "setTimer">) {
    this.#environment = environment;
  }

  /**
   * @param refusal why it was not carried out; undefined when it was
   * @returns true once it may be given again; false where it is not busy, or has been for too long
   */
  async passed(refusal: FiscalError | undefined): Promise<boolean> {
    if (!(refusal instanceof DeviceBusy)) return false;
    const { pollMs, limitMs } = refusal.rounds;
    if (this.#waitedMs + pollMs > limitMs) return false;
    this.#waitedMs += pollMs;
    await delay(this.#environment, pollMs);
    return true;
  }
}

/** Gives a device something until it is not busy any more, or has been for too long. */
export async function givenUntilTaken<Reply extends { readonly fault: FiscalError | undefined }>(
  environment: Pick<DriverEnvironment, "setTimer">,
  give: () => Promise<Reply>,
): Promise<Reply> {
  const busy = new BusyWait(environment);
  for (;;) {
    const reply = await give();
    if (!(await busy.passed(reply.fault))) return reply;
  }
}
