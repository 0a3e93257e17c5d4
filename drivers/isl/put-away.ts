/** Puts away a receipt that stands open on the device: cancelled, or finished where it is paid. */

import { FiscalError } from "#core/errors.ts";
import type { Payment } from "#core/receipt.ts";
import { clockNotSet, stateFault } from "../shared/device-fault.ts";
import type { SlipOnDevice } from "../shared/left-slip.ts";
import { clearDevice, type PutAway, putAwayReceipt, type TendersLeft } from "../shared/put-away.ts";
import type { Answer } from "./answer.ts";
import type { IslDevice } from "./device.ts";
import { paymentValues } from "./plan.ts";
import { type CurrentReceipt, readCurrentReceipt, toldNumber } from "./receipts.ts";

/**
 * Reads the device and puts away what stands open on it, so that our document begins clean.
 * @throws FiscalError E306, E307, E300 or E305 for what would make any document fail, or what keeps it
 * open
 */
export function clearTheWay(device: IslDevice): Promise<CurrentReceipt> {
  return clearDevice(async () => {
    const before = await readCurrentReceipt(device);
    checkReadiness(device);
    if (device.shows("non_fiscal_receipt_open")) return { putAway: () => slipOn(device).close() };
    return before.open ? { putAway: () => putAwayOpenReceipt(device, before) } : { clear: before };
  });
}

/** The device's slip. */
export function slipOn(device: IslDevice): SlipOnDevice {
  return {
    environment: device.environment,
    readOpen: async () => {
      if (!device.can("closeSlip")) return undefined;
      await device.ask("status");
      if (device.shows("non_fiscal_receipt_open")) return "slip";
      return device.shows("fiscal_receipt_open") ? "receipt" : undefined;
    },
    close: () => device.ask("closeSlip"),
  };
}

/**
 * Throws what would make any fiscal document fail, as the last answer's status bytes show it, so
 * that it fails before the document begins.
 * @throws FiscalError E306, E307, E300 or E305
 */
function checkReadiness(device: IslDevice): void {
  if (device.shows("paper_out")) throw stateFault("E306");
  if (device.shows("cover_open")) throw stateFault("E307");
  if (device.shows("fiscal_memory_full")) throw stateFault("E300");
  if (device.shows("clock_not_set")) throw clockNotSet();
}

/**
 * Leaves no fiscal receipt open. One without payments is cancelled; one that holds a payment
 * cannot be cancelled any more, so the rest is paid and it is closed. Parameters, result and errors
 * are those of `putAwayReceipt`.
 */
export async function putAwayOpenReceipt(
  device: IslDevice,
  found: CurrentReceipt,
  own?: TendersLeft,
): Promise<PutAway | undefined> {
  const actions = {
    environment: device.environment,
    read: () => readCurrentReceipt(device),
    toldNumber: (receipt: CurrentReceipt) => toldNumber(device, receipt),
    mustBeFinished: ({ paidMinor }: CurrentReceipt) => paidMinor > 0,
    cancel: async () => (await device.send("cancel")).fault,
    pay: async (payment: Payment) => {
      const answer = await device.sendOnce("payment", paymentValues(payment, device.dialect));
      // What came of it is seen on the next line.
      if (answer instanceof FiscalError) throw answer;
      return answer.fault;
    },
    close: async () => {
      const answer = await device.send("close");
      const refusal = closingRefusal(answer);
      if (refusal === undefined || answer.fault) return refusal;
      return (await readCurrentReceipt(device)).open ? refusal : undefined;
    },
  };
  return putAwayReceipt(actions, found, own);
}

/**
 * Why a document is not proven to be closed by the answer to the closing frame: whoever has closed one
 * tells its numbers, status bits alone confirm nothing.
 */
export function closingRefusal(answer: Answer): FiscalError | undefined {
  if (answer.fault || !answer.isBare) return answer.fault;
  return new FiscalError("E305", "The device did not confirm that it closed the document");
}
