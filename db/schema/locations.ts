import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant, zone } from "./columns.ts";
import { organizations } from "./organizations.ts";

/** Shops of an organization. A device's `locationId` may name one, and may be any other text. */
export const locations = sqliteTable(
  "locations",
  {
    id: text("id").primaryKey(),
    orgId: text("org_id")
      .notNull()
      .references(() => organizations.id),
    name: text("name").notNull(),
    /** The postal one. */
    address: text("address"),
    /** IANA name; null for the organization's. */
    timezone: zone("timezone"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [index("locations_by_org").on(table.orgId, table.createdAt)],
);
