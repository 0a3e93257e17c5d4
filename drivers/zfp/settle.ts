/** Puts away a receipt that stands open on the device: cancelled, or finished where it is paid. */

import type { Payment } from "#core/receipt.ts";
import { settleReceipt } from "../shared/settle.ts";
import type { ZfpDevice } from "./device.ts";
import { paymentData } from "./plan.ts";
import { type CurrentReceipt, readCurrentReceipt } from "./receipts.ts";

/**
 * Leaves no fiscal receipt open. One without payments is cancelled. One that holds a payment would
 * be finished by the device itself when told to cancel, so the rest is paid as it should be.
 * @param tenders how a document of ours was to be paid; without, the rest is cash
 * @throws FiscalError when the device refuses both
 */
export async function settleOpenReceipt(
  device: ZfpDevice,
  found: CurrentReceipt,
  tenders: readonly Payment[] = [],
): Promise<void> {
  const actions = {
    environment: device.environment,
    read: () => readCurrentReceipt(device),
    mustBeFinished: ({ paymentStarted }: CurrentReceipt) => paymentStarted,
    cancel: async () => (await device.send("cancelReceipt")).fault,
    pay: async (payment: Payment) =>
      (await device.send("payment", paymentData(payment, device.dialect))).fault,
    close: async () => (await device.send("closeReceipt")).fault,
  };
  await settleReceipt(actions, found, tenders);
}
