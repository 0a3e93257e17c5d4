/** Events: written with what they tell of, read by whoever comes later. */

import { and, asc, gt, lt, lte, sql } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { events } from "../schema/events.ts";
import { PURGE_ROWS_MAX } from "./purge.ts";
import { insertWhole } from "./whole-row.ts";

export type EventRow = typeof events.$inferSelect;
export type NewEventRow = Omit<EventRow, "seq">;

/** All queries on events. */
export function createEventStore({ orm }: Database) {
  const insert = insertWhole(orm, events, "seq").prepare();
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
  const first = orm.select({ seq: sql`min(${events.seq})` }).from(events);
  const newest = orm.select({ seq: sql`max(${events.seq})` }).from(events);
  // The oldest by `seq`, so that no index on the time is needed. The newest stays: the next one's
  // `seq` is one more.
  const purge = orm
    .delete(events)
    .where(
      and(
        lt(events.seq, sql`min((${first}) + ${PURGE_ROWS_MAX}, (${newest}))`),
        lte(events.createdAt, sql.placeholder("until")),
      ),
    )
    .prepare();
  return {
    /** @returns the event's `seq` */
    insert: (row: NewEventRow): number => Number(insert.run({ ...row }).lastInsertRowid),
    /** Of the whole appliance, oldest first. @param seq exclusive */
    listAfter: (seq: number, limit: number): EventRow[] => after.all({ seq, limit }),
    /** `seq` of the newest event; 0 when there is none. */
    lastSeq: (): number => last.get()?.seq ?? 0,
    /**
     * Removes some of the oldest.
     * @param until UTC milliseconds, inclusive
     * @returns false when no more were left
     */
    purge: (until: number): boolean => purge.run({ until }).changes === PURGE_ROWS_MAX,
  };
}
