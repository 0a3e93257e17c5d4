/** Receipts: what was printed. */

import { and, desc, eq, sql } from "drizzle-orm";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { Database } from "../connection.ts";
import { receipts } from "../schema/receipts.ts";
import { insertWhole } from "./whole-row.ts";

export type ReceiptStore = ReturnType<typeof createReceiptStore>;

/** All queries on receipts. */
export function createReceiptStore({ orm }: Database) {
  const insert = insertWhole(orm, receipts).prepare();
  const ofDevice = and(
    eq(receipts.orgId, sql.placeholder("orgId")),
    eq(receipts.deviceId, sql.placeholder("deviceId")),
  );
  const byId = orm
    .select()
    .from(receipts)
    .where(and(ofDevice, eq(receipts.id, sql.placeholder("id"))))
    .prepare();
  const byFiscalId = orm
    .select()
    .from(receipts)
    .where(and(ofDevice, eq(receipts.fiscalId, sql.placeholder("id"))))
    .orderBy(desc(receipts.createdAt), desc(sql`rowid`))
    .limit(1)
    .prepare();
  return {
    insert(receipt: StoredReceipt): void {
      insert.run({ ...receipt });
    },
    /** The receipt with this id, else the newest to which the device gave this fiscal id. */
    findByIdOrFiscalId(orgId: string, deviceId: string, id: string): StoredReceipt | undefined {
      return byId.get({ orgId, deviceId, id }) ?? byFiscalId.get({ orgId, deviceId, id });
    },
  };
}
