/** `void_open_receipt`: cancels the receipt that stands open on the device. */

import { stateFault } from "../../shared/device-fault.ts";
import { paymentMade } from "../../shared/document-faults.ts";
import type { ZfpCommand } from "../command.ts";
import { cancelReceipt } from "../put-away.ts";
import { readCurrentReceipt, readLastReceipt, toldNumber } from "../receipts.ts";

export const voidOpenReceipt = {
  type: "void_open_receipt",
  execute: async ({ device, progress }) => {
    const isSlip = (await device.readStatus()).has("non_fiscal_receipt_open");
    const found = await readCurrentReceipt(device);
    if (!found.open && !isSlip) {
      throw stateFault("E302");
    }
    // Told to cancel such a receipt, the device would finish it.
    if (found.open && found.paymentStarted) {
      throw paymentMade();
    }
    if (isSlip) {
      await progress.mark("committing");
      await device.ask("closeSlip");
      return { data: { receiptNumber: null } };
    }
    const last = await readLastReceipt(device);
    await progress.mark("committing");
    const done = await cancelReceipt(device, last);
    if (done === "finished") throw paymentMade();
    if (done !== "cancelled") throw done;
    const number = toldNumber(found, last);
    return { data: { receiptNumber: number === undefined ? null : String(number) } };
  },
} satisfies ZfpCommand;
