/** Puts away what stands open on the device. */

import { FiscalError } from "#core/errors.ts";
import type { Payment } from "#core/receipt.ts";
import { type ReceiptActions, type Settlement, settleReceipt } from "../shared/settle.ts";
import type { CustomDevice } from "./device.ts";
import { paymentValues } from "./plan.ts";
import { type CurrentReceipt, readCurrentReceipt } from "./receipts.ts";

/**
 * Leaves no fiscal receipt open. One without payments is cancelled; one that holds a payment is
 * finished.
 * @param tenders how a document of ours was to be paid; without, the rest is cash
 * @returns what was done; undefined when it was gone all at once
 * @throws FiscalError when the device refuses both
 */
export function settleOpenReceipt(
  device: CustomDevice,
  found: CurrentReceipt,
  tenders: readonly Payment[] = [],
): Promise<Settlement | undefined> {
  const actions: ReceiptActions<CurrentReceipt> = {
    environment: device.environment,
    read: () => readCurrentReceipt(device),
    mustBeFinished: ({ isPaying }) => isPaying,
    cancel: () => cancelReceipt(device),
    pay: async (payment) => {
      const { fault } = await device.send("payment", paymentValues(payment, device.profile));
      return fault;
    },
    close: async () => (await device.send("close")).fault ?? (await eject(device)),
  };
  return settleReceipt(actions, found, tenders);
}

/** Cancels the open receipt, and cuts it off where the device does not do that itself. */
export async function cancelReceipt(device: CustomDevice): Promise<FiscalError | undefined> {
  if (!device.can("cancel")) {
    return new FiscalError("E201", `The profile ${device.profile.id} has no command cancel`);
  }
  const { limits, text } = device.profile;
  const values = { department: limits.department, text: text.cancel };
  const { fault } = await device.send("cancel", values);
  if (fault) return fault;
  const { isClosed } = await readCurrentReceipt(device);
  return isClosed ? eject(device) : undefined;
}

/** Cuts a closed receipt off. A refusal concerns the paper, not the receipt. @throws FiscalError */
export async function eject(device: CustomDevice): Promise<FiscalError | undefined> {
  return device.can("eject") ? (await device.send("eject")).fault : undefined;
}
