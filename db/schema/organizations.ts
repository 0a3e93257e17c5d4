import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { PLANS } from "#core/limits.ts";
import { instant } from "./columns.ts";

export const organizations = sqliteTable("organizations", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  currency: text("currency").notNull(),
  timezone: text("timezone").notNull(),
  plan: text("plan", { enum: PLANS }).notNull(),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
});
