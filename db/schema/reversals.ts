import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { CountedItem } from "#core/receipt-left.ts";
import { flag, jsonRecords } from "./columns.ts";

/**
 * What commands reverse of stored sales: written with the command, so that nothing is reversed
 * twice. Once a command has left a receipt that counts in its place.
 */
export const reversals = sqliteTable(
  "reversals",
  {
    commandId: text("command_id").primaryKey(),
    orgId: text("org_id").notNull(),
    originalReceiptId: text("original_receipt_id").notNull(),
    /** In the currency of the sale. */
    items: jsonRecords<CountedItem>("items", "quantityMilli", "priceMinor").notNull(),
    /** What is taken from the sale, in its currency. */
    amountMinor: integer("amount_minor").notNull(),
    /**
     * What it is paid back in: the currency of the sale, or the one that has replaced that. Null in rows
     * of older versions, which did not keep it.
     */
    currency: text("currency"),
    /** False once the command was not printed, or has left a receipt. */
    stands: flag("stands").notNull(),
  },
  (table) => [
    index("reversals_standing").on(table.originalReceiptId).where(sql`${table.stands} = 1`),
  ],
);

/** True for what still counts; a query on their index has to repeat it. */
export const isStanding = sql`${reversals.stands} = 1`;
