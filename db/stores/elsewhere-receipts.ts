/** Receipts that were made elsewhere: stored without a command, in the order in which they were told. */

import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import type { ReceiptPrinter, StoredReceipt } from "#core/receipt-record.ts";
import type { Database } from "../connection.ts";
import { RECEIPTS_BY_COMMAND, receipts } from "../schema/receipts.ts";
import { rowsBy } from "./list-sql.ts";
import { prepareLater } from "./prepared-query.ts";
import { isOfPrinter, printerBy } from "./printer-receipts.ts";

/** What tells which one was printed last. */
export type ElsewhereReceipt = Pick<StoredReceipt, "id" | "issuedAt" | "createdAt">;

/** The newest that are looked at. */
const LOOKED_AT_MAX = 1_000;

/** Makes the search. @returns those of a printer that were stored behind a receipt, the oldest first */
export function createElsewhereReceipts(orm: Database["orm"]) {
  const { id, orgId, commandId, issuedAt, createdAt } = receipts;
  const behind = prepareLater(() =>
    orm
      .select({ id, issuedAt, createdAt })
      // Its entries without a command lie together, in the order in which they were stored.
      .from(rowsBy(receipts, RECEIPTS_BY_COMMAND))
      .where(
        and(
          ...[isNull(commandId), gt(sql`seq`, sql.placeholder("seq"))],
          ...[eq(orgId, sql.placeholder("orgId")), isOfPrinter],
        ),
      )
      .orderBy(desc(sql`seq`))
      .limit(LOOKED_AT_MAX),
  );
  return (of: ReceiptPrinter, seq: number): ElsewhereReceipt[] =>
    behind.all({ ...printerBy(of), seq }).toReversed();
}
