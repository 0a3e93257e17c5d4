import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant } from "./columns.ts";

/** The first answer to each idempotency key of an organization, for 24 hours. */
export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    orgId: text("org_id").notNull(),
    key: text("key").notNull(),
    httpStatus: integer("http_status").notNull(),
    /** The JSON text as it was sent. */
    body: text("body").notNull(),
    /** SHA-256 of the first request's body, behind what its path named, hex. */
    requestHash: text("request_hash").notNull(),
    /** The command that the first request queued: until it is final the answer stays. */
    commandId: text("command_id"),
    createdAt: instant("created_at").notNull(),
    /** In counted time. */
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.orgId, table.key] }),
    index("idempotency_keys_by_expiry").on(table.expiresAt),
  ],
);
