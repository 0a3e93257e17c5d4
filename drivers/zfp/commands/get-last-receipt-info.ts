/** `get_last_receipt_info`: number, time and amount of the last receipt that was issued. */

import { describeLastReceipt } from "../../shared/printed-receipt.ts";
import type { ZfpCommand } from "../command.ts";
import { readLastReceipt } from "../receipts.ts";

export const getLastReceiptInfo = {
  type: "get_last_receipt_info",
  execute: async ({ device }) => {
    const last = await readLastReceipt(device);
    return { data: { lastReceipt: describeLastReceipt(last, device.facts.info) } };
  },
} satisfies ZfpCommand;
