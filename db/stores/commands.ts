/**
 * Commands. Each change of status repeats in its WHERE what the lifecycle demands, so that of two
 * writers exactly one wins; the loser is told by `false`.
 */

import { and, asc, eq, getTableColumns, gt, inArray, type SQL, sql } from "drizzle-orm";
import { COMMAND_TYPES, isFiscalDocument } from "#core/command/catalogue.ts";
import type { Command, CommandResult } from "#core/command/command.ts";
import type { Baseline, Mark } from "#core/command/marks.ts";
import type { Database } from "../connection.ts";
import { COMMAND_INDEXES, commands, isUnfinished } from "../schema/commands.ts";
import { createCommandLister } from "./command-list.ts";
import { commandsBy } from "./command-list-sql.ts";
import { insertWhole } from "./whole-row.ts";

export type NewCommand = Omit<Command, "seq">;

const FISCAL_DOCUMENTS = COMMAND_TYPES.filter(isFiscalDocument);

export type CommandStore = ReturnType<typeof createCommandStore>;

/** All queries on commands. */
export function createCommandStore({ orm }: Database) {
  const id = sql.placeholder("id");
  const byId = orm
    .select()
    .from(commands)
    .where(and(eq(commands.orgId, sql.placeholder("orgId")), eq(commands.id, id)))
    .prepare();
  const anyById = orm.select().from(commands).where(eq(commands.id, id)).prepare();
  const insert = insertWhole(orm, commands, "seq").prepare();
  const pendingOf = and(
    eq(commands.deviceId, sql.placeholder("deviceId")),
    isUnfinished,
    sql`${commands.status} = 'pending'`,
  );
  const nextPending = orm
    .select()
    .from(commands)
    .where(pendingOf)
    .orderBy(asc(commands.seq))
    .limit(1)
    .prepare();
  const nextPendingHeld = orm
    .select()
    .from(commands)
    .where(and(pendingOf, sql`${commands.type} not in ${FISCAL_DOCUMENTS}`))
    .orderBy(asc(commands.seq))
    .limit(1)
    .prepare();
  const oneOut = orm
    .select({ seq: commands.seq })
    .from(commands)
    .where(
      and(
        eq(commands.deviceId, sql.placeholder("deviceId")),
        isUnfinished,
        // Of the unfinished, `processing` and `sent` sort behind `pending`: one step in the index,
        // where "not pending" would be a walk through everything that waits.
        gt(commands.status, "pending"),
      ),
    )
    .limit(1)
    .prepare();
  const listUnfinished = (condition: SQL | undefined) =>
    orm
      .select(getTableColumns(commands))
      // Left to itself SQLite reads the whole table, which is in the right order already.
      .from(commandsBy(COMMAND_INDEXES.unfinished))
      .where(and(isUnfinished, condition))
      .orderBy(asc(commands.seq))
      .prepare();
  const unfinished = listUnfinished(undefined);
  const unfinishedOfDevice = listUnfinished(eq(commands.deviceId, sql.placeholder("deviceId")));
  const setSent = orm
    .update(commands)
    .set({
      status: "sent",
      controllerId: sql`${sql.placeholder("controllerId")}`,
      epoch: sql`${commands.epoch} + 1`,
      sentAt: sql`${sql.placeholder("now")}`,
      updatedAt: sql`${sql.placeholder("now")}`,
    })
    .where(and(eq(commands.id, id), eq(commands.status, "pending")))
    .prepare();
  const setOwner = orm
    .update(commands)
    .set({
      controllerId: sql`${sql.placeholder("controllerId")}`,
      epoch: sql`${commands.epoch} + 1`,
    })
    .where(and(eq(commands.id, id), inArray(commands.status, ["sent", "processing"])))
    .prepare();
  const setProcessing = orm
    .update(commands)
    .set({
      status: "processing",
      processingAt: sql`${sql.placeholder("now")}`,
      updatedAt: sql`${sql.placeholder("now")}`,
    })
    .where(and(eq(commands.id, id), eq(commands.status, "sent")))
    .prepare();
  const setMark = orm
    .update(commands)
    .set({
      status: "processing",
      processingAt: sql`coalesce(${commands.processingAt}, ${sql.placeholder("now")})`,
      mark: sql`${sql.placeholder("mark")}`,
      baseline: sql`coalesce(${sql.placeholder("baseline")}, ${commands.baseline})`,
      updatedAt: sql`${sql.placeholder("now")}`,
    })
    .where(and(eq(commands.id, id), inArray(commands.status, ["sent", "processing"])))
    .prepare();
  const setFinal = orm
    .update(commands)
    .set({
      status: sql`${sql.placeholder("status")}`,
      result: sql`${sql.placeholder("result")}`,
      finishedAt: sql`${sql.placeholder("now")}`,
      updatedAt: sql`${sql.placeholder("now")}`,
    })
    .where(and(eq(commands.id, id), isUnfinished))
    .prepare();

  return {
    /** @returns the command's place in the order of acceptance */
    insert: (command: NewCommand): number => Number(insert.run({ ...command }).lastInsertRowid),
    get(orgId: string, commandId: string): Command | undefined {
      return byId.get({ orgId, id: commandId });
    },
    /** A command that a controller speaks of. @param orgId null for the built-in controller's */
    getReported(orgId: string | null, commandId: string): Command | undefined {
      return orgId === null ? anyById.get({ id: commandId }) : byId.get({ orgId, id: commandId });
    },
    /**
     * The oldest pending command of a device.
     * @param held leaves out fiscal documents, which wait while an outcome is unknown
     */
    nextPending(deviceId: string, held: boolean): Command | undefined {
      return (held ? nextPendingHeld : nextPending).get({ deviceId });
    },
    /** True while a controller has a command of the device that is not final. */
    isOneOut(deviceId: string): boolean {
      return oneOut.get({ deviceId }) !== undefined;
    },
    markSent(commandId: string, controllerId: string, now: number): boolean {
      return setSent.run({ id: commandId, controllerId, now }).changes === 1;
    },
    /** Hands a command that is out to a controller anew. */
    handOver(commandId: string, controllerId: string): boolean {
      return setOwner.run({ id: commandId, controllerId }).changes === 1;
    },
    markProcessing(commandId: string, now: number): boolean {
      return setProcessing.run({ id: commandId, now }).changes === 1;
    },
    /** Stores how far a command is, which has begun by that. A mark never goes back. */
    setMark(
      commandId: string,
      change: { mark: Mark; baseline: Baseline | undefined; now: number },
    ): boolean {
      const baseline = change.baseline === undefined ? null : JSON.stringify(change.baseline);
      return (
        setMark.run({ id: commandId, mark: change.mark, baseline, now: change.now }).changes === 1
      );
    },
    finish(
      commandId: string,
      change: { status: "completed" | "failed" | "timeout"; result: CommandResult; now: number },
    ): boolean {
      return (
        setFinal.run({
          id: commandId,
          status: change.status,
          result: JSON.stringify(change.result),
          now: change.now,
        }).changes === 1
      );
    },
    /** Everything that is not final, in order of acceptance, of all tenants or of one device. */
    listUnfinished(deviceId?: string): Command[] {
      return deviceId === undefined ? unfinished.all() : unfinishedOfDevice.all({ deviceId });
    },
    list: createCommandLister(orm),
  };
}
