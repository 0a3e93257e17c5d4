/**
 * Receipts in the books of their device, for whoever reads on through them. However long the
 * history is, a slice costs what it holds.
 */

import { and, asc, desc, eq, getTableColumns, sql } from "drizzle-orm";
import type { ReceiptType, StoredReceipt } from "#core/receipt-record.ts";
import type { Database } from "../connection.ts";
import { receiptBookedAt, receipts } from "../schema/receipts.ts";
import { type BookedSlice, sliceParameters } from "./booked-span.ts";
import { deviceLister } from "./device-ids.ts";
import { prepareLater } from "./prepared-query.ts";

/** A receipt, and when it came into the books. */
export interface BookedReceipt extends StoredReceipt {
  readonly bookedAt: number;
}

/** What sums over receipts without their parts are made of. */
export interface BookedTotal {
  readonly id: string;
  readonly bookedAt: number;
  readonly type: ReceiptType;
  readonly totalMinor: number;
  readonly currency: string;
}

const p = sql.placeholder;

/** All queries on receipts by their place in the books. */
export function createBookedReceiptStore({ orm }: Database) {
  const place = sql`(${receiptBookedAt}, ${receipts.id})`;
  const ofDevice = and(eq(receipts.orgId, p("orgId")), eq(receipts.deviceId, p("deviceId")));
  const within = and(
    ofDevice,
    // SQLite looks up an expression of the index in it, but no pair with one.
    sql`${receiptBookedAt} >= ${p("afterAt")} and ${receiptBookedAt} <= ${p("upToAt")}`,
    sql`${place} > (${p("afterAt")}, ${p("afterId")})`,
    sql`${place} <= (${p("upToAt")}, ${p("upToId")})`,
  );
  const inOrder = [asc(receiptBookedAt), asc(receipts.id)] as const;
  const bookedAt = receiptBookedAt.mapWith(Number).as("booked_at");
  const whole = prepareLater(() =>
    orm
      .select({ ...getTableColumns(receipts), bookedAt })
      .from(receipts)
      .where(within)
      .orderBy(...inOrder)
      .limit(p("limit")),
  );
  const { id, type, totalMinor, currency } = receipts;
  const totals = prepareLater(() =>
    orm
      .select({ id, bookedAt, type, totalMinor, currency })
      .from(receipts)
      .where(within)
      .orderBy(...inOrder)
      .limit(p("limit")),
  );
  const newest = prepareLater(() =>
    orm
      .select()
      .from(receipts)
      .where(ofDevice)
      .orderBy(desc(receiptBookedAt), desc(receipts.id))
      .limit(1),
  );
  return {
    /** The last in the books of a device. */
    last: (orgId: string, deviceId: string): StoredReceipt | undefined =>
      newest.get({ orgId, deviceId }),
    /** Receipts of a device with all their parts, in the order of its books. */
    list: (orgId: string, deviceId: string, slice: BookedSlice): BookedReceipt[] =>
      whole.all(sliceParameters("rct", { orgId, deviceId }, slice)),
    /** The same without the parts. */
    listTotals: (orgId: string, deviceId: string, slice: BookedSlice): BookedTotal[] =>
      totals.all(sliceParameters("rct", { orgId, deviceId }, slice)),
    /** Devices that have receipts, removed ones too: one look into the index for each. */
    devices: deviceLister(orm, receipts),
  };
}
