import { isNotNull, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant, jsonRecord } from "./columns.ts";

/** Indexes for the queries that say which one they read. */
export const AUDIT_INDEXES = {
  byTime: "audit_entries_by_time",
  byResource: "audit_entries_by_resource",
  byActor: "audit_entries_by_actor",
  ofOrgByAction: "audit_entries_of_org_by_action",
} as const;

/** Indexes of what devices told of numbers: of documents, and of receipts where those have their own. */
export const AUDIT_BY_NUMBER = "audit_entries_by_told_number";
export const AUDIT_BY_RECEIPT_NUMBER = "audit_entries_by_told_receipt_number";

/**
 * The number that a device told, null where the details are damaged; older versions named it where they
 * asked a person anew. Without a comma, at which what writes migrations parts an expression.
 */
export const toldNumber = sql.raw(
  "case when json_valid(details) then case when details ->> '$.result.fiscalId' is null" +
    " then details ->> '$.fiscalId' else details ->> '$.result.fiscalId' end end",
);
export const toldReceiptNumber = sql.raw(
  "case when json_valid(details) then details ->> '$.result.data.receiptNumber' end",
);
/** True for what names such a number; a query on their indexes has to repeat it. */
export const tellsNumber = sql.raw(
  "action in ('command.late_result', 'command.device_asked', 'command.asked_again')",
);

/** Who did what to which resource, and from where; append-only. */
export const auditEntries = sqliteTable(
  "audit_entries",
  {
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    orgId: text("org_id").notNull(),
    at: instant("at").notNull(),
    /**
     * `user:<id>`, `key:<id>`, `controller:<id>`, `gateway` (by itself), `box` (the person at the machine),
     * `nobody` (who has not logged in).
     */
    actor: text("actor").notNull(),
    action: text("action").notNull(),
    resource: text("resource").notNull(),
    /** Whom the request came from; null where there was none, and in entries older than the column. */
    address: text("address"),
    details: jsonRecord<Record<string, unknown>>("details"),
    /** What its controller calls a note, which it may say again; null for all others. */
    noteId: text("note_id"),
  },
  (table) => [
    index("audit_entries_by_org").on(table.orgId, table.seq),
    index("audit_entries_by_action").on(table.action, table.at),
    index(AUDIT_INDEXES.byResource).on(table.orgId, table.resource, table.seq),
    index(AUDIT_INDEXES.byActor).on(table.orgId, table.actor, table.seq),
    index(AUDIT_INDEXES.ofOrgByAction).on(table.orgId, table.action, table.seq),
    // SQLite ends it with the table's key.
    index(AUDIT_INDEXES.byTime).on(table.orgId, table.at),
    index(AUDIT_BY_NUMBER).on(table.orgId, toldNumber).where(tellsNumber),
    index(AUDIT_BY_RECEIPT_NUMBER).on(table.orgId, toldReceiptNumber).where(tellsNumber),
    index("audit_entries_of_notes")
      .on(table.orgId, table.resource, table.actor, table.seq)
      .where(isNotNull(table.noteId)),
  ],
);
