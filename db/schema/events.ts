import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { CommandStatus } from "#core/command/command.ts";
import type { DeviceAlerts } from "#core/device/alert-change.ts";
import type { StoredDevice } from "#core/device/device.ts";
import type { BackupOfEvent, EventType } from "#core/events.ts";
import { instant, jsonRecord } from "./columns.ts";

/** What a row keeps of its event beside the subject's id: nothing of receipts and reports. */
interface EventData {
  /** Of a command. */
  readonly status?: CommandStatus;
  /** The device and its controller, of an event about a device. */
  readonly device?: StoredDevice;
  readonly controllerId?: string | null;
  /** Of an event about a device's alerts. */
  readonly alerts?: DeviceAlerts;
  /** Of an event about a backup. */
  readonly backup?: BackupOfEvent;
}

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
  /** Id of the command, receipt, report, device or controller; empty of a backup, and of what is lost. */
  subjectId: text("subject_id").notNull(),
  /** What the subject's own row will no longer show. */
  data: jsonRecord<EventData>("data").notNull(),
  createdAt: instant("created_at").notNull(),
});
