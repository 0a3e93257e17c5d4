import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Baseline } from "#core/command/marks.ts";
import { instant, jsonRecord, printerColumns } from "./columns.ts";

/**
 * Commands in doubt that a person settled while their printer could not be asked. It is asked when
 * it can be; the row goes with its answer.
 */
export const openQuestions = sqliteTable(
  "open_questions",
  {
    commandId: text("command_id").primaryKey(),
    orgId: text("org_id").notNull(),
    /** The device record that the printer had; a record may go, the printer is asked all the same. */
    deviceId: text("device_id").notNull(),
    ...printerColumns,
    raisedAt: instant("raised_at").notNull(),
    /** Who was asked last, and the number of that hand-over; the command's own are final. */
    controllerId: text("controller_id"),
    epoch: integer("epoch").notNull(),
    /** The command's, with what was learnt since. */
    baseline: jsonRecord<Baseline>("baseline"),
  },
  (table) => [index("open_questions_by_org").on(table.orgId)],
);
