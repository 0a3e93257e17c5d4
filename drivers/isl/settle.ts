/** Puts away a receipt that stands open on the device: cancelled, or finished where it is paid. */

import type { Payment } from "#core/receipt.ts";
import { settleReceipt } from "../shared/settle.ts";
import type { IslDevice } from "./device.ts";
import { paymentValues } from "./plan.ts";
import { type CurrentReceipt, readCurrentReceipt } from "./receipts.ts";

/**
 * Leaves no fiscal receipt open. One without payments is cancelled; one that holds a payment
 * cannot be cancelled any more, so the rest is paid and it is closed.
 * @param tenders how a document of ours was to be paid; without, the rest is cash
 * @throws FiscalError when the device refuses both
 */
export async function settleOpenReceipt(
  device: IslDevice,
  found: CurrentReceipt,
  tenders: readonly Payment[] = [],
): Promise<void> {
  const actions = {
    environment: device.environment,
    read: () => readCurrentReceipt(device),
    mustBeFinished: ({ paidMinor }: CurrentReceipt) => paidMinor > 0,
    cancel: async () => (await device.send("cancel")).fault,
    pay: async (payment: Payment) => {
      const values = paymentValues(payment, device.dialect);
      return (await device.send("payment", values, "unless_silent")).fault;
    },
    close: async () => (await device.send("close")).fault,
  };
  await settleReceipt(actions, found, tenders);
}
