import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { EventType } from "#core/events.ts";
import { instant, json } from "./columns.ts";

/**
 * What happened, written with the change it tells of; kept for as long as clients may ask back.
 *
 * Every commit of a command writes here, so nothing but the rows is kept: no index (whoever asks
 * back reads on from a `seq`, and an appliance has few organizations), no counter of its own.
 */
export const events = sqliteTable("events", {
  /**
   * Never used again, so that "after this one" means the same for as long as anybody remembers:
   * the newest row stays, however old it is.
   */
  seq: integer("seq").primaryKey(),
  id: text("id").notNull(),
  orgId: text("org_id").notNull(),
  type: text("type").$type<EventType>().notNull(),
  /** Id of the command, report or device. */
  subjectId: text("subject_id").notNull(),
  /** What the subject's own row will no longer show. */
  data: json<Record<string, unknown>>("data").notNull(),
  createdAt: instant("created_at").notNull(),
});
