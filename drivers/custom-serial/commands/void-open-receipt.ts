/** `void_open_receipt`: cancels the receipt that stands open on the device. */

import { FiscalError } from "#core/errors.ts";
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
      throw new FiscalError("E302", "No receipt is open on the device");
    }
    if (found.isPaying) {
      throw new FiscalError("E305", "A payment was made: the receipt can only be finished");
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
