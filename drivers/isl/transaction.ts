/** The receipt that is open on the device, or was last: the device's own account of it. */

import { FiscalError } from "#core/errors.ts";
import type { IslDevice } from "./device.ts";

/** What was registered so far. Amounts are magnitudes in minor units. */
export interface Sums {
  readonly items: number;
  readonly amountMinor: number;
  readonly paidMinor: number;
}

export interface Transaction extends Sums {
  readonly open: boolean;
  /** Number of the open receipt, or of the last one. */
  readonly number: number;
}

/** Nothing registered yet. */
export const NO_SUMS: Sums = { items: 0, amountMinor: 0, paidMinor: 0 };

/**
 * Reads the transaction: one frame where it holds the number, two where that is read apart. The
 * status bytes of the answer then tell paper, cover and clock as well.
 * @throws FiscalError
 */
export async function readTransaction(device: IslDevice): Promise<Transaction> {
  // The number first: should a receipt be finished in between, it is the sums that are newer.
  const number = device.can("lastDocument")
    ? (await device.ask("lastDocument")).integer("number")
    : undefined;
  const answer = await device.ask("transaction");
  return {
    open: answer.text("open") !== "0" || device.shows("fiscal_receipt_open"),
    number: number ?? answer.integer("number"),
    items: answer.integer("items"),
    amountMinor: Math.abs(answer.minor("amount")),
    paidMinor: Math.abs(answer.minor("paid")),
  };
}

/** True when the sums are the same. */
export function sameSums(one: Sums, other: Sums): boolean {
  return (
    one.items === other.items &&
    one.amountMinor === other.amountMinor &&
    one.paidMinor === other.paidMinor
  );
}

/**
 * Throws what would make any fiscal document fail, as the last answer's status bytes show it, so
 * that it fails before the document begins.
 * @throws FiscalError E306, E307, E300 or E305
 */
export function checkReadiness(device: IslDevice): void {
  if (device.shows("paper_out")) throw new FiscalError("E306", "Out of paper: load paper");
  if (device.shows("cover_open")) throw new FiscalError("E307", "The cover is open: close it");
  if (device.shows("fiscal_memory_full")) {
    throw new FiscalError("E300", "Fiscal memory is full: service is needed");
  }
  if (device.shows("clock_not_set")) {
    throw new FiscalError("E305", "The device's clock is not set: set date and time first");
  }
}
