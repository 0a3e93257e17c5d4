/** The receipt that is open on the device, or was last: the device's own account of it. */

import { clockNotSet, stateFault } from "../shared/device-fault.ts";
import type { Sums } from "../shared/sums.ts";
import type { IslDevice } from "./device.ts";

export interface Transaction extends Sums {
  readonly open: boolean;
  /** Number of the open receipt, or of the last one. */
  readonly number: number;
}

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

/**
 * Throws what would make any fiscal document fail, as the last answer's status bytes show it, so
 * that it fails before the document begins.
 * @throws FiscalError E306, E307, E300 or E305
 */
export function checkReadiness(device: IslDevice): void {
  if (device.shows("paper_out")) throw stateFault("E306");
  if (device.shows("cover_open")) throw stateFault("E307");
  if (device.shows("fiscal_memory_full")) throw stateFault("E300");
  if (device.shows("clock_not_set")) throw clockNotSet();
}
