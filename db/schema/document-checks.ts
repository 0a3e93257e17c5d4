import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant, order, printerColumns } from "./columns.ts";

/**
 * What is known of printers' last documents beside the commands here, and what they are still to be
 * asked: one row a device, also of those that were removed or have another printer by now. A row goes
 * when the printer has told nothing that this database does not know, or does not tell; one that was
 * accepted stays, because what it names is known from then on.
 */
export const documentChecks = sqliteTable(
  "document_checks",
  {
    deviceId: text("device_id").primaryKey(),
    orgId: text("org_id").notNull(),
    ...printerColumns,
    /**
     * `asked` until the printer has told, `unknown` once it has told of documents that nobody here
     * knows, `known` for what it told first or an owner has accepted.
     */
    state: text("state", { enum: ["asked", "unknown", "known"] }).notNull(),
    /** When it told `number`; before that when the row was made. */
    raisedAt: instant("raised_at").notNull(),
    /** The command that asks it, or asked it last: that one's status says which. */
    questionId: text("question_id"),
    /** Number of the last document that the printer told; null while it has told none. */
    number: integer("number"),
    /**
     * The day of that document where numbers begin anew each day: the number of the Z report that
     * closes it. Null elsewhere, and where the printer does not tell.
     */
    day: integer("day"),
    /**
     * When that number counted as known: a person accepted it, or whatever it is, or the printer told
     * it before anything of ours was printed there. Null where our own documents tell it.
     */
    acceptedAt: instant("accepted_at"),
    acceptedOrder: order("accepted_order"),
    /**
     * `seq` of the newest command of its own that had printed when it told `number`, before that when
     * the row was made; 0 for none. What prints with a higher one did so later, whatever the clock said.
     */
    seq: integer("seq").notNull().default(0),
    /** Of `unknown`: how many documents at most; null where nobody can tell. */
    documents: integer("documents"),
    /**
     * When the last known document was issued or ended, or told of as `number`. Null for `unknown` where
     * none is known, and where `raisedAt` says it.
     */
    since: instant("since"),
  },
  (table) => [index("document_checks_by_org").on(table.orgId)],
);
