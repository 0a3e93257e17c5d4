import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Scope } from "#core/access.ts";
import { flag, instant, jsonTexts } from "./columns.ts";
import { organizations } from "./organizations.ts";

export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: text("id").primaryKey(),
    orgId: text("org_id")
      .notNull()
      .references(() => organizations.id),
    /** SHA-256 of the whole key, hex. */
    hash: text("hash").notNull().unique(),
    prefix: text("prefix").notNull(),
    last4: text("last4").notNull(),
    label: text("label").notNull(),
    scopes: jsonTexts<Scope>("scopes").notNull(),
    active: flag("active").notNull(),
    createdAt: instant("created_at").notNull(),
    lastUsed: instant("last_used"),
    expiresAt: instant("expires_at"),
    rotatedFromId: text("rotated_from_id"),
    rotatedToId: text("rotated_to_id"),
  },
  (table) => [index("api_keys_by_org").on(table.orgId, table.createdAt)],
);
