/** Reading on through the books of devices, in slices between which everybody else goes on. */

import { type BookedPlace, type BookedSpan, placeOf } from "#core/booking.ts";
import { isSimulated } from "#core/device/device.ts";
import { noSuch } from "#core/errors.ts";
import type { BookedReceipt } from "#db/stores/booked-receipts.ts";
import type { Stores } from "#db/stores/index.ts";
import { nextWorkTurn } from "../../platform/work-turns.ts";

/** Entries that are read at once: a few milliseconds. */
export const SLICE_ROWS = 200;

/** Where an entry stands: its id, and when it came into the books. */
export interface BookedEntry {
  readonly id: string;
  readonly bookedAt: number;
}

/**
 * Reads entries slice by slice.
 * @param read gives entries of a span in their order, from its beginning
 * @param limit entries of a slice
 */
export async function* slicesOf<Entry extends BookedEntry>(
  read: (span: BookedSpan & { readonly limit: number }) => readonly Entry[],
  { after, upTo }: BookedSpan,
  limit = SLICE_ROWS,
): AsyncGenerator<readonly Entry[], void> {
  for (let from: BookedPlace = after; ; ) {
    const rows = read({ after: from, upTo, limit });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < limit) return;
    from = placeOf(last);
    await nextWorkTurn();
  }
}

/** All parts of a device's receipts in a span. */
export function receiptSlices(
  stores: Pick<Stores, "bookedReceipts">,
  { orgId, deviceId }: { readonly orgId: string; readonly deviceId: string },
  span: BookedSpan,
): AsyncGenerator<readonly BookedReceipt[], void> {
  return slicesOf((part) => stores.bookedReceipts.list(orgId, deviceId, part), span);
}

type BookStores = Pick<Stores, "bookedReceipts" | "devices" | "reports">;

/**
 * The devices of an organization: those registered, in the order of the list of devices, then those
 * that were removed and have receipts or reports.
 * @param simulated the simulated ones instead of all others: nothing is ever read of both
 */
export function devicesWithBooks(stores: BookStores, orgId: string, simulated = false): string[] {
  const { devices, bookedReceipts, reports } = stores;
  const all = [
    ...devices.list(orgId).map((one) => ({ deviceId: one.id, simulated: isSimulated(one) })),
    ...bookedReceipts.devices(orgId),
    ...reports.devices(orgId),
  ];
  const ofKind = all.filter((one) => one.simulated === simulated);
  return [...new Set(ofKind.map(({ deviceId }) => deviceId))];
}

/** Of which devices figures are asked. */
export interface AskedDevices {
  /** One alone, simulated or not. */
  readonly deviceId?: string | undefined;
  /** Without a device: the simulated ones instead of all others. */
  readonly simulated?: boolean | undefined;
}

/** Devices to read, all of one kind. */
export interface FoundDevices {
  readonly deviceIds: readonly string[];
  readonly simulated: boolean;
}

/**
 * Finds the devices that are asked for.
 * @throws ApiError NOT_FOUND for a device that is neither registered nor has any books
 */
export function findDevices(
  stores: BookStores,
  orgId: string,
  { deviceId, simulated = false }: AskedDevices,
): FoundDevices {
  if (deviceId === undefined) {
    return { deviceIds: devicesWithBooks(stores, orgId, simulated), simulated };
  }
  for (const kind of [false, true]) {
    if (!devicesWithBooks(stores, orgId, kind).includes(deviceId)) continue;
    return { deviceIds: [deviceId], simulated: kind };
  }
  throw noSuch("device");
}
