import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { ALERT_ENDS } from "#core/device/alert-history.ts";
import { ALERT_SEVERITIES } from "#core/device/alerts.ts";
import { instant } from "./columns.ts";

/**
 * Which alerts listeners were told of, and when they were told that each is gone; written with the
 * event. What stands is worked out whenever somebody looks, and never read from here.
 */
export const alertHistory = sqliteTable(
  "alert_history",
  {
    /** Order in which they were told. */
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    orgId: text("org_id").notNull(),
    deviceId: text("device_id").notNull(),
    /** As it was called then. */
    deviceName: text("device_name").notNull(),
    /** A later version may have others. */
    type: text("type").notNull(),
    severity: text("severity", { enum: ALERT_SEVERITIES }).notNull(),
    message: text("message").notNull(),
    commandId: text("command_id"),
    fiscalId: text("fiscal_id"),
    standsOpen: integer("stands_open", { mode: "boolean" }),
    detectedAt: instant("detected_at").notNull(),
    /** Null while it stands, as are the next two. */
    endedAt: instant("ended_at"),
    end: text("ended_as", { enum: ALERT_ENDS }),
    /** The actor of the audit log that settled it; null for one that ended otherwise. */
    endedBy: text("ended_by"),
  },
  (table) => [
    index("alert_history_by_org").on(table.orgId, table.seq),
    index("alert_history_by_severity").on(table.orgId, table.severity, table.seq),
    index("alert_history_by_device").on(table.orgId, table.deviceId, table.seq),
    index("alert_history_standing").on(table.orgId, table.seq).where(sql`${table.endedAt} is null`),
    // Without the organization, so that nobody takes the history of the device for it.
    index("alert_history_to_end")
      .on(table.deviceId, table.type)
      .where(sql`${table.endedAt} is null`),
    index("alert_history_by_end").on(table.endedAt).where(sql`${table.endedAt} is not null`),
  ],
);
