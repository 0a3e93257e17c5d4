import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { CONNECTION_EVENT_TYPES } from "#core/device/connectivity.ts";
import { instant } from "./columns.ts";

/** When each device came within reach and went, and through which controller. */
export const connectionEvents = sqliteTable(
  "connection_events",
  {
    /** Order of happening. */
    seq: integer("seq").primaryKey(),
    deviceId: text("device_id").notNull(),
    type: text("type", { enum: CONNECTION_EVENT_TYPES }).notNull(),
    at: instant("at").notNull(),
    /** The controller's, as are the next two. */
    deviceModel: text("device_model").notNull(),
    appVersion: text("app_version").notNull(),
    osVersion: text("os_version").notNull(),
    /** Close code of the controller's WebSocket, where that is what ended. */
    code: integer("code"),
    reason: text("reason"),
  },
  (table) => [index("connection_events_by_device").on(table.deviceId, table.seq)],
);
