/** What has moved a printer's numbers, or may have, and what it told: in the order in which it did it. */

import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { Command } from "#core/command/command.ts";
import type { Database } from "../connection.ts";
import { COMMAND_INDEXES, commands, hasPrinted, hasTold } from "../schema/commands.ts";
import { rowsBy } from "./list-sql.ts";
import { prepareLater } from "./prepared-query.ts";

export type PrintedCommand = Pick<
  Command,
  | "seq"
  | "id"
  | "type"
  | "controllerId"
  | "processingAt"
  | "finishedAt"
  | "finishedOrder"
  | "mark"
  | "result"
>;

/** A printer's answer of what its last document was. */
export type LastDocumentAnswer = Pick<Command, "seq" | "sentAt" | "sentOrder" | "result">;

/** Rows that are read at a time. */
const PART = 50;

/** Queries on commands that ended on a printer and may have printed. */
export function createPrintedCommands({ orm }: Database) {
  const { seq, id, deviceId, type, controllerId, finishedAt, mark, result } = commands;
  const { sentAt, sentOrder, processingAt, finishedOrder } = commands;
  const ended = { processingAt, finishedAt, finishedOrder };
  const before = prepareLater(() =>
    orm
      .select({ seq, id, type, controllerId, ...ended, mark, result })
      .from(rowsBy(commands, COMMAND_INDEXES.printed))
      .where(
        and(
          eq(deviceId, sql.placeholder("deviceId")),
          lt(seq, sql.placeholder("before")),
          hasPrinted,
        ),
      )
      .orderBy(desc(seq))
      .limit(PART),
  );
  const answer = prepareLater(() =>
    orm
      .select({ seq, sentAt, sentOrder, result })
      .from(rowsBy(commands, COMMAND_INDEXES.told))
      .where(and(eq(deviceId, sql.placeholder("deviceId")), hasTold))
      .orderBy(desc(seq))
      .limit(1),
  );
  /**
   * The newest first. They ran in order of acceptance, whatever the clock said meanwhile; reads may
   * overtake them, and do not print.
   */
  const listPrinted = function* (device: string): Generator<PrintedCommand> {
    let end = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const part: PrintedCommand[] = before.all({ deviceId: device, before: end });
      yield* part;
      if (part.length < PART) return;
      end = part.at(-1)?.seq ?? 0;
    }
  };
  return {
    listPrinted,
    /** The newest answer of a record's printer; undefined where it gave none. */
    lastDocumentAnswer: (device: string): LastDocumentAnswer | undefined =>
      answer.get({ deviceId: device }),
    /** `seq` of the newest; 0 where there is none. */
    newestPrinted(device: string): number {
      for (const newest of listPrinted(device)) return newest.seq;
      return 0;
    },
  };
}
