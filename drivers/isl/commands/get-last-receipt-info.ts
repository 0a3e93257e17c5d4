/** `get_last_receipt_info`: number, time and amount of the last receipt. */

import { fromMinor } from "#core/money.ts";
import type { IslCommand } from "../command.ts";
import { readLastReceipt } from "../last-receipt.ts";

export const getLastReceiptInfo = {
  type: "get_last_receipt_info",
  needs: ["transaction"],
  execute: async ({ device }) => {
    const { number, issuedAt, amountMinor, lastDocument } = await readLastReceipt(device);
    return {
      data: {
        lastReceipt: {
          receiptNumber: number === null ? null : String(number),
          receiptDateTime: issuedAt === null ? null : new Date(issuedAt).toISOString(),
          receiptAmount: amountMinor === null ? null : fromMinor(amountMinor),
          fiscalMemorySerialNumber: device.facts.info.fiscalMemorySerialNumber,
        },
        lastDocumentNumber: lastDocument === 0 ? null : String(lastDocument),
      },
    };
  },
} satisfies IslCommand;
