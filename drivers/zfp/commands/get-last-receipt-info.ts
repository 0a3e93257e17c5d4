/** `get_last_receipt_info`: number, time and amount of the last receipt that was issued. */

import { fromMinor } from "#core/money.ts";
import type { ZfpCommand } from "../command.ts";
import { readLastReceipt } from "../receipts.ts";

export const getLastReceiptInfo = {
  type: "get_last_receipt_info",
  execute: async ({ device }) => {
    const { number, issuedAt, amountMinor } = await readLastReceipt(device);
    return {
      data: {
        lastReceipt: {
          receiptNumber: number === 0 ? null : String(number),
          receiptDateTime: issuedAt === null ? null : new Date(issuedAt).toISOString(),
          receiptAmount: amountMinor === null ? null : fromMinor(amountMinor),
          fiscalMemorySerialNumber: device.facts.info.fiscalMemorySerialNumber,
        },
      },
    };
  },
} satisfies ZfpCommand;
