/** `void_open_receipt`: cancels the receipt that stands open on the device. */

import { voidOpenReceiptOn } from "../../shared/void-open.ts";
import type { IslCommand } from "../command.ts";
import type { IslDevice } from "../device.ts";
import { slipOn } from "../put-away.ts";
import { readCurrentReceipt, toldNumber } from "../receipts.ts";

export const voidOpenReceipt = {
  ...voidOpenReceiptOn(async (device: IslDevice) => {
    const found = await readCurrentReceipt(device);
    if (device.shows("non_fiscal_receipt_open")) return { end: () => slipOn(device).close() };
    if (!found.open) return undefined;
    return { end: () => device.ask("cancel"), number: () => toldNumber(device, found) };
  }),
  needs: ["cancel", "transaction"],
} satisfies IslCommand;
