/** `get_last_receipt_info`: number of the last sale. The protocol tells neither its time nor its amount. */

import type { ShtrihCommand } from "../command.ts";
import { COUNT } from "../requests.ts";

export const getLastReceiptInfo = {
  type: "get_last_receipt_info",
  execute: async ({ device }) => {
    const number = await device.count(COUNT.sale);
    return {
      data: {
        lastReceipt: {
          receiptNumber: number === 0 ? null : String(number),
          receiptDateTime: null,
          receiptAmount: null,
          fiscalMemorySerialNumber: device.facts.info.fiscalMemorySerialNumber,
        },
      },
    };
  },
} satisfies ShtrihCommand;
