/** Receipts: what was printed. */

import { and, desc, eq, or, sql } from "drizzle-orm";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { Database } from "../connection.ts";
import { receipts } from "../schema/receipts.ts";

export type ReceiptStore = ReturnType<typeof createReceiptStore>;

/** All queries on receipts. */
export function createReceiptStore({ orm }: Database) {
  const p = sql.placeholder;
  const insert = orm
    .insert(receipts)
    .values({
      id: p("id"),
      orgId: p("orgId"),
      deviceId: p("deviceId"),
      locationId: p("locationId"),
      commandId: p("commandId"),
      apiKeyId: p("apiKeyId"),
      type: p("type"),
      fiscalId: p("fiscalId"),
      receiptNumber: p("receiptNumber"),
      uniqueSaleNumber: p("uniqueSaleNumber"),
      fiscalMemorySerialNumber: p("fiscalMemorySerialNumber"),
      zReportNumber: p("zReportNumber"),
      issuedAt: p("issuedAt"),
      currency: p("currency"),
      items: p("items"),
      subtotalModifiers: p("subtotalModifiers"),
      payments: p("payments"),
      totalMinor: p("totalMinor"),
      customerCif: p("customerCif"),
      originalReceiptId: p("originalReceiptId"),
      source: p("source"),
      createdAt: p("createdAt"),
    })
    .prepare();
  return {
    insert(receipt: StoredReceipt): void {
      insert.run({ ...receipt });
    },
    /** The receipt with this id, or the newest to which the device gave this fiscal id. */
    findByIdOrFiscalId(orgId: string, deviceId: string, id: string): StoredReceipt | undefined {
      return orm
        .select()
        .from(receipts)
        .where(
          and(
            eq(receipts.orgId, orgId),
            eq(receipts.deviceId, deviceId),
            or(eq(receipts.id, id), eq(receipts.fiscalId, id)),
          ),
        )
        .orderBy(desc(receipts.createdAt))
        .limit(1)
        .get();
    },
  };
}
