import { sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Secrets and facts the appliance makes for itself once, such as the token signing key. */
export const applianceValues = sqliteTable("appliance_values", {
  name: text("name").primaryKey(),
  value: text("value").notNull(),
});
