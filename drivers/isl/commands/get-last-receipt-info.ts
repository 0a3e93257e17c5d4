/** `get_last_receipt_info`: number, time and amount of the last receipt. */

import { describeLastReceipt } from "../../shared/printed-receipt.ts";
import type { IslCommand } from "../command.ts";
import { readLastReceipt } from "../last-receipt.ts";

export const getLastReceiptInfo = {
  type: "get_last_receipt_info",
  needs: ["transaction"],
  execute: async ({ device }) => {
    const { lastDocument, ...last } = await readLastReceipt(device);
    return {
      data: {
        lastReceipt: describeLastReceipt(last, device.facts.info),
        lastDocumentNumber: lastDocument === 0 ? null : String(lastDocument),
      },
    };
  },
} satisfies IslCommand;
