import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Payment, ReceiptItem, SubtotalModifier } from "#core/receipt.ts";
import { RECEIPT_TYPES } from "#core/receipt-record.ts";
import { instant, json } from "./columns.ts";

/**
 * When a receipt came into the books of its device: one of ours when it was stored, by our clock;
 * one made elsewhere may come later, and counts when it says that it was issued.
 */
export const receiptBookedAt = sql<number>`case source when 'api' then issued_at else created_at end`;

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
    items: json<readonly ReceiptItem[]>("items").notNull(),
    subtotalModifiers: json<readonly SubtotalModifier[]>("subtotal_modifiers").notNull(),
    payments: json<readonly Payment[]>("payments").notNull(),
    totalMinor: integer("total_minor").notNull(),
    customerCif: text("customer_cif"),
    originalReceiptId: text("original_receipt_id"),
    source: text("source", { enum: ["command", "api"] }).notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("receipts_by_command").on(table.commandId),
    index("receipts_by_fiscal_id").on(table.deviceId, table.fiscalId, table.createdAt),
    index("receipts_by_org").on(table.orgId, table.createdAt),
    index("receipts_by_booking").on(table.orgId, table.deviceId, receiptBookedAt, table.id),
  ],
);
