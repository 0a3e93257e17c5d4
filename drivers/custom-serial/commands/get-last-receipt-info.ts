/** `get_last_receipt_info`: number, time and amount of the last receipt that was closed. */

import { FiscalError } from "#core/errors.ts";
import { isStateRefusal } from "../../shared/device-fault.ts";
import { describeLastReceipt } from "../../shared/printed-receipt.ts";
import type { CustomCommand } from "../command.ts";
import type { CustomDevice } from "../device.ts";
import { readLastDocument } from "../receipts.ts";
import { readZNumber } from "../z-number.ts";

export const getLastReceiptInfo = {
  type: "get_last_receipt_info",
  execute: async ({ device }) => {
    const last = await readLastDocument(device);
    if (!last) throw await untold(device);
    const { number, issuedAt, totalMinor, cancelled } = last;
    // One that was cancelled has no amount that was ever due.
    const amountMinor = cancelled === true ? null : totalMinor;
    const lastZReportNumber = await readZNumber(device);
    return {
      data: {
        lastReceipt: describeLastReceipt({ number, issuedAt, amountMinor }, device.facts.info),
        lastZReportNumber,
      },
    };
  },
} satisfies CustomCommand;

/**
 * Why nothing was told: the device refuses by the state in which it stands, and may tell later, or
 * it has nothing to tell. One that has printed no receipt may refuse the second question for ever.
 */
async function untold(device: CustomDevice): Promise<FiscalError> {
  for (const name of ["lastReceipt", "account"] as const) {
    if (!device.can(name) || !device.confirms) continue;
    const { fault } = await device.send(name);
    if (fault && isStateRefusal(fault)) return fault;
  }
  return new FiscalError("E201", "This device does not tell of its receipts");
}
