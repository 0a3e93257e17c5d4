/** Reads the device's state, with what the status bytes do not tell. */

import type { DeviceStatus } from "#core/device/device.ts";
import type { IslDevice } from "./device.ts";

/**
 * Reads the device's state: the status bytes, and where the device tells it, whether the day must
 * be closed. Receipts do not ask that each time: a device that wants a Z report refuses the
 * opening frame with its own error, before anything is printed.
 * @throws FiscalError
 */
export async function readStatus(device: IslDevice): Promise<DeviceStatus> {
  const needed = (await device.tryAsk("dayCloseNeeded"))?.optional("value");
  if (needed !== undefined) device.kept.noteCloseRequired(needed === "1");
  await device.ask("status");
  return device.status();
}
