/** What is wrong with a document or a request on a device of any protocol, in one form for all. */

import type { AdjustmentFault } from "#core/adjustments.ts";
import { FiscalError } from "#core/errors.ts";
import { formatMinor } from "#core/money.ts";
import type { Sums } from "./sums.ts";

/**
 * Refuses an item or an operator without a name.
 * @param path where the payload has it
 * @param name as it would be printed
 * @throws FiscalError E400 when nothing of it can be printed
 */
export function requirePrintable(path: string, name: string): void {
  if (name === "") throw new FiscalError("E400", `${path}: expected a printable name`);
}

/** E401: the payload does not say it, and the gateway has not stored it. */
export function originalUnknown(what: "number" | "fiscal memory"): FiscalError {
  const words =
    what === "number"
      ? "The number of the original is unknown"
      : "The original's fiscal memory is unknown";
  return new FiscalError("E401", words);
}

/**
 * The number of a document that is reversed, as the device counts it. Each has one form only: what the
 * gateway knows of a sale, as what is left of it, is found by that.
 * @param digitsMax digits that the device takes
 * @returns it without zeros in front
 * @throws FiscalError E401 without one, E400 for anything but digits
 */
export function originalNumber(text: string, digitsMax: number): number {
  if (text === "") throw originalUnknown("number");
  if (text.length > digitsMax || !/^\d+$/.test(text)) {
    throw new FiscalError("E400", `originalReceiptNumber: expected 1 to ${digitsMax} digits`);
  }
  return Number(text);
}

/** E402: what the adjustments make of the receipt cannot be printed. */
export function unadjustable({ message }: AdjustmentFault): FiscalError {
  return new FiscalError("E402", message);
}

/** E403: nothing that is exempt can be sold. */
export function noZeroRate(): FiscalError {
  return new FiscalError("E403", "No VAT group of the device has a rate of zero");
}

/** E403: the device has no more groups than these. */
export function noSuchGroup(most: number): FiscalError {
  return new FiscalError("E403", `This device has VAT groups 1 to ${most}`);
}

/** E400: the device knows no group that is off. @param index of the entry of `set_vat_rates` */
export function groupStaysOn(index: number): FiscalError {
  return new FiscalError("E400", `rates.${index}.enabled: this device cannot switch a group off`);
}

/** E305: cancelling is over. */
export function paymentMade(): FiscalError {
  return new FiscalError("E305", "A payment was made: the receipt can only be finished");
}

/** E305 of a document that was cancelled, because the device had counted other sums than ours. */
export function otherSumsCounted(counted: Sums, ours: Sums): FiscalError {
  const message =
    `The device counts ${counted.items} lines and ${formatMinor(counted.amountMinor)}; the ` +
    `document has ${ours.items} and ${formatMinor(ours.amountMinor)}. It was cancelled`;
  return new FiscalError("E305", message);
}

/**
 * E305 of a payment whose answer names another rest than ours: the document is worth something else
 * by now. Amounts in minor units; change is a rest below zero.
 */
export function otherRest(toldMinor: number, expectedMinor: number): FiscalError {
  const [told, expected] = [toldMinor, expectedMinor].map(formatMinor);
  return new FiscalError("E305", `The device has ${told} left to pay instead of ${expected}`);
}

/** E901: it was stored by a driver of another protocol, or of another version. */
export function foreignBaseline(): FiscalError {
  return new FiscalError("E901", "The stored baseline is not one of this driver");
}
