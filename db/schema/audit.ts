import { isNotNull } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant, jsonRecord } from "./columns.ts";

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
    index("audit_entries_by_resource").on(table.orgId, table.resource, table.seq),
    index("audit_entries_by_actor").on(table.orgId, table.actor, table.seq),
    index("audit_entries_of_org_by_action").on(table.orgId, table.action, table.seq),
    index("audit_entries_of_notes")
      .on(table.orgId, table.resource, table.actor, table.seq)
      .where(isNotNull(table.noteId)),
  ],
);
