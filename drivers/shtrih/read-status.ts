/** Reads the device's state. */

import type { DeviceStatus } from "#core/device/device.ts";
import { FiscalError } from "#core/errors.ts";
import type { ShtrihDevice } from "./device.ts";

/** Reads the device's state. @throws FiscalError */
export async function readStatus(device: ShtrihDevice): Promise<DeviceStatus> {
  await device.fullState();
  const status = device.status();
  if (!status) throw new FiscalError("E901", "The status was read and is not there");
  return status;
}
