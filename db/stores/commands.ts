/**
 * Commands. Each change of status repeats in its WHERE what the lifecycle demands, so that of two
 * writers exactly one wins; the loser is told by `undefined`.
 *
 * The commands at work are kept in memory: each is asked for a dozen times between its submission
 * and the answer to its client.
 */

import { and, asc, eq, gt, isNotNull, type SQL, sql } from "drizzle-orm";
import { COMMAND_TYPES, waitsForPerson } from "#core/command/catalogue.ts";
import { type Command, type CommandResult, isFinal } from "#core/command/command.ts";
import type { Baseline, Mark } from "#core/command/marks.ts";
import { payloadBytes } from "#core/command/payload-bytes.ts";
import { maskSecrets } from "#core/command/payload-secrets.ts";
import type { Database } from "../connection.ts";
import { COMMAND_INDEXES, commands, isUnfinished, outcomeHolds } from "../schema/commands.ts";
import { openQuestions } from "../schema/questions.ts";
import { createCommandLister } from "./command-list.ts";
import { prepareProgress } from "./command-progress.ts";
import { formerOf, sentToOf, textOf } from "./handed-out.ts";
import { rowsBy } from "./list-sql.ts";
import { prepareOrder } from "./order.ts";
import { prepareLater } from "./prepared-query.ts";
import { prepareWrite } from "./prepared-write.ts";
import { createPrintedCommands } from "./printed-commands.ts";
import { type Ended, prepareAgedPurge } from "./purge.ts";
import { insertWhole } from "./whole-row.ts";

export type NewCommand = Omit<Command, "seq">;

/** What is known of a command without its payload, which may be large. */
export type UnfinishedCommand = Pick<
  Command,
  | "id"
  | "orgId"
  | "deviceId"
  | "controllerId"
  | "type"
  | "status"
  | "source"
  | "mark"
  | "epoch"
  | "createdAt"
  | "expiresAt"
  | "processingAt"
>;

/** Commands in memory: those at work and a few more. Their payloads together in bytes. */
const KEPT = { rowsMax: 128, weightMax: 2_097_152 };

const HELD = COMMAND_TYPES.filter(waitsForPerson);

export type CommandStore = ReturnType<typeof createCommandStore>;

/** All queries on commands. */
export function createCommandStore(database: Database) {
  const { orm, rows } = database;
  const id = sql.placeholder("id");
  const orderNow = prepareOrder(database);
  const byId = prepareLater(() => orm.select().from(commands).where(eq(commands.id, id)));
  const cache = rows.over<[id: string], Command>((key) => byId.get({ id: key }), {
    ...KEPT,
    weigh: ({ payload }) => payloadBytes(payload),
  });
  const insert = prepareWrite(database, () => insertWhole(orm, commands, "seq"));
  const pendingOf = and(
    eq(commands.deviceId, sql.placeholder("deviceId")),
    isUnfinished,
    sql`${commands.status} = 'pending'`,
  );
  const nextPending = prepareLater(() =>
    orm
      .select({ id: commands.id })
      .from(commands)
      .where(pendingOf)
      .orderBy(asc(commands.seq))
      .limit(1),
  );
  const nextPendingHeld = prepareLater(() =>
    orm
      .select({ id: commands.id })
      .from(commands)
      .where(and(pendingOf, sql`${commands.type} not in ${HELD}`))
      .orderBy(asc(commands.seq))
      .limit(1),
  );
  const isOut = and(
    eq(commands.deviceId, sql.placeholder("deviceId")),
    isUnfinished,
    // Of the unfinished, `processing` and `sent` sort behind `pending`: one step in the index,
    // where "not pending" would be a walk through everything that waits.
    gt(commands.status, "pending"),
  );
  const oneOut = prepareLater(() =>
    orm.select({ seq: commands.seq }).from(commands).where(isOut).limit(1),
  );
  const out = prepareLater(() =>
    orm.select({ id: commands.id }).from(commands).where(isOut).limit(1),
  );
  const { id: idColumn, orgId, deviceId, type, status, mark, createdAt, expiresAt } = commands;
  const unfinishedFields = {
    ...{ id: idColumn, orgId, deviceId, type, status, mark, createdAt, expiresAt },
    ...{ controllerId: commands.controllerId, epoch: commands.epoch, source: commands.source },
    processingAt: commands.processingAt,
  };
  const listUnfinished = (condition: SQL | undefined) =>
    prepareLater(() =>
      orm
        .select(unfinishedFields)
        // Left to itself SQLite reads the whole table, which is in the right order already.
        .from(rowsBy(commands, COMMAND_INDEXES.unfinished))
        .where(and(isUnfinished, condition))
        .orderBy(asc(commands.seq))
        .limit(sql.placeholder("limit")),
    );
  const unfinished = listUnfinished(undefined);
  const unfinishedOfDevice = listUnfinished(eq(commands.deviceId, sql.placeholder("deviceId")));
  const counted = { waiting: sql<number>`count(*)` };
  const unfinishedCount = prepareLater(() =>
    orm.select(counted).from(rowsBy(commands, COMMAND_INDEXES.unfinished)).where(isUnfinished),
  );
  const pendingCount = prepareLater(() => orm.select(counted).from(commands).where(pendingOf));
  // Asked at every submission: to count them anew is to walk through all that wait.
  const unfinishedKept = rows.over<[], number>(() => unfinishedCount.get()?.waiting);
  const pendingKept = rows.over<[deviceId: string], number>(
    (device) => pendingCount.get({ deviceId: device })?.waiting,
  );
  const shiftExpiry = prepareLater(() =>
    orm
      .update(commands)
      .set({ expiresAt: sql`${commands.expiresAt} + ${sql.placeholder("ms")}` })
      .where(isUnfinished),
  );
  const {
    setSent,
    setPending,
    setOwner,
    setFormer,
    setSentTo,
    setProcessing,
    setFirstMark,
    setNextMark,
    setPresumedMark,
  } = prepareProgress(database);
  const purge = prepareAgedPurge(database, {
    ...{ table: commands, seq: commands.seq },
    // What is older than its shop was accepted while the clock was behind. A shop of the future was
    // set up while it was ahead, and tells nothing.
    storedAt: sql`max(commands.created_at, coalesce((select shop.created_at
      from organizations shop where shop.id = commands.org_id
      and shop.created_at <= ${sql.placeholder("now")}), 0))`,
    removable: and(
      isNotNull(commands.finishedAt),
      sql`not exists (select 1 from ${outcomeHolds} where ${outcomeHolds.commandId} = ${commands.id}
        and ${outcomeHolds.resolvedAt} is null)`,
      sql`not exists (select 1 from ${openQuestions}
        where ${openQuestions.commandId} = ${commands.id})`,
    ),
  });
  const setFinal = prepareWrite(database, () =>
    orm
      .update(commands)
      .set({
        status: sql`${sql.placeholder("status")}`,
        result: sql`${sql.placeholder("result")}`,
        finishedAt: sql`${sql.placeholder("now")}`,
        finishedOrder: sql`${sql.placeholder("order")}`,
        updatedAt: sql`${sql.placeholder("now")}`,
      })
      .where(and(eq(commands.id, id), isUnfinished)),
  );

  const setPayload = prepareWrite(database, () =>
    orm
      .update(commands)
      .set({ payload: sql`${sql.placeholder("payload")}` })
      .where(eq(commands.id, id)),
  );
  /** Writes it only where it has something to mask, which few have. */
  const masked = (command: Command): Command => {
    const payload = maskSecrets(command.payload);
    if (payload === command.payload) return command;
    setPayload.run({ id: command.id, payload: JSON.stringify(payload) });
    const after = { ...command, payload };
    cache.put(after, command.id);
    return after;
  };

  const get = (orgId: string | null, commandId: string): Command | undefined => {
    const command = cache.get(commandId);
    return command && (orgId === null || command.orgId === orgId) ? command : undefined;
  };
  /** Keeps the counts right. @param before undefined for a command that is new */
  const recount = (before: Command | undefined, after: Command): void => {
    const grown = (is: (command: Command) => boolean): number =>
      Number(is(after)) - Number(before !== undefined && is(before));
    const unfinished = grown(({ status }) => !isFinal(status));
    if (unfinished !== 0) unfinishedKept.adjust((kept) => kept + unfinished);
    const pending = grown(({ status }) => status === "pending");
    if (pending !== 0) pendingKept.adjust((kept) => kept + pending, after.deviceId);
  };
  /** Changes a command. @returns it as it is then; undefined when its state does not allow it */
  const change = (
    commandId: string,
    write: (before: Command) => { readonly changes: number },
    changed: (before: Command) => Partial<Command>,
  ): Command | undefined => {
    const before = cache.get(commandId);
    if (!before || write(before).changes !== 1) return undefined;
    const after = { ...before, ...changed(before) };
    cache.put(after, commandId);
    recount(before, after);
    return after;
  };

  return {
    /** @returns the command with its place in the order of acceptance */
    insert(command: NewCommand): Command {
      const seq = Number(insert.run({ ...command }).lastInsertRowid);
      const stored = { ...command, seq };
      cache.put(stored, stored.id);
      recount(undefined, stored);
      return stored;
    },
    /** The order of what is accepted now. */
    orderNow,
    /** @param orgId null for whoever serves all tenants: the controller inside the appliance */
    get,
    /**
     * The oldest pending command of a device.
     * @param held leaves out what waits while an outcome is unknown
     */
    nextPending(deviceId: string, held: boolean): Command | undefined {
      const found = (held ? nextPendingHeld : nextPending).get({ deviceId });
      return found && cache.get(found.id);
    },
    /** True while a controller has a command of the device that is not final. */
    isOneOut(deviceId: string): boolean {
      return oneOut.get({ deviceId }) !== undefined;
    },
    /** The command of the device that a controller has; undefined when none is out. */
    findOut(deviceId: string): Command | undefined {
      const found = out.get({ deviceId });
      return found && cache.get(found.id);
    },
    markSent(commandId: string, controllerId: string, now: number): Command | undefined {
      const order = orderNow();
      return change(
        commandId,
        () => setSent.run({ id: commandId, controllerId, now, order }),
        ({ epoch }) => ({
          ...{ status: "sent", controllerId, epoch: epoch + 1 },
          ...{ sentAt: now, sentOrder: order, updatedAt: now },
        }),
      );
    },
    /** Takes back what was sent and has changed nothing; whether it had begun stays known. */
    putBack(commandId: string, now: number): Command | undefined {
      return change(
        commandId,
        (before) => setPending.run({ id: commandId, now, former: textOf(formerOf(before)) }),
        (before) => ({
          ...{ status: "pending", controllerId: null, updatedAt: now },
          ...{ sentAt: null, sentOrder: null },
          formerControllers: formerOf(before),
        }),
      );
    },
    /** Hands a command that is out to a controller anew. */
    handOver(commandId: string, controllerId: string): Command | undefined {
      return change(
        commandId,
        (before) => {
          const former = textOf(formerOf(before, controllerId));
          return setOwner.run({ id: commandId, controllerId, former });
        },
        (before) => ({
          ...{ controllerId, epoch: before.epoch + 1 },
          formerControllers: formerOf(before, controllerId),
        }),
      );
    },
    /** Notes that a controller was asked of it, and is not any more; null: nobody knows which have been. */
    noteFormer(commandId: string, controllerId: string | null): Command | undefined {
      const noted = (before: Command) =>
        controllerId === null ? null : formerOf({ ...before, controllerId }, before.controllerId);
      return change(
        commandId,
        (before) => setFormer.run({ id: commandId, former: textOf(noted(before)) }),
        (before) => ({ formerControllers: noted(before) }),
      );
    },
    /** Notes where its device is as it is handed out. @param socket as `Command.sentTo` has them */
    noteSentTo(commandId: string, socket: string): Command | undefined {
      return change(
        commandId,
        (before) => setSentTo.run({ id: commandId, sentTo: textOf(sentToOf(before, socket)) }),
        (before) => ({ sentTo: sentToOf(before, socket) }),
      );
    },
    markProcessing(commandId: string, now: number): Command | undefined {
      return change(
        commandId,
        () => setProcessing.run({ id: commandId, now }),
        () => ({ status: "processing", processingAt: now, updatedAt: now }),
      );
    },
    /** Stores how far a command is, which has begun by that. A mark never goes back. */
    setMark(
      commandId: string,
      { mark, baseline, now }: { mark: Mark; baseline: Baseline | undefined; now: number },
    ): Command | undefined {
      const text = baseline === undefined ? null : JSON.stringify(baseline);
      return change(
        commandId,
        ({ status }) =>
          (status === "sent" ? setFirstMark : setNextMark).run({
            ...{ id: commandId, mark, baseline: text, now },
          }),
        (before) => ({
          status: "processing",
          // One that was put back had begun before.
          processingAt: before.status === "sent" ? now : before.processingAt,
          mark,
          baseline: baseline ?? before.baseline,
          updatedAt: now,
        }),
      );
    },
    /** Stores how far a command may be for all that anybody will say. It has not begun by that. */
    presumeMark(commandId: string, mark: Mark, now: number): Command | undefined {
      return change(
        commandId,
        () => setPresumedMark.run({ id: commandId, mark, now }),
        () => ({ mark, updatedAt: now }),
      );
    },
    /**
     * Ends a command. Passwords in its payload are masked from then on.
     * @param end.isAsked its device is still to be asked of it, which may take them
     */
    finish(
      commandId: string,
      end: {
        readonly status: "completed" | "failed" | "timeout";
        readonly result: CommandResult;
        readonly now: number;
        readonly isAsked?: boolean;
      },
    ): Command | undefined {
      const { status, result, now, isAsked = false } = end;
      const order = orderNow();
      const ended = change(
        commandId,
        () => setFinal.run({ id: commandId, status, result: JSON.stringify(result), now, order }),
        () => ({ status, result, finishedAt: now, finishedOrder: order, updatedAt: now }),
      );
      return ended && !isAsked ? masked(ended) : ended;
    },
    /** Masks the passwords of one that is not asked about any more. */
    forgetSecrets(commandId: string): void {
      const command = cache.get(commandId);
      if (command !== undefined) masked(command);
    },
    /**
     * What is not final, in order of acceptance, without payloads.
     * @param of one device's, or at most `limit` of them
     */
    listUnfinished({ deviceId, limit = -1 }: { deviceId?: string; limit?: number } = {}) {
      const found: UnfinishedCommand[] =
        deviceId === undefined
          ? unfinished.all({ limit })
          : unfinishedOfDevice.all({ deviceId, limit });
      return found;
    },
    /** Number of commands that are not final, of the whole appliance. */
    countUnfinished: (): number => unfinishedKept.get() ?? 0,
    /** Number of commands that wait for their turn on a device. */
    countPending: (deviceId: string): number => pendingKept.get(deviceId) ?? 0,
    /** The clock was set: what has a time to begin keeps as much of it as it had. */
    shiftExpiry(ms: number): void {
      cache.drop();
      shiftExpiry.run({ ms });
    },
    /**
     * Removes some of the oldest by acceptance, but none that is not final or of which a person or a
     * printer is still asked.
     * @returns false when no more were left
     */
    purge(ended: Ended): boolean {
      const { removed, hasMore } = purge(ended);
      if (removed > 0) cache.drop();
      return hasMore;
    },
    list: createCommandLister(orm),
    ...createPrintedCommands(database),
  };
}
