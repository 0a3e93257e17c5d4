/** What a search for devices uses of the machine. */

import type { DeviceAddress } from "#core/device/detection.ts";
import type { ManagedBy } from "#core/device/device.ts";
import type { SerialPortInfo } from "#core/device/serial-port.ts";
import type { Driver } from "#core/driver.ts";
import type { ProbeEnvironment } from "./probe.ts";

/** A device that is registered, whose line is left alone. */
export interface RegisteredDevice extends DeviceAddress {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
  readonly managedBy: ManagedBy;
}

export interface DetectorEnvironment extends ProbeEnvironment {
  readonly drivers: readonly Driver[];
  listPorts(): readonly SerialPortInfo[];
  /** Two addresses that share a key are the same. */
  addressKeys(address: DeviceAddress): Promise<readonly string[]>;
  /** Another program that uses a serial port; undefined when none is known. */
  portUser(path: string): string | undefined;
  registered(): readonly RegisteredDevice[];
}
