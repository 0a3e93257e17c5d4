/**
 * One address is one device among those that the appliance reaches itself, in whichever organization:
 * two queues on one printer would print into each other's receipts.
 */

import { addressText, isOneAddress, namesOf } from "#core/device/address.ts";
import type { DeviceAddress } from "#core/device/detection.ts";
import { hasAddress } from "#core/device/device.ts";
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

/** An address that was no other device's when it was looked up. */
export interface OwnAddress extends Pick<Device, "addressKeys"> {
  /**
   * Looks again inside the operation that takes it: among those that look at the same time, the first
   * one to get there has it.
   * @throws ApiError CONFLICT
   */
  requireStill(): void;
}

/**
 * Looks whether an address is another device's: host names are looked up, ports by their real path.
 * @throws ApiError CONFLICT
 */
export async function requireOwnAddress(
  applicant: Applicant,
  { listBuiltin, addressKeys }: OwnAddressOptions,
): Promise<OwnAddress> {
  // What a remote controller reaches is not looked up here.
  if (applicant.managedBy !== "builtin")
    return { addressKeys: null, requireStill: () => undefined };
  const keys = await addressKeys(applicant);
  const requireFree = (other: Device, theirs: readonly string[]): void => {
    if (isOneAddress(keys, theirs)) throw taken(applicant, other);
  };
  const seen = new Set<string>();
  for (const other of othersThan(applicant, listBuiltin())) {
    seen.add(placeOf(other));
    requireFree(other, await addressKeys(other));
  }
  return {
    addressKeys: keys,
    requireStill() {
      for (const other of othersThan(applicant, listBuiltin())) {
        // Its own look-up has just stored what it leads to.
        if (!seen.has(placeOf(other))) requireFree(other, other.addressKeys ?? namesOf(other));
      }
    },
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
