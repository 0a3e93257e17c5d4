/** Where a device is, as a person reads it. */

import type { DeviceAddress } from "#core/device/detection.ts";

/** `host:port`, else the address of a serial port or a Bluetooth device. */
export function addressText({ connectionParams: params }: Pick<DeviceAddress, "connectionParams">) {
  return "host" in params ? `${params.host}:${params.port}` : params.address;
}
