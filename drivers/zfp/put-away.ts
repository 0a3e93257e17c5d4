/** Puts away a receipt that stands open on the device: cancelled, or finished where it is paid. */

import type { FiscalError } from "#core/errors.ts";
import type { Payment } from "#core/receipt.ts";
import { clockNotSet, stateFault, unlessUntold } from "../shared/device-fault.ts";
import type { SlipOnDevice } from "../shared/left-slip.ts";
import { clearDevice, type PutAway, putAwayReceipt, type TendersLeft } from "../shared/put-away.ts";
import { noSuchTender } from "../shared/tenders.ts";
import type { ZfpDevice } from "./device.ts";
import { paymentData } from "./plan.ts";
import {
  type CurrentReceipt,
  type LastReceipt,
  readCurrentReceipt,
  readLastReceipt,
  readPaid,
  toldNumber,
} from "./receipts.ts";
import type { StatusBytes } from "./status.ts";

/**
 * Reads the device and puts away what stands open on it, so that our document begins clean.
 * @returns its state then
 * @throws FiscalError E306, E300 or E305 for what would make any document fail, or what keeps it open
 */
export function clearTheWay(device: ZfpDevice): Promise<StatusBytes> {
  return clearDevice<StatusBytes>(async () => {
    const status = await device.readStatus();
    checkReadiness(status);
    if (status.has("non_fiscal_receipt_open")) return { putAway: () => slipOn(device).close() };
    if (!status.has("fiscal_receipt_open")) return { clear: status };
    const putAway = async () => {
      const found = await readCurrentReceipt(device);
      const last = await unlessUntold(readLastReceipt(device));
      return putAwayOpenReceipt(device, { found, last });
    };
    return { putAway };
  });
}

/** The device's slip. */
export function slipOn(device: ZfpDevice): SlipOnDevice {
  return {
    environment: device.environment,
    readOpen: async () => {
      const status = await device.readStatus();
      if (status.has("non_fiscal_receipt_open")) return "slip";
      return status.has("fiscal_receipt_open") ? "receipt" : undefined;
    },
    close: () => device.ask("closeSlip"),
  };
}

function checkReadiness(status: StatusBytes): void {
  if (status.has("paper_out")) throw stateFault("E306");
  if (status.has("memory_full")) throw stateFault("E300");
  if (status.has("clock_not_set")) throw clockNotSet();
}

/**
 * Tells the device to cancel its open receipt, which it ends by finishing where somebody has paid on
 * it by then. So what it has issued is looked at before and behind it.
 * @param known the last receipt that was issued, where it was just read
 * @returns the refusal, or what came of it
 * @throws FiscalError a refusal before anything was sent, or behind it of all that could tell what
 *   came of it, or a line fault
 */
export async function cancelReceipt(
  device: ZfpDevice,
  known?: LastReceipt,
): Promise<FiscalError | PutAway> {
  const before = known ?? (await readLastReceipt(device));
  const { fault } = await device.send("cancelReceipt");
  if (fault) return fault;
  const now = await unlessUntold(readLastReceipt(device));
  const isCompared = now !== undefined && now.isTold === before.isTold;
  if (isCompared && now.number === before.number) return "cancelled";
  if (isCompared && now.isTold) return "finished";
  // A count that has moved may count cancelled ones as well. What was finished was paid.
  return (await readPaid(device)) === 0 ? "cancelled" : "finished";
}

/**
 * Leaves no fiscal receipt open. One without payments is cancelled. One that holds a payment would
 * be finished by the device itself when told to cancel, so the rest is paid as it should be.
 * Parameters, result and errors are those of `putAwayReceipt`.
 * @param seen with the last receipt that was issued, read behind what was found; undefined where the
 *   device did not tell
 */
export function putAwayOpenReceipt(
  device: ZfpDevice,
  { found, last }: { readonly found: CurrentReceipt; readonly last: LastReceipt | undefined },
  own?: TendersLeft,
): Promise<PutAway | undefined> {
  const actions = {
    environment: device.environment,
    read: () => readCurrentReceipt(device),
    toldNumber: (receipt: CurrentReceipt) => toldNumber(receipt, last),
    mustBeFinished: ({ paymentStarted }: CurrentReceipt) => paymentStarted,
    cancel: async () => {
      // The next one may show the number of what was found, and be worth as much.
      const done = await cancelReceipt(device, last);
      return done === "cancelled" ? undefined : done;
    },
    pay: (payment: Payment) => pay(device, payment),
    close: async () => (await device.send("closeReceipt")).fault,
  };
  return putAwayReceipt(actions, found, own);
}

/** @returns the refusal; that of a tender which the device has no more, as it was programmed otherwise, too */
async function pay(device: ZfpDevice, payment: Payment): Promise<FiscalError | undefined> {
  const { tenders } = device.dialect;
  if (tenders[payment.method] === undefined) return noSuchTender(payment, tenders);
  return (await device.send("payment", paymentData(payment, tenders))).fault;
}
