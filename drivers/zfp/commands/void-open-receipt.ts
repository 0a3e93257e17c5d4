/** `void_open_receipt`: cancels the receipt that stands open on the device. */

import { paymentMade } from "../../shared/document-faults.ts";
import { voidOpenReceiptOn } from "../../shared/void-open.ts";
import type { ZfpCommand } from "../command.ts";
import type { ZfpDevice } from "../device.ts";
import { cancelReceipt, slipOn } from "../put-away.ts";
import { readCurrentReceipt, readLastReceipt, toldNumber } from "../receipts.ts";

export const voidOpenReceipt = voidOpenReceiptOn(async (device: ZfpDevice) => {
  const isSlip = (await device.readStatus()).has("non_fiscal_receipt_open");
  const found = await readCurrentReceipt(device);
  // Told to cancel such a receipt, the device would finish it.
  if (found.open && found.paymentStarted) throw paymentMade();
  if (isSlip) return { end: () => slipOn(device).close() };
  if (!found.open) return undefined;
  const last = await readLastReceipt(device);
  return {
    end: async () => {
      const done = await cancelReceipt(device, last);
      if (done === "finished") throw paymentMade();
      if (done !== "cancelled") throw done;
    },
    number: () => toldNumber(found, last),
  };
}) satisfies ZfpCommand;
