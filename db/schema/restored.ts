import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant, printerColumns } from "./columns.ts";

/**
 * Printers that may have printed what a state directory, put back from a copy, knows nothing of.
 * A row goes when the printer has told that it did not, or an owner accepts the state.
 */
export const restoredPrinters = sqliteTable(
  "restored_printers",
  {
    deviceId: text("device_id").primaryKey(),
    orgId: text("org_id").notNull(),
    ...printerColumns,
    /** When it was noticed. */
    raisedAt: instant("raised_at").notNull(),
    /** `seq` of the newest command of the copy that had printed on it; 0 for none. */
    seq: integer("seq").notNull().default(0),
    /** `ahead` once the printer has told another last document than ours, or cannot tell. */
    state: text("state", { enum: ["asked", "ahead"] }).notNull(),
    /** As in `document_checks`. */
    questionId: text("question_id"),
  },
  (table) => [index("restored_printers_by_org").on(table.orgId)],
);
