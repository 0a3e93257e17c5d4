/** Receipts that were made elsewhere: stored without a command, in the order in which they were told. */

import { and, eq, gt, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { ReceiptPrinter, StoredReceipt } from "#core/receipt-record.ts";
import type { Database } from "../connection.ts";
import { ELSEWHERE_INDEXES, receipts, searchedMemory } from "../schema/receipts.ts";
import { rowsBy } from "./list-sql.ts";
import { prepareLater } from "./prepared-query.ts";
import { isOfPrinter, printerBy } from "./printer-receipts.ts";

/** What tells which one was printed last. */
export type ElsewhereReceipt = Pick<StoredReceipt, "id" | "issuedAt" | "createdAt">;

/** The newest that are looked at: of each record, and of the fiscal memory. */
const LOOKED_AT_MAX = 1_000;

const p = sql.placeholder;

/** Makes the search. @returns those of a printer that were stored behind a receipt, the oldest first */
export function createElsewhereReceipts(orm: Database["orm"]) {
  const { id, orgId, deviceId, commandId, issuedAt, createdAt } = receipts;
  const { fiscalMemorySerialNumber: memory } = receipts;
  const seq = sql<number>`seq`;
  const newest = (index: string, entry: SQL | undefined) =>
    prepareLater(() => {
      const isBehind = gt(sql`rowid`, p("seq"));
      const where = and(eq(orgId, p("orgId")), entry, isNull(commandId), isBehind);
      const last = sql` where ${where} order by rowid desc limit ${sql.raw(String(LOOKED_AT_MAX))}`;
      return orm
        .select({ id, issuedAt, createdAt, seq })
        .from(rowsBy(receipts, index, last))
        .where(isOfPrinter);
    });
  const ofDevice = newest(ELSEWHERE_INDEXES.ofDevice, eq(deviceId, p("deviceId")));
  const isOfNumber = eq(searchedMemory, sql`ltrim(${p("memory")}, '0')`);
  const ofMemory = newest(ELSEWHERE_INDEXES.ofMemory, and(isOfNumber, isNotNull(memory)));
  return (of: ReceiptPrinter, behind: number): ElsewhereReceipt[] => {
    const by = { ...printerBy(of), seq: behind };
    // A till may tell the printer's number of a record that is not known to lead to it.
    const found = [
      ...of.records.flatMap((record) => ofDevice.all({ ...by, deviceId: record })),
      ...(of.fiscalMemorySerialNumber === null ? [] : ofMemory.all(by)),
    ];
    const each = new Map(found.map((one) => [one.id, one])).values();
    return [...each].sort((one, other) => one.seq - other.seq).slice(-LOOKED_AT_MAX);
  };
}
