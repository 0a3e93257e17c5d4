/** `void_open_receipt`: cancels the receipt that stands open on the device. */

import { FiscalError } from "#core/errors.ts";
import type { ZfpCommand } from "../command.ts";
import { readCurrentReceipt } from "../receipts.ts";

export const voidOpenReceipt = {
  type: "void_open_receipt",
  execute: async ({ device, progress }) => {
    const isSlip = (await device.readStatus()).has("non_fiscal_receipt_open");
    const found = await readCurrentReceipt(device);
    if (!found.open && !isSlip) {
      throw new FiscalError("E302", "No receipt is open on the device");
    }
    // Told to cancel such a receipt, the device would finish it.
    if (found.open && found.paymentStarted) {
      throw new FiscalError("E305", "A payment was made: the receipt can only be finished");
    }
    await progress.mark("committing");
    await device.ask(isSlip ? "closeSlip" : "cancelReceipt");
    return { data: { receiptNumber: isSlip ? null : String(found.number) } };
  },
} satisfies ZfpCommand;
