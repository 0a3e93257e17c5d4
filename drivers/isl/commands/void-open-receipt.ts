/** `void_open_receipt`: cancels the receipt that stands open on the device. */

import { stateFault } from "../../shared/device-fault.ts";
import type { IslCommand } from "../command.ts";
import { readCurrentReceipt, toldNumber } from "../receipts.ts";

export const voidOpenReceipt = {
  type: "void_open_receipt",
  needs: ["cancel", "transaction"],
  execute: async ({ device, progress }) => {
    const found = await readCurrentReceipt(device);
    const isSlip = device.shows("non_fiscal_receipt_open");
    if (!found.open && !isSlip) {
      throw stateFault("E302");
    }
    await progress.mark("committing");
    await device.ask(isSlip ? "closeSlip" : "cancel");
    const number = isSlip ? undefined : toldNumber(device, found);
    return { data: { receiptNumber: number === undefined ? null : String(number) } };
  },
} satisfies IslCommand;
