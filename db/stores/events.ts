/** Events: written with what they tell of, read by whoever comes later. */

import { asc, gt, sql } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { events } from "../schema/events.ts";

export type EventRow = typeof events.$inferSelect;
export type NewEventRow = Omit<EventRow, "seq">;

export type EventStore = ReturnType<typeof createEventStore>;

/** All queries on events. */
export function createEventStore({ orm }: Database) {
  const insert = orm
    .insert(events)
    .values({
      id: sql.placeholder("id"),
      orgId: sql.placeholder("orgId"),
      type: sql.placeholder("type"),
      subjectId: sql.placeholder("subjectId"),
      data: sql.placeholder("data"),
      createdAt: sql.placeholder("createdAt"),
    })
    .prepare();
  const after = orm
    .select()
    .from(events)
    .where(gt(events.seq, sql.placeholder("seq")))
    .orderBy(asc(events.seq))
    .limit(sql.placeholder("limit"))
    .prepare();
  const last = orm
    .select({ seq: sql<number>`coalesce(max(${events.seq}), 0)` })
    .from(events)
    .prepare();
  return {
    /** @returns the event's `seq` */
    insert: (row: NewEventRow): number => Number(insert.run({ ...row }).lastInsertRowid),
    /** Of the whole appliance, oldest first. @param seq exclusive */
    listAfter: (seq: number, limit: number): EventRow[] => after.all({ seq, limit }),
    /** `seq` of the newest event; 0 when there is none. */
    lastSeq: (): number => last.get()?.seq ?? 0,
  };
}
