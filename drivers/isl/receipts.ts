/** The current receipt as the device counts it: the one that is open, or was last. */

import type { CountedReceipt } from "../shared/sums.ts";
import type { IslDevice } from "./device.ts";

export interface CurrentReceipt extends CountedReceipt {
  /** Number of the open receipt, or of the last one. */
  readonly number: number;
}

/** How our document is told from those of others. */
export interface OwnNumber {
  /** The device's document number before ours was opened. */
  readonly number: number;
  /**
   * Our document's own number, where the device tells it when it is opened. Elsewhere ours can only
   * be the next one: whatever moves that number otherwise is the work of other hands.
   */
  readonly ownNumber: number | null;
}

/** The number that ours has, as far as nobody else has come in between. */
export function ownNumberOf({ number, ownNumber }: OwnNumber): number {
  return ownNumber ?? number + 1;
}

/** True when the receipt that is open is ours; a device may count it only once it is closed. */
export function isOursOpen(own: OwnNumber, now: Pick<CurrentReceipt, "open" | "number">): boolean {
  const isUncounted = own.ownNumber === null && now.number === own.number;
  return now.open && (isUncounted || now.number === ownNumberOf(own));
}

/**
 * Reads the current receipt: one frame where it holds the number, two where that is read apart. The
 * status bytes of the answer then tell paper, cover and clock as well.
 * @throws FiscalError
 */
export async function readCurrentReceipt(device: IslDevice): Promise<CurrentReceipt> {
  const answer = await device.ask("transaction");
  const open = answer.text("open") !== "0" || device.shows("fiscal_receipt_open");
  // The number last: whoever puts a receipt in the place of this one in between moves it.
  const number = device.can("lastDocument")
    ? (await device.ask("lastDocument")).integer("number")
    : answer.integer("number");
  return {
    open,
    number,
    items: answer.integer("items"),
    amountMinor: Math.abs(answer.minor("amount")),
    paidMinor: Math.abs(answer.minor("paid")),
  };
}
