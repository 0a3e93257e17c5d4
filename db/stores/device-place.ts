/** Where a device stands: the one look-up of the zone that its clock runs by. */

import { type DevicePlace, placeOf } from "#core/device/device.ts";
import type { Device } from "./devices.ts";
import type { Stores } from "./index.ts";

type Places = Pick<Stores, "locations" | "organizations">;

/** The place of a device by its record: its location's where that names one, else the organization's. */
export function placeOfDevice(
  { locations, organizations }: Places,
  { orgId, locationId }: Pick<Device, "orgId" | "locationId">,
): DevicePlace {
  const organization = organizations.get(orgId) ?? { timezone: "UTC", currency: "" };
  return placeOf(organization, locations.get(orgId, locationId));
}

/** The IANA zone of a device. One whose record was removed stays where its last receipt was printed. */
export function timezoneOfDevice(
  stores: Places & Pick<Stores, "devices" | "receipts">,
  { orgId, deviceId }: { readonly orgId: string; readonly deviceId: string },
): string {
  const { locationId } = stores.devices.get(orgId, deviceId) ?? {
    locationId: lastLocation(stores, orgId, deviceId),
  };
  return placeOfDevice(stores, { orgId, locationId }).timezone;
}

function lastLocation({ receipts }: Pick<Stores, "receipts">, orgId: string, deviceId: string) {
  const newest = { sortBy: "createdAt", order: "desc", limit: 1 } as const;
  for (const [last] of receipts.list(orgId, { deviceId }, newest)) return last?.locationId ?? "";
  return "";
}
