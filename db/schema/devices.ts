import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { isPlace } from "#core/device/connection-params.ts";
import { DEVICE_STATUSES } from "#core/device/connectivity.ts";
import { type ConnectionParams, DEVICE_TRANSPORTS, MANAGED_BY } from "#core/device/device.ts";
import { DRIVER_IDS } from "#core/driver-id.ts";
import type { PaymentMethod } from "#core/receipt.ts";
import { instant, json, jsonTexts } from "./columns.ts";
import { organizations } from "./organizations.ts";

export const devices = sqliteTable(
  "devices",
  {
    id: text("id").primaryKey(),
    orgId: text("org_id")
      .notNull()
      .references(() => organizations.id),
    name: text("name").notNull(),
    driver: text("driver", { enum: DRIVER_IDS }).notNull(),
    transport: text("transport", { enum: DEVICE_TRANSPORTS }).notNull(),
    locationId: text("location_id").notNull(),
    connectionParams: json<ConnectionParams>("connection_params", isPlace).notNull(),
    addressKeys: jsonTexts("address_keys"),
    managedBy: text("managed_by", { enum: MANAGED_BY }).notNull(),
    controllerId: text("controller_id"),
    controllerName: text("controller_name"),
    /**
     * `online` or `offline`, for who has no live registry: another process, and the next start of a
     * gateway that was killed.
     */
    storedStatus: text("stored_status", { enum: DEVICE_STATUSES }).notNull(),
    lastSeenAt: instant("last_seen_at"),
    serialNumber: text("serial_number"),
    fiscalMemorySerialNumber: text("fiscal_memory_serial_number"),
    model: text("model"),
    firmwareVersion: text("firmware_version"),
    charsPerLine: integer("chars_per_line"),
    reversalTenders: jsonTexts<PaymentMethod>("reversal_tenders"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [index("devices_by_org").on(table.orgId)],
);
