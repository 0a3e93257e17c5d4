import { sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What the appliance keeps for itself: secrets made once, counts and marks that it moves on. */
export const applianceValues = sqliteTable("appliance_values", {
  name: text("name").primaryKey(),
  value: text("value").notNull(),
});
