import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Alert } from "#core/device/alerts.ts";
import { jsonRecords } from "./columns.ts";

/**
 * The alerts of each device as listeners were told of them last, written with the event. Alerts
 * themselves are never read from here: they are worked out anew whenever somebody looks.
 */
export const toldAlerts = sqliteTable("told_alerts", {
  deviceId: text("device_id").primaryKey(),
  alerts: jsonRecords<Alert>("alerts").notNull(),
});
