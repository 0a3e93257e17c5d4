import { isNotNull, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { COMMAND_TYPES, type CommandType, waitsForPerson } from "#core/command/catalogue.ts";
import { COMMAND_SOURCES, COMMAND_STATUSES, type CommandResult } from "#core/command/command.ts";
import { type Baseline, MARKS } from "#core/command/marks.ts";
import { instant, jsonRecord, jsonTexts, order, printerColumns } from "./columns.ts";

/** Names of the indexes on commands, for the queries that say which one they read. */
export const COMMAND_INDEXES = {
  unfinished: "commands_unfinished",
  byOrg: "commands_by_org",
  byDevice: "commands_by_device",
  byType: "commands_by_type",
  byFinalStatus: "commands_by_final_status",
  byFinalChange: "commands_by_final_change",
  byDeviceAndType: "commands_by_device_and_type",
  unsuccessfulOfDevice: "commands_unsuccessful_of_device",
  unsuccessfulOfType: "commands_unsuccessful_of_type",
  unsuccessfulOfDeviceAndType: "commands_unsuccessful_of_device_and_type",
  slow: "commands_slow",
  slowOfDevice: "commands_slow_of_device",
  slowOfType: "commands_slow_of_type",
  printed: "commands_printed",
  told: "commands_told",
} as const;

/**
 * Nearly every command ends within this after its acceptance, in milliseconds; most of those that
 * nobody takes time out before.
 */
export const COMMAND_PROMPT_MS = 300_000;

/** Columns that say how a command ended. */
interface EndColumns {
  readonly status: SQLWrapper;
  readonly finishedAt: SQLWrapper;
  readonly createdAt: SQLWrapper;
  readonly updatedAt: SQLWrapper;
}

function unsuccessful({ finishedAt, status }: EndColumns): SQL {
  return sql`${finishedAt} is not null and ${status} <> 'completed'`;
}

function tookMs({ updatedAt, createdAt }: EndColumns): SQL {
  return sql`${updatedAt} - ${createdAt}`;
}

function slow(columns: EndColumns): SQL {
  const most = sql.raw(String(COMMAND_PROMPT_MS));
  return sql`${columns.finishedAt} is not null and ${tookMs(columns)} not between 0 and ${most}`;
}

/** The types that print, or end what stands open: they may move a printer's numbers. */
const PRINTING = sql.join(
  COMMAND_TYPES.filter(waitsForPerson).map((type) => sql.raw(`'${type}'`)),
  sql.raw(", "),
);

/** Columns that say whether a command has run. */
interface RunColumns extends Pick<EndColumns, "finishedAt"> {
  readonly type: SQLWrapper;
  readonly sentAt: SQLWrapper;
  readonly mark: SQLWrapper;
}

function printed({ finishedAt, type, sentAt, mark }: RunColumns): SQL {
  return sql`${finishedAt} is not null and ${type} in (${PRINTING})
    and (${sentAt} is not null or ${mark} is not null)`;
}

/** Answers of printers that were asked for their last document. */
function told({ type, status }: Pick<RunColumns & EndColumns, "type" | "status">): SQL {
  return sql`${type} = 'get_last_receipt_info' and ${status} = 'completed'`;
}

export const commands = sqliteTable(
  "commands",
  {
    /** Order of acceptance: the queue of a device runs by it. */
    seq: integer("seq").primaryKey(),
    id: text("id").notNull(),
    orgId: text("org_id").notNull(),
    deviceId: text("device_id").notNull(),
    type: text("type").$type<CommandType>().notNull(),
    payload: jsonRecord<unknown>("payload").notNull(),
    status: text("status", { enum: COMMAND_STATUSES }).notNull(),
    source: text("source", { enum: COMMAND_SOURCES }).notNull(),
    apiKeyId: text("api_key_id"),
    requestedBy: text("requested_by"),
    idempotencyKey: text("idempotency_key"),
    controllerId: text("controller_id"),
    /** Counts the hand-overs to a controller. */
    epoch: integer("epoch").notNull().default(0),
    /** Who had it before that, the latest first; null where that is not known, as in rows of older versions. */
    formerControllers: jsonTexts("former_controllers"),
    /** Where its device was then, the latest first; null where that was no network address. */
    sentTo: jsonTexts("sent_to"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    sentAt: instant("sent_at"),
    processingAt: instant("processing_at"),
    finishedAt: instant("finished_at"),
    expiresAt: instant("expires_at").notNull(),
    mark: text("mark", { enum: MARKS }),
    baseline: jsonRecord<Baseline>("baseline"),
    result: jsonRecord<CommandResult>("result"),
    /** For a printer that the gateway simulates. */
    simulated: integer("simulated", { mode: "boolean" }).notNull().default(false),
    /** That of its amounts, as the shop sold when it was accepted; null in rows of older versions. */
    currency: text("currency"),
    /** Where its device stood then; null in rows of older versions. */
    locationId: text("location_id"),
    /** The orders of `createdAt`, `sentAt` and `finishedAt`. */
    acceptedOrder: order("accepted_order"),
    sentOrder: order("sent_order"),
    finishedOrder: order("finished_order"),
  },
  (table) => [
    uniqueIndex("commands_by_id").on(table.id),
    // Partial: the queue looks only at what is not final, however long the history grows.
    index(COMMAND_INDEXES.unfinished)
      .on(table.deviceId, table.status, table.seq)
      .where(isNull(table.finishedAt)),
    // The rest is for lists. SQLite ends each with the table's key, so ties keep their order.
    index(COMMAND_INDEXES.byOrg).on(table.orgId, table.createdAt, table.seq),
    index(COMMAND_INDEXES.byDevice).on(table.orgId, table.deviceId, table.createdAt),
    index(COMMAND_INDEXES.byType).on(table.orgId, table.type, table.createdAt),
    index(COMMAND_INDEXES.byDeviceAndType).on(
      ...[table.orgId, table.deviceId, table.type, table.createdAt],
    ),
    // Partial: written once, when a command ends, and not at each step of it before.
    index(COMMAND_INDEXES.byFinalStatus)
      .on(table.orgId, table.status, table.createdAt)
      .where(isNotNull(table.finishedAt)),
    index(COMMAND_INDEXES.byFinalChange)
      .on(table.orgId, table.updatedAt)
      .where(isNotNull(table.finishedAt)),
    // Partial: what has succeeded in time, which is nearly all, writes nothing to these.
    index(COMMAND_INDEXES.unsuccessfulOfDevice)
      .on(table.orgId, table.deviceId, table.status, table.createdAt)
      .where(unsuccessful(table)),
    index(COMMAND_INDEXES.unsuccessfulOfType)
      .on(table.orgId, table.type, table.status, table.createdAt)
      .where(unsuccessful(table)),
    index(COMMAND_INDEXES.unsuccessfulOfDeviceAndType)
      .on(table.orgId, table.deviceId, table.type, table.status, table.createdAt)
      .where(unsuccessful(table)),
    // All that is asked of the rows stands in these, so that no others than the list's are read.
    index(COMMAND_INDEXES.slow)
      .on(table.orgId, table.updatedAt, table.seq, table.status, table.createdAt)
      .where(slow(table)),
    index(COMMAND_INDEXES.slowOfDevice)
      .on(
        ...[table.orgId, table.deviceId, table.updatedAt, table.seq],
        ...[table.type, table.status, table.createdAt],
      )
      .where(slow(table)),
    index(COMMAND_INDEXES.slowOfType)
      .on(table.orgId, table.type, table.updatedAt, table.seq, table.status, table.createdAt)
      .where(slow(table)),
    // In the order in which the printer took them, whatever the clock said meanwhile.
    index(COMMAND_INDEXES.printed).on(table.deviceId, table.seq).where(printed(table)),
    index(COMMAND_INDEXES.told).on(table.deviceId, table.seq).where(told(table)),
  ],
);

/**
 * True for commands that are not final. SQLite uses a partial index only for queries that repeat its
 * condition, and a condition on the status itself would be a list, for which it builds a table at
 * each look at the queue.
 */
export const isUnfinished = isNull(commands.finishedAt);

/** True for those that ended otherwise than completed. */
export const wasUnsuccessful = unsuccessful(commands);

/**
 * True for those that ended and may have moved a printer's numbers: what was handed out, or may have
 * been after the copy was made from which the state was put back.
 */
export const hasPrinted = printed(commands);

/** True for printers' answers of what their last document was. */
export const hasTold = told(commands);

/** True for those that took longer than `COMMAND_PROMPT_MS`, or during which the clock was set back. */
export const wasSlow = slow(commands);

/** True for all others that are final. */
export const wasPrompt = sql`${commands.finishedAt} is not null
  and ${tookMs(commands)} between 0 and ${sql.raw(String(COMMAND_PROMPT_MS))}`;

/**
 * Fiscal documents and ledger entries of which a person is asked whether they were printed, and what the
 * person or their printer has said since. Also what a person said while the device was still to be asked.
 */
export const outcomeHolds = sqliteTable(
  "outcome_holds",
  {
    commandId: text("command_id").primaryKey(),
    orgId: text("org_id").notNull(),
    /** The device record that the printer had; a record may go, the printer stays held. */
    deviceId: text("device_id").notNull(),
    ...printerColumns,
    raisedAt: instant("raised_at").notNull(),
    resolvedAt: instant("resolved_at"),
    outcome: text("outcome", { enum: ["printed", "not_printed"] }),
    fiscalId: text("fiscal_id"),
    resolvedBy: text("resolved_by"),
    /** The orders of `raisedAt` and `resolvedAt`; that of what older versions settled is 0. */
    raisedOrder: order("raised_order"),
    resolvedOrder: order("resolved_order"),
  },
  (table) => [
    index("outcome_holds_open").on(table.deviceId).where(sql`${table.resolvedAt} is null`),
    // What persons said last.
    index("outcome_holds_settled").on(table.resolvedOrder, table.resolvedAt),
  ],
);
