/** How a command gets on, from `pending` to its last mark: the writes of its store. */

import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { commands } from "../schema/commands.ts";
import { prepareWrite } from "./prepared-write.ts";

/** Each writes only what the lifecycle allows, and says by its changes whether it did. */
export function prepareProgress(database: Database) {
  const { orm } = database;
  const id = sql.placeholder("id");
  const setSent = prepareWrite(database, () =>
    orm
      .update(commands)
      .set({
        status: "sent",
        controllerId: sql`${sql.placeholder("controllerId")}`,
        epoch: sql`${commands.epoch} + 1`,
        sentAt: sql`${sql.placeholder("now")}`,
        sentOrder: sql`${sql.placeholder("order")}`,
        updatedAt: sql`${sql.placeholder("now")}`,
      })
      .where(and(eq(commands.id, id), eq(commands.status, "pending"))),
  );
  const isHanded = inArray(commands.status, ["sent", "processing"]);
  const setPending = prepareWrite(database, () =>
    orm
      .update(commands)
      .set({
        status: "pending",
        controllerId: null,
        formerControllers: sql`${sql.placeholder("former")}`,
        sentAt: null,
        sentOrder: null,
        updatedAt: sql`${sql.placeholder("now")}`,
      })
      .where(and(eq(commands.id, id), isHanded, isNull(commands.mark))),
  );
  const setOwner = prepareWrite(database, () =>
    orm
      .update(commands)
      .set({
        controllerId: sql`${sql.placeholder("controllerId")}`,
        formerControllers: sql`${sql.placeholder("former")}`,
        epoch: sql`${commands.epoch} + 1`,
      })
      .where(and(eq(commands.id, id), isHanded)),
  );
  const setFormer = prepareWrite(database, () =>
    orm
      .update(commands)
      .set({ formerControllers: sql`${sql.placeholder("former")}` })
      .where(eq(commands.id, id)),
  );
  const setSentTo = prepareWrite(database, () =>
    orm
      .update(commands)
      .set({ sentTo: sql`${sql.placeholder("sentTo")}` })
      .where(eq(commands.id, id)),
  );
  const setProcessing = prepareWrite(database, () =>
    orm
      .update(commands)
      .set({
        status: "processing",
        processingAt: sql`${sql.placeholder("now")}`,
        updatedAt: sql`${sql.placeholder("now")}`,
      })
      .where(and(eq(commands.id, id), eq(commands.status, "sent"))),
  );
  const marked = {
    mark: sql`${sql.placeholder("mark")}`,
    baseline: sql`coalesce(${sql.placeholder("baseline")}, ${commands.baseline})`,
    updatedAt: sql`${sql.placeholder("now")}`,
  };
  const setFirstMark = prepareWrite(database, () =>
    orm
      .update(commands)
      .set({
        ...marked,
        status: "processing",
        processingAt: sql`${sql.placeholder("now")}`,
      })
      .where(and(eq(commands.id, id), eq(commands.status, "sent"))),
  );
  // Without the status: no index is touched, so the commit has one page less to write.
  const setNextMark = prepareWrite(database, () =>
    orm
      .update(commands)
      .set(marked)
      .where(and(eq(commands.id, id), eq(commands.status, "processing"))),
  );
  const setPresumedMark = prepareWrite(database, () =>
    orm
      .update(commands)
      .set({ mark: sql`${sql.placeholder("mark")}`, updatedAt: sql`${sql.placeholder("now")}` })
      .where(and(eq(commands.id, id), isHanded, isNull(commands.mark))),
  );
  return {
    setSent,
    setPending,
    setOwner,
    setFormer,
    setSentTo,
    setProcessing,
    setFirstMark,
    setNextMark,
    setPresumedMark,
  };
}
