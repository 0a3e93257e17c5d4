/** Receipts: what was printed. */

import { and, desc, eq, or } from "drizzle-orm";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { Database } from "../connection.ts";
import { receipts } from "../schema/receipts.ts";
import { insertWhole } from "./whole-row.ts";

export type ReceiptStore = ReturnType<typeof createReceiptStore>;

/** All queries on receipts. */
export function createReceiptStore({ orm }: Database) {
  const insert = insertWhole(orm, receipts).prepare();
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
