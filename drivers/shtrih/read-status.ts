/** Reads the device's state, and has it print what it still holds. */

import type { DeviceStatus } from "#core/device/device.ts";
import { FiscalError } from "#core/errors.ts";
import type { ShtrihDevice } from "./device.ts";
import { isFiscalReceiptOpen, isNonFiscalOpen, type ShortState, SUBMODE } from "./status.ts";

/**
 * Reads the device's state. A printer whose roll ended behind the last frame of a document keeps the
 * rest of it until it is told to go on, and nobody else may be there to do so.
 * @throws FiscalError
 */
export async function readStatus(device: ShtrihDevice): Promise<DeviceStatus> {
  const state = await device.fullState();
  const isOpen = isFiscalReceiptOpen(state) || isNonFiscalOpen(state);
  const isToldToGoOn = !isOpen && (await proceed(device, state));
  if (isToldToGoOn) await device.fullState();
  const status = device.status();
  if (!status) throw new FiscalError("E901", "The status was read and is not there");
  return status;
}

/**
 * Tells a printer to go on that waits for that since paper was loaded.
 * @returns true when it was told
 * @throws FiscalError a line fault
 */
export async function proceed(device: ShtrihDevice, { submode }: ShortState): Promise<boolean> {
  if (submode !== SUBMODE.waitsForContinue) return false;
  await device.send("proceed");
  return true;
}
