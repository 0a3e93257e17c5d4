/** `get_last_receipt_info`: number, time and amount of the last receipt. */

import { fromMinor } from "#core/money.ts";
import { parseClock } from "../clock-text.ts";
import type { IslCommand } from "../command.ts";
import { readCurrentReceipt } from "../receipts.ts";

export const getLastReceiptInfo = {
  type: "get_last_receipt_info",
  needs: ["transaction"],
  execute: async ({ device }) => {
    const last = await readCurrentReceipt(device);
    const text = (await device.tryAsk("lastReceipt"))?.optional("issuedAt");
    const { timezone } = device.environment;
    const issuedAt =
      text === undefined
        ? undefined
        : parseClock(text, timezone, device.dialect.clockMarksDaylight);
    // A receipt that is open, or was cancelled, has no amount that was ever due.
    const hasAmount = !last.open && last.paidMinor > 0;
    return {
      data: {
        lastReceipt: {
          receiptNumber: last.number === 0 ? null : String(last.number),
          receiptDateTime: issuedAt === undefined ? null : new Date(issuedAt).toISOString(),
          receiptAmount: hasAmount ? fromMinor(last.amountMinor) : null,
          fiscalMemorySerialNumber: device.facts.info.fiscalMemorySerialNumber,
        },
      },
    };
  },
} satisfies IslCommand;
