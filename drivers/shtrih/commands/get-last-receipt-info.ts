/** `get_last_receipt_info`: number of the last sale. The protocol tells neither its time nor its amount. */

import { describeLastReceipt } from "../../shared/printed-receipt.ts";
import type { ShtrihCommand } from "../command.ts";
import { COUNT } from "../requests.ts";

export const getLastReceiptInfo = {
  type: "get_last_receipt_info",
  execute: async ({ device }) => {
    const number = await device.count(COUNT.sale);
    const last = { number, issuedAt: null, amountMinor: null };
    return { data: { lastReceipt: describeLastReceipt(last, device.facts.info) } };
  },
} satisfies ShtrihCommand;
