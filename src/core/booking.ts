/** The books of a device: receipts and reports in the order in which they came into them. */

import type { StoredReceipt } from "./receipt-record.ts";

/** A place in the books of a device, behind one entry. */
export interface BookedPlace {
  /** UTC milliseconds. */
  readonly at: number;
  /**
   * What stands behind the kind in the entry's id. Ids of one process sort by the order of their
   * making, so a receipt and a report of one millisecond are in order too.
   */
  readonly key: string;
}

/** What lies behind one place, up to another with what stands there. */
export interface BookedSpan {
  readonly after: BookedPlace;
  readonly upTo: BookedPlace;
}

/**
 * When a receipt came into the books of its device, as `db/schema/receipts.ts` says it to SQLite: one
 * of ours when it was stored, by our clock; one made elsewhere when it says that it was issued.
 * @returns UTC milliseconds
 */
export function receiptBookedAt(
  receipt: Pick<StoredReceipt, "source" | "issuedAt" | "createdAt">,
): number {
  return receipt.source === "api" ? receipt.issuedAt : receipt.createdAt;
}

/** Where a receipt or a report stands. */
export function placeOf(entry: { readonly id: string; readonly bookedAt: number }): BookedPlace {
  return { at: entry.bookedAt, key: entry.id.slice(KIND_LENGTH) };
}

/** Before everything of an instant. */
export function placeBefore(instant: number): BookedPlace {
  return { at: instant, key: "" };
}

/** True when the first place lies before the second. */
export function isBefore(one: BookedPlace, other: BookedPlace): boolean {
  return one.at < other.at || (one.at === other.at && one.key < other.key);
}

/** The later of two places. */
export function laterOf(one: BookedPlace, other: BookedPlace): BookedPlace {
  return isBefore(one, other) ? other : one;
}

/** The earlier of two places. */
export function earlierOf(one: BookedPlace, other: BookedPlace): BookedPlace {
  return isBefore(one, other) ? one : other;
}

/** `rct_`, `rpt_`. */
const KIND_LENGTH = 4;
