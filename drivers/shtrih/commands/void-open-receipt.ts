/** `void_open_receipt`: cancels the receipt that stands open on the device. */

import { noReceiptOpen } from "../../shared/document-faults.ts";
import type { ShtrihCommand } from "../command.ts";
import { cancelReceipt } from "../put-away.ts";
import { isFiscalReceiptOpen, isNonFiscalOpen } from "../status.ts";

export const voidOpenReceipt = {
  type: "void_open_receipt",
  execute: async ({ device, progress }) => {
    const state = await device.fullState();
    if (!isFiscalReceiptOpen(state) && !isNonFiscalOpen(state)) {
      throw noReceiptOpen();
    }
    await progress.mark("committing");
    if (isNonFiscalOpen(state)) await device.ask("closeText");
    else await cancelReceipt(device);
    // A receipt takes its number when it is finished: a cancelled one has none.
    return { data: { receiptNumber: null } };
  },
} satisfies ShtrihCommand;
