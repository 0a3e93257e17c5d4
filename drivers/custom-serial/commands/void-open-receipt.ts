/** `void_open_receipt`: cancels the receipt that stands open on the device. */

import { stateFault } from "../../shared/device-fault.ts";
import { paymentMade } from "../../shared/document-faults.ts";
import type { CustomCommand } from "../command.ts";
import { cancelReceipt } from "../put-away.ts";
import { readCurrentReceipt } from "../receipts.ts";

export const voidOpenReceipt = {
  type: "void_open_receipt",
  execute: async ({ device, progress }) => {
    device.require("cancel");
    const isSlip = (await device.readPosition())?.slipOpen === true;
    const found = await readCurrentReceipt(device);
    if (!found.open && !isSlip && device.confirms) {
      throw stateFault("E302");
    }
    if (found.isPaying) {
      throw paymentMade();
    }
    await progress.mark("committing");
    if (isSlip) await device.ask("slipClose");
    else {
      const fault = await cancelReceipt(device);
      if (fault) throw fault;
    }
    // An open receipt has no number yet.
    return { data: { receiptNumber: null } };
  },
} satisfies CustomCommand;
