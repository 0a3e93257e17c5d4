import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { REPORT_TYPES } from "#core/command/report-result.ts";
import type { ReportPayment, ReportTotals, ReportVat } from "#core/report-record.ts";
import { instant, jsonRecord, jsonRecords } from "./columns.ts";

/** Names of the indexes for lists. */
export const REPORT_INDEXES = {
  byOrg: "reports_by_org",
  byDevice: "reports_by_device",
  byType: "reports_by_type",
  byDeviceAndType: "reports_by_device_and_type",
} as const;

export const reports = sqliteTable(
  "reports",
  {
    /** Order of storing. */
    seq: integer("seq").primaryKey(),
    id: text("id").notNull(),
    orgId: text("org_id").notNull(),
    deviceId: text("device_id").notNull(),
    locationId: text("location_id"),
    commandId: text("command_id").notNull(),
    type: text("type", { enum: REPORT_TYPES }).notNull(),
    reportNumber: integer("report_number"),
    receiptCount: integer("receipt_count"),
    reversalCount: integer("reversal_count"),
    totals: jsonRecord<ReportTotals>("totals").notNull(),
    vat: jsonRecords<ReportVat>("vat", "turnoverMinor"),
    payments: jsonRecords<ReportPayment>("payments", "amountMinor"),
    openedAt: instant("opened_at"),
    closedAt: instant("closed_at"),
    fiscalMemorySerialNumber: text("fiscal_memory_serial_number"),
    bookedAt: instant("booked_at").notNull(),
    createdAt: instant("created_at").notNull(),
    /** Of a printer that the gateway simulates. */
    simulated: integer("simulated", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    uniqueIndex("reports_by_id").on(table.id),
    uniqueIndex("reports_by_command").on(table.commandId),
    // For lists: one for each combination of filters, because few reports are written.
    index(REPORT_INDEXES.byOrg).on(table.orgId, table.simulated, table.createdAt),
    index(REPORT_INDEXES.byDevice).on(table.orgId, table.deviceId, table.createdAt),
    index(REPORT_INDEXES.byType).on(...[table.orgId, table.simulated, table.type, table.createdAt]),
    index(REPORT_INDEXES.byDeviceAndType).on(
      table.orgId,
      table.deviceId,
      table.type,
      table.createdAt,
    ),
    // For the books of a device, and for where its fiscal days end.
    index("reports_by_booking").on(table.orgId, table.deviceId, table.bookedAt, table.id),
    index("reports_by_closing").on(
      table.orgId,
      table.deviceId,
      table.type,
      table.bookedAt,
      table.id,
    ),
  ],
);
