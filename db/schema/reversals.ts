import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { CountedItem } from "#core/receipt-left.ts";
import { flag, instant, jsonRecords } from "./columns.ts";

export const REVERSALS_BY_NUMBER = "reversals_by_number";
export const REVERSALS_BY_SALE_NUMBER = "reversals_by_sale_number";

/**
 * What commands reverse, one row for each from its acceptance on, so that nothing is reversed twice. It holds
 * what was asked for and what the order names, never what follows from that: which sale it takes back is
 * judged from these and from what is known of the sales, see db/stores/standing.ts.
 */
export const reversals = sqliteTable(
  "reversals",
  {
    commandId: text("command_id").primaryKey(),
    orgId: text("org_id").notNull(),
    /**
     * The sale that it was accepted for: by its id, or by a number that it had then. Null where only the
     * unique sale number told of one, or nobody knew one. Never changed.
     */
    acceptedFor: text("accepted_for"),
    /**
     * That sale had the number that is named by the word of its printer or of a till: it is of that one,
     * whatever is learnt of others.
     */
    isSure: flag("is_sure").notNull(),
    /**
     * The number that the order names, as `paperNumbers` writes it, and when that paper is said to have been
     * issued, in UTC milliseconds; null where it names none. A void names it when it is claimed.
     */
    number: text("number"),
    namedAt: instant("named_at"),
    /** Of which fiscal memory, or printer, that is, as `memoryForm` writes it; and of which day: the Z report. */
    memory: text("memory"),
    zNumber: text("z_number"),
    /** As `saleNumberForm` writes it; null for none. */
    saleNumber: text("sale_number"),
    /** In the currency of the sale that it was accepted for; null where there was none. */
    items: jsonRecords<CountedItem>("items", "quantityMilli", "priceMinor"),
    /** What is taken from that sale, in its currency; null where there was none. */
    amountMinor: integer("amount_minor"),
    /**
     * What it is paid back in: the currency of the sale, or the one that has replaced that. Null where there
     * was none, and in rows of older versions, which did not keep it.
     */
    currency: text("currency"),
    /** False once it certainly was not printed. */
    stands: flag("stands").notNull(),
  },
  (table) => [
    index("reversals_standing").on(table.acceptedFor).where(sql`${table.stands} = 1`),
    index(REVERSALS_BY_NUMBER)
      .on(table.orgId, table.number, table.namedAt)
      .where(sql`${table.stands} = 1 and ${table.isSure} = 0 and ${table.number} is not null`),
    index(REVERSALS_BY_SALE_NUMBER)
      .on(table.orgId, table.saleNumber, table.namedAt)
      .where(sql`${table.stands} = 1 and ${table.isSure} = 0 and ${table.saleNumber} is not null`),
  ],
);

/** True for what still counts; a query on their index has to repeat it. */
export const isStanding = sql`${reversals.stands} = 1`;
/** True for what more than one sale may be meant by; a query on their indexes has to repeat it. */
export const isUnsure = sql`${reversals.stands} = 1 and ${reversals.isSure} = 0`;
