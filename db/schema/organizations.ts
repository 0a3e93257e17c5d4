import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { PLANS } from "#core/limits.ts";
import { flag, instant, zone } from "./columns.ts";

export const organizations = sqliteTable("organizations", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  currency: text("currency").notNull(),
  timezone: zone("timezone").notNull(),
  plan: text("plan", { enum: PLANS }).notNull(),
  /** `HH:MM`, by the clocks of each device's location: when its day is to be closed. */
  closingTime: text("closing_time"),
  /** The gateway makes the Z reports at that time. */
  closingAutomatic: flag("closing_automatic").notNull().default(false),
  /** When either was set. */
  closingSetAt: instant("closing_set_at").notNull().default(0),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
});
