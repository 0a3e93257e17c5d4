import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant } from "./columns.ts";

/** What is known of the ends of a device's fiscal days besides its Z reports; a row for each device. */
export const closings = sqliteTable("closings", {
  deviceId: text("device_id").primaryKey(),
  /** When the device said that its day is closed, though no Z report of it is stored. */
  seenClosedAt: instant("seen_closed_at"),
  /** Since when its day is known to be open, as it was seen last; null where it is closed or nobody knows. */
  dayOpenSince: instant("day_open_since"),
  /** Of its Z reports, as told last; null until then. */
  lastZNumber: integer("last_z_number"),
  /** The last closing time for which the gateway queued a Z report, `YYYY-MM-DD`. */
  madeForDate: text("made_for_date"),
  /** When the first receipt of that fiscal day was booked. */
  madeForDay: instant("made_for_day"),
  /** The command. */
  commandId: text("command_id"),
});
