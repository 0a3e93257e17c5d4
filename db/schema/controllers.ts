import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant } from "./columns.ts";

/** What controllers said of themselves: last known, whether they are connected or not. */
export const controllers = sqliteTable(
  "controllers",
  {
    orgId: text("org_id").notNull(),
    controllerId: text("controller_id").notNull(),
    name: text("name"),
    locationId: text("location_id"),
    appVersion: text("app_version"),
    deviceModel: text("device_model"),
    osVersion: text("os_version"),
    connectedAt: instant("connected_at"),
    /** When its last connection began or ended; null in rows older than the column. */
    lastSeenAt: instant("last_seen_at"),
    /** Wakes the app through the push relay. */
    fcmToken: text("fcm_token"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.controllerId] })],
);
