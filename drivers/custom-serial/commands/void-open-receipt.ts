/** `void_open_receipt`: cancels the receipt that stands open on the device. */

import { BusyWait } from "../../shared/busy.ts";
import { paymentMade } from "../../shared/document-faults.ts";
import { sameSums } from "../../shared/sums.ts";
import { voidOpenReceiptOn } from "../../shared/void-open.ts";
import type { CustomCommand } from "../command.ts";
import type { CustomDevice } from "../device.ts";
import { cancelReceipt, slipOn } from "../put-away.ts";
import { readCurrentReceipt } from "../receipts.ts";

export const voidOpenReceipt = voidOpenReceiptOn(async (device: CustomDevice) => {
  device.require("cancel");
  const isSlip = (await device.readPosition())?.slipOpen === true;
  const found = await readCurrentReceipt(device);
  // One without answers cannot say that nothing stands open.
  if (!found.open && !isSlip && device.confirms) return undefined;
  if (found.isPaying) throw paymentMade();
  if (isSlip) return { end: () => slipOn(device).close() };
  return {
    // An open receipt has no number yet.
    end: async () => {
      const busy = new BusyWait(device.environment);
      let refusal = await cancelReceipt(device);
      while (await busy.passed(refusal)) {
        const now = await readCurrentReceipt(device);
        // It is busy because others work at it, and this is another one by now.
        if (!now.open || now.number !== found.number || !sameSums(now, found)) break;
        refusal = await cancelReceipt(device);
      }
      if (refusal) throw refusal;
    },
  };
}) satisfies CustomCommand;
