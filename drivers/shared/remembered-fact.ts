/**
 * What is remembered of one printer from line to line. `DriverEnvironment.remembered` belongs to an
 * address: another printer may answer there tomorrow, on loan or in its place, and the same one with
 * another firmware. So what holds for one of them alone is kept with its number and version, and is
 * as good as never learnt on any other. Where a printer tells no number, nothing is kept of it.
 */

import type { DeviceInfo } from "#core/device/device.ts";
import type { DriverEnvironment } from "#core/driver.ts";

/** The printer at the end of the line. */
interface KnownDevice {
  readonly environment: Pick<DriverEnvironment, "remembered">;
  readonly facts: {
    readonly info: Pick<DeviceInfo, "serialNumber" | "firmwareVersion">;
  };
}

/** The fact of this name as it was learnt of this printer; undefined when it was not. */
export function recall(device: KnownDevice, name: string): string | undefined {
  const owner = ownerOf(device);
  const kept = device.environment.remembered.get(name);
  return owner !== undefined && kept?.startsWith(owner) ? kept.slice(owner.length) : undefined;
}

/** Keeps a fact in the place of what was kept under this name. */
export function remember(device: KnownDevice, name: string, fact: string): void {
  const owner = ownerOf(device);
  if (owner !== undefined) device.environment.remembered.set(name, owner + fact);
}

/** A fact has shown to be wrong, or to belong to nobody. */
export function forget({ environment }: KnownDevice, name: string): void {
  environment.remembered.delete(name);
}

function ownerOf({ facts }: KnownDevice): string | undefined {
  const { serialNumber, firmwareVersion } = facts.info;
  return serialNumber === null ? undefined : `${serialNumber} ${firmwareVersion ?? ""}\t`;
}
