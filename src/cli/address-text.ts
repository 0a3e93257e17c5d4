/** Where a device is, as a person reads it. */

import type { StoredDevice } from "#core/device/device.ts";

/** `host:port`, the address of a serial port or a Bluetooth device, or that it has none. */
export function addressText({
  transport,
  connectionParams: params,
}: Pick<StoredDevice, "transport" | "connectionParams">): string {
  if (transport === "simulated") return transport;
  return "host" in params ? `${params.host}:${params.port}` : params.address;
}
