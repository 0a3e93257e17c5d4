/** Reading on through the books of devices, in slices between which everybody else goes on. */

import { type BookedPlace, type BookedSpan, placeOf } from "#core/booking.ts";
import type { BookedReceipt } from "#db/stores/booked-receipts.ts";
import type { Stores } from "#db/stores/index.ts";

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
    await nextTurn();
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

/**
 * The devices of an organization: those registered, in the order of the list of devices, then those
 * that were removed and have receipts or reports.
 */
export function devicesWithBooks(
  stores: Pick<Stores, "bookedReceipts" | "devices" | "reports">,
  orgId: string,
): string[] {
  const registered = stores.devices.list(orgId).map(({ id }) => id);
  const { bookedReceipts, reports } = stores;
  return [
    ...new Set([...registered, ...bookedReceipts.deviceIds(orgId), ...reports.deviceIds(orgId)]),
  ];
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
