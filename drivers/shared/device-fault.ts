/** Refusals of devices in words that tell the person at the device what to do. */

import { type DeviceFault, FiscalError, type FiscalErrorCode, isLineFault } from "#core/errors.ts";

const REFUSED = "The device refused the command";

const MESSAGES = {
  E201: "The device does not know this command",
  E300: "Fiscal memory is full: service is needed",
  E301: "A receipt is open on the device",
  E302: "No receipt is open on the device",
  E303: "The fiscal day must be closed first: run a Z report",
  E304: "The device reports a hardware fault",
  E305: REFUSED,
  E306: "Out of paper: load paper",
  E307: "The cover is open: close it",
} as const satisfies Partial<Record<FiscalErrorCode, string>>;

/** A refusal by the device, with its own number and words. */
export function deviceFault(code: FiscalErrorCode, device: DeviceFault): FiscalError {
  const messages: Partial<Record<FiscalErrorCode, string>> = MESSAGES;
  const message = messages[code] ?? REFUSED;
  return new FiscalError(code, `${message} (${device.message}, ${device.code})`, { device });
}

/** True for a refusal by the device itself, and for no other fault. */
export function isRefusal(error: unknown): error is FiscalError {
  return error instanceof FiscalError && error.device !== undefined;
}

const STATE_CODES: ReadonlySet<FiscalErrorCode> = new Set(["E301", "E303", "E304", "E306", "E307"]);

/** True for a refusal by a state that ends: the device may tell or do it later. */
export function isStateRefusal({ code }: FiscalError): boolean {
  return STATE_CODES.has(code);
}

/**
 * What is read of a device that may not know the question.
 * @returns undefined where the device says that it has no such command
 * @throws FiscalError any other refusal: it may tell later
 */
export async function unlessUnknown<Told>(reading: Promise<Told>): Promise<Told | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isUnknown(error)) return undefined;
    throw error;
  }
}

function isUnknown(error: unknown): boolean {
  return error instanceof FiscalError && error.code === "E201";
}

/**
 * What a device has shown to lack, on one line: what it says it does not know, or refuses a second
 * time in the same words, with nothing in its state to blame. Not every device has words for "no
 * such command". Only for reads without which less is told: that a question for what stands open
 * is refused never means that nothing does.
 */
export class LackedReads {
  readonly #refusals = new Map<string, string>();
  readonly #isOfState: (fault: FiscalError) => boolean;

  /** @param isOfState true for a refusal by a state that ends */
  constructor(isOfState: (fault: FiscalError) => boolean = isStateRefusal) {
    this.#isOfState = isOfState;
  }

  /**
   * @param name of what is read
   * @returns undefined where the device lacks it
   * @throws FiscalError a refusal by its state or for the first time, or a line fault
   */
  async unlessLacking<Told>(name: string, read: () => Promise<Told>): Promise<Told | undefined> {
    try {
      const told = await read();
      this.#refusals.delete(name);
      return told;
    } catch (error) {
      if (isUnknown(error)) return undefined;
      if (!isRefusal(error) || this.#isOfState(error)) throw error;
      const refusal = `${error.code} ${error.device?.code}`;
      const isAgain = this.#refusals.get(name) === refusal;
      this.#refusals.set(name, refusal);
      if (isAgain) return undefined;
      throw error;
    }
  }

  /** The same for what cannot wait: where it is refused for the first time, it is asked again. */
  async unlessLackingNow<Told>(name: string, read: () => Promise<Told>): Promise<Told | undefined> {
    try {
      return await this.unlessLacking(name, read);
    } catch (error) {
      if (!isRefusal(error) || this.#isOfState(error)) throw error;
      return this.unlessLacking(name, read);
    }
  }
}

/**
 * What is read of a device, for those who can do without.
 * @returns undefined where the device refuses to tell
 * @throws FiscalError a line fault
 */
export async function unlessRefused<Told>(reading: Promise<Told>): Promise<Told | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/**
 * The same, where what makes no sense says no more than a refusal.
 * @throws FiscalError a line fault
 */
export async function unlessUntold<Told>(reading: Promise<Told>): Promise<Told | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof FiscalError && !isLineFault(error)) return undefined;
    throw error;
  }
}

/** What a device shows of itself, before it had anything to refuse. */
export function stateFault(code: keyof typeof MESSAGES): FiscalError {
  return new FiscalError(code, MESSAGES[code]);
}

/** Somebody at the device, or another program, has put another receipt in the place of ours. */
export function otherHands(): FiscalError {
  return new FiscalError(
    "E305",
    "Somebody else cancelled the document on the device and opened another receipt",
  );
}

/** Date and time are to be set before any fiscal document. */
export function clockNotSet(): FiscalError {
  return new FiscalError("E305", "The device's clock is not set: set date and time first");
}
