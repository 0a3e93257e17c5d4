/** `void_open_receipt`: cancels the receipt that stands open on the device. */

import { paymentMade } from "../../shared/document-faults.ts";
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
      const fault = await cancelReceipt(device);
      if (fault) throw fault;
    },
  };
}) satisfies CustomCommand;
