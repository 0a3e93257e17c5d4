/** Where a device is in its fiscal day, from its books and from what it says. */

import { laterOf, placeBefore, placeOf } from "#core/booking.ts";
import type { DayFacts } from "#core/device/closing.ts";
import type { StatusReading } from "#core/device/reading.ts";
import { placeOfDevice } from "#db/stores/device-place.ts";
import type { Device } from "#db/stores/devices.ts";
import type { Stores } from "#db/stores/index.ts";

export type DayStores = Pick<
  Stores,
  "bookedReceipts" | "closings" | "locations" | "organizations" | "reports"
>;

/** What is known of the device now. */
interface Known {
  /** UTC milliseconds. */
  readonly now: number;
  readonly reading: StatusReading | undefined;
}

/** What a closing follows from; where the shop has no closing time, the books are not looked at. */
export function dayFacts(stores: DayStores, device: Device, { now, reading }: Known): DayFacts {
  const organization = stores.organizations.get(device.orgId);
  const closingTime = organization?.closingTime ?? null;
  if (organization === undefined || closingTime === null) {
    const nothing = { closingTime: null, openSince: null, fiscalDayOpen: null };
    return { now, timezone: "UTC", ...nothing };
  }
  const { timezone } = placeOfDevice(stores, device);
  const openSince = firstUnclosed(stores, device, now);
  const fiscalDayOpen = reading?.status.fiscalDayOpen ?? null;
  return { now, closingTime, timezone, openSince, fiscalDayOpen };
}

/**
 * When the first receipt was booked since the day was closed: by a Z report, or, as far as anybody
 * saw it, at the printer itself. Null when there is none.
 */
function firstUnclosed(
  { reports, closings, bookedReceipts }: DayStores,
  { orgId, id }: Device,
  now: number,
): number | null {
  const upTo = placeBefore(now + 1);
  const lastZ = reports.lastClosing(orgId, id, upTo);
  const { seenClosedAt } = closings.of(id);
  // One that was seen while the clock was ahead would hide every receipt until that instant.
  const isPast = seenClosedAt !== null && seenClosedAt <= now;
  const seenClosed = placeBefore(isPast ? seenClosedAt : 0);
  const after = lastZ === undefined ? seenClosed : laterOf(placeOf(lastZ), seenClosed);
  const [first] = bookedReceipts.listTotals(orgId, id, { after, upTo, limit: 1 });
  return first?.bookedAt ?? null;
}
