/** `void_open_receipt`: cancels the receipt that stands open on the device. */

import { stateFault } from "../../shared/device-fault.ts";
import type { ShtrihCommand } from "../command.ts";
import { cancelReceipt } from "../put-away.ts";
import { isFiscalReceiptOpen, isNonFiscalOpen } from "../status.ts";

export const voidOpenReceipt = {
  type: "void_open_receipt",
  execute: async ({ device, progress }) => {
    const state = await device.settledState();
    if (!isFiscalReceiptOpen(state) && !isNonFiscalOpen(state)) {
      throw stateFault("E302");
    }
    await progress.mark("committing");
    if (isNonFiscalOpen(state)) await device.ask("closeText");
    // Whoever rang it up may have finished it in the meantime.
    else if ((await cancelReceipt(device)) === "gone") throw stateFault("E302");
    // A receipt takes its number when it is finished: a cancelled one has none.
    return { data: { receiptNumber: null } };
  },
} satisfies ShtrihCommand;
