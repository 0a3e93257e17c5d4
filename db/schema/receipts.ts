import { isNotNull, isNull, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Payment, ReceiptItem, SubtotalModifier } from "#core/receipt.ts";
import { NUMBER_TELLERS, RECEIPT_TYPES } from "#core/receipt-record.ts";
import { instant, jsonRecords } from "./columns.ts";

/**
 * When a receipt came into the books of its device: one of ours when it was stored, by our clock;
 * one made elsewhere may come later, and counts when it says that it was issued.
 */
export const receiptBookedAt = sql<number>`case source when 'api' then issued_at else created_at end`;
/** The unique sale number in the form in which it is compared: see core/unique-sale-number.ts. */
export const saleNumber = sql<string>`upper(trim(unique_sale_number))`;
/** The number of a fiscal memory as it is searched for: tills may leave out the zeros in front. */
export const searchedMemory = sql<string>`ltrim(fiscal_memory_serial_number, '0')`;
/** Names of the indexes for lists: for each order of the list those of the device and of the type. */
export const RECEIPT_INDEXES = {
  createdAt: {
    byOrg: "receipts_by_org",
    byDevice: "receipts_by_device",
    reversing: "receipts_reversing",
    reversingOfDevice: "receipts_reversing_of_device",
  },
  issuedAt: {
    byOrg: "receipts_by_org_issue",
    byDevice: "receipts_by_device_issue",
    reversing: "receipts_reversing_issue",
    reversingOfDevice: "receipts_reversing_of_device_issue",
  },
  bookedAt: {
    byOrg: "receipts_by_org_booking",
    byDevice: "receipts_by_device_booking",
    reversing: "receipts_reversing_booking",
    reversingOfDevice: "receipts_reversing_of_device_booking",
  },
  totalMinor: {
    byOrg: "receipts_by_org_total",
    byDevice: "receipts_by_device_total",
    reversing: "receipts_reversing_total",
    reversingOfDevice: "receipts_reversing_of_device_total",
  },
} as const;
/** What was made elsewhere, in the order in which it was stored. */
export const ELSEWHERE_INDEXES = {
  ofDevice: "receipts_elsewhere",
  ofMemory: "receipts_elsewhere_of_memory",
} as const;
export const RECEIPTS_BY_FISCAL_ID = "receipts_by_fiscal_id";
export const RECEIPTS_BY_ORIGINAL = "receipts_by_original";
export const SALES_BY_NUMBER = "sales_by_number";
export const UNNUMBERED_SALES = "sales_unnumbered";

export const receipts = sqliteTable(
  "receipts",
  {
    id: text("id").primaryKey(),
    orgId: text("org_id").notNull(),
    deviceId: text("device_id").notNull(),
    locationId: text("location_id"),
    commandId: text("command_id"),
    apiKeyId: text("api_key_id"),
    type: text("type", { enum: RECEIPT_TYPES }).notNull(),
    fiscalId: text("fiscal_id"),
    receiptNumber: text("receipt_number"),
    uniqueSaleNumber: text("unique_sale_number"),
    fiscalMemorySerialNumber: text("fiscal_memory_serial_number"),
    zReportNumber: text("z_report_number"),
    issuedAt: instant("issued_at").notNull(),
    currency: text("currency").notNull(),
    items: jsonRecords<ReceiptItem>("items", "quantityMilli", "priceMinor").notNull(),
    subtotalModifiers: jsonRecords<SubtotalModifier>("subtotal_modifiers", "amountMinor").notNull(),
    payments: jsonRecords<Payment>("payments", "amountMinor").notNull(),
    totalMinor: integer("total_minor").notNull(),
    customerCif: text("customer_cif"),
    originalReceiptId: text("original_receipt_id"),
    source: text("source", { enum: ["command", "api"] }).notNull(),
    createdAt: instant("created_at").notNull(),
    /** Of a printer that the gateway simulates. */
    simulated: integer("simulated", { mode: "boolean" }).notNull().default(false),
    /** Of the printer that printed it; null of one made elsewhere, and in rows of older versions. */
    printerSerialNumber: text("printer_serial_number"),
    /** By whose word it had its number when it was stored; of one that a person corrected since, a person. */
    numberBy: text("number_by", { enum: NUMBER_TELLERS }).notNull().default("printer"),
  },
  (table) => [
    uniqueIndex("receipts_by_command").on(table.commandId),
    index(ELSEWHERE_INDEXES.ofDevice)
      .on(table.orgId, table.deviceId)
      .where(isNull(table.commandId)),
    index(ELSEWHERE_INDEXES.ofMemory)
      .on(table.orgId, searchedMemory)
      .where(sql`${table.commandId} is null and ${table.fiscalMemorySerialNumber} is not null`),
    index(RECEIPTS_BY_FISCAL_ID).on(table.orgId, table.fiscalId, table.deviceId, table.createdAt),
    index(RECEIPTS_BY_ORIGINAL)
      .on(table.originalReceiptId)
      .where(isNotNull(table.originalReceiptId)),
    index(SALES_BY_NUMBER)
      .on(table.orgId, table.receiptNumber, table.issuedAt)
      .where(sql`${table.type} = 'sale' and ${table.receiptNumber} is not null`),
    index(UNNUMBERED_SALES)
      .on(table.orgId, saleNumber, table.createdAt)
      .where(
        sql`${table.type} = 'sale' and ${table.numberBy} in ('none', 'person') and ${table.uniqueSaleNumber} is not null`,
      ),
    index("receipts_by_booking").on(table.orgId, table.deviceId, receiptBookedAt, table.id),
    // The rest is for lists. SQLite ends each with the row id, so ties keep their order. A device is
    // simulated or not for good, so that only lists of all devices have to tell their receipts apart.
    ...(["createdAt", "issuedAt", "bookedAt", "totalMinor"] as const).flatMap((sort) => {
      const { byOrg, byDevice, reversing, reversingOfDevice } = RECEIPT_INDEXES[sort];
      const sorted = sort === "bookedAt" ? receiptBookedAt : table[sort];
      return [
        index(byOrg).on(table.orgId, table.simulated, sorted),
        index(byDevice).on(table.orgId, table.deviceId, sorted),
        // Partial: sales, which are nearly all receipts, write nothing to it.
        index(reversing)
          .on(table.orgId, table.simulated, table.type, sorted)
          .where(sql`${table.type} <> 'sale'`),
        index(reversingOfDevice)
          .on(table.orgId, table.deviceId, table.type, sorted)
          .where(sql`${table.type} <> 'sale'`),
      ];
    }),
  ],
);

/** True for refunds and stornos; a query on their indexes has to repeat it. */
export const isReversing = sql`${receipts.type} <> 'sale'`;
/** True for sales that have a number; a query on their index has to repeat it. */
export const isNumberedSale = sql`${receipts.type} = 'sale' and ${receipts.receiptNumber} is not null`;
/**
 * True for sales of which nobody told a number when they were stored, or a person alone, so that their unique
 * sale number names them; a query on their index has to repeat it.
 */
export const isUnnumberedSale = sql`${receipts.type} = 'sale' and ${receipts.numberBy} in ('none', 'person') and ${receipts.uniqueSaleNumber} is not null`;
