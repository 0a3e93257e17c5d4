/** `void_open_receipt`: cancels the receipt that stands open on the device. */

import { stateFault } from "../../shared/device-fault.ts";
import { voidOpenReceiptOn } from "../../shared/void-open.ts";
import type { ShtrihCommand } from "../command.ts";
import type { ShtrihDevice } from "../device.ts";
import { cancelFound, slipOn } from "../put-away.ts";
import { isFiscalReceiptOpen, isNonFiscalOpen } from "../status.ts";

export const voidOpenReceipt = voidOpenReceiptOn(async (device: ShtrihDevice) => {
  const state = await device.settledState();
  if (isNonFiscalOpen(state)) return { end: () => slipOn(device).close() };
  if (!isFiscalReceiptOpen(state)) return undefined;
  return {
    // A receipt takes its number when it is finished: a cancelled one has none.
    end: async () => {
      // Whoever rang it up may have finished it in the meantime.
      if ((await cancelFound(device, state)) === "gone") throw stateFault("E302");
    },
  };
}) satisfies ShtrihCommand;
