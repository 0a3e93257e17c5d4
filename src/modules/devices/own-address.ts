/**
 * One address is one device among those that the appliance reaches itself, in whichever organization:
 * two queues on one printer would print into each other's receipts.
 */

import type { DeviceAddress } from "#core/device/detection.ts";
import { hasAddress } from "#core/device/device.ts";
import { addressText } from "#core/device/printer.ts";
import { ApiError } from "#core/errors.ts";
import type { Device } from "#db/stores/devices.ts";

export interface OwnAddressOptions {
  /** The devices that the appliance reaches itself. */
  listBuiltin(): readonly Device[];
  /** Names for what an address leads to; two that share one are the same. */
  addressKeys(address: DeviceAddress): Promise<readonly string[]>;
}

/** A device that wants an address. */
export interface Applicant extends DeviceAddress {
  readonly orgId: string;
  readonly managedBy: Device["managedBy"];
  /** Undefined while it is being registered. */
  readonly id: string | undefined;
}

/**
 * Looks whether an address is another device's: host names are looked up, ports by their real path.
 * @returns looks again inside the operation that takes it, at what was registered meanwhile
 * @throws ApiError CONFLICT
 */
export async function requireOwnAddress(
  applicant: Applicant,
  { listBuiltin, addressKeys }: OwnAddressOptions,
): Promise<() => void> {
  if (applicant.managedBy !== "builtin") return () => undefined;
  const seen = new Set<string>();
  const others = othersThan(applicant, listBuiltin());
  if (others.length > 0) {
    const keys = new Set(await addressKeys(applicant));
    for (const other of others) {
      seen.add(placeOf(other));
      if ((await addressKeys(other)).some((key) => keys.has(key))) throw taken(applicant, other);
    }
  }
  return () => {
    for (const other of othersThan(applicant, listBuiltin())) {
      if (seen.has(placeOf(other))) continue;
      if (addressText(other) === addressText(applicant)) throw taken(applicant, other);
    }
  };
}

/** Those that could lead to the same printer. */
function othersThan(applicant: Applicant, devices: readonly Device[]) {
  return devices
    .filter(hasAddress)
    .filter(
      (device) =>
        device.id !== applicant.id &&
        device.transport === applicant.transport &&
        portOf(device) === portOf(applicant),
    );
}

function portOf({ connectionParams }: DeviceAddress): number | undefined {
  return "port" in connectionParams ? connectionParams.port : undefined;
}

function placeOf(device: DeviceAddress & Pick<Device, "id">): string {
  return `${device.id} ${addressText(device)}`;
}

/** Another organization's device is not named. */
function taken({ orgId }: Applicant, other: Device): ApiError {
  const who = other.orgId === orgId ? `The device "${other.name}"` : "Another device";
  return new ApiError("CONFLICT", `${who} is registered at this address already`);
}
