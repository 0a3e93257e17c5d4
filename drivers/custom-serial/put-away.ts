/** Puts away what stands open on the device. */

import type { FiscalError } from "#core/errors.ts";
import type { Payment } from "#core/receipt.ts";
import type { SlipOnDevice } from "../shared/left-slip.ts";
import {
  clearDevice,
  type PutAway,
  putAwayReceipt,
  type ReceiptActions,
  type TendersLeft,
} from "../shared/put-away.ts";
import { noSuchTender } from "../shared/tenders.ts";
import { lacks } from "./compile-profile.ts";
import type { CustomDevice } from "./device.ts";
import { paymentValues } from "./plan.ts";
import { type CurrentReceipt, readCurrentReceipt } from "./receipts.ts";
import { type DeviceReading, requireReadiness } from "./status.ts";

/**
 * Reads the device and puts away what stands open on it, so that our document begins clean.
 * @throws FiscalError E300, E304 to E307 for what would make any document fail, or what keeps it open
 */
export async function clearTheWay(device: CustomDevice): Promise<void> {
  // One without answers cannot say what stands open: lines of a receipt that broke off would join
  // ours. Where nothing is open there is nothing to cancel.
  if (!device.confirms && device.can("cancel")) await cancelReceipt(device);
  await clearDevice<DeviceReading>(async () => {
    const state = await device.readState();
    requireReadiness(state);
    const { position } = state;
    if (position?.slipOpen) return { putAway: () => slipOn(device).close() };
    if (position?.fiscalOpen) {
      return { putAway: async () => putAwayOpenReceipt(device, await readCurrentReceipt(device)) };
    }
    return position?.step === "closed" ? { putAway: () => eject(device) } : { clear: state };
  });
}

/** The device's slip. */
export function slipOn(device: CustomDevice): SlipOnDevice {
  return {
    environment: device.environment,
    readOpen: async () => {
      if (!device.can("slipClose")) return undefined;
      const position = await device.readPosition();
      if (position?.slipOpen) return "slip";
      return position?.fiscalOpen ? "receipt" : undefined;
    },
    close: () => device.ask("slipClose"),
  };
}

/**
 * Leaves no fiscal receipt open. One without payments is cancelled; one that holds a payment is
 * finished. Parameters, result and errors are those of `putAwayReceipt`.
 */
export function putAwayOpenReceipt(
  device: CustomDevice,
  found: CurrentReceipt,
  own?: TendersLeft,
): Promise<PutAway | undefined> {
  const actions: ReceiptActions<CurrentReceipt> = {
    environment: device.environment,
    read: () => readCurrentReceipt(device),
    // It gets its number when it is closed.
    toldNumber: () => undefined,
    mustBeFinished: ({ isPaying }) => isPaying,
    cancel: () => cancelReceipt(device),
    pay: (payment) => pay(device, payment),
    close: async () => (await device.offer("close")).fault ?? (await eject(device)),
  };
  return putAwayReceipt(actions, found, own);
}

/** @returns the refusal; that of a tender which the profile has no more, as it was changed, too */
async function pay(device: CustomDevice, payment: Payment): Promise<FiscalError | undefined> {
  const { tenders } = device.profile;
  if (tenders[payment.method] === undefined) return noSuchTender(payment, tenders);
  return (await device.offer("payment", paymentValues(payment, device.profile))).fault;
}

/**
 * Cancels the open receipt, and cuts it off where the device does not do that itself.
 * @returns the refusal; a `DeviceBusy` wants another look at what is open
 */
export async function cancelReceipt(device: CustomDevice): Promise<FiscalError | undefined> {
  if (!device.can("cancel")) return lacks(device.profile, "cancel");
  const { limits, text } = device.profile;
  const values = { department: limits.department, text: text.cancel };
  const { fault } = await device.offer("cancel", values);
  if (fault) return fault;
  const { isClosed } = await readCurrentReceipt(device);
  return isClosed ? eject(device) : undefined;
}

/** Cuts a closed receipt off. A refusal concerns the paper, not the receipt. @throws FiscalError */
export async function eject(device: CustomDevice): Promise<FiscalError | undefined> {
  return device.can("eject") ? (await device.send("eject")).fault : undefined;
}
