/** Events: written with what they tell of, read by whoever comes later. */

import { asc, gt, lt, sql } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { events } from "../schema/events.ts";
import { prepareLater } from "./prepared-query.ts";
import { prepareWrite } from "./prepared-write.ts";
import { type Ended, PURGE_ROWS_MAX, prepareAgedPurge } from "./purge.ts";
import { insertWhole } from "./whole-row.ts";

export type EventRow = typeof events.$inferSelect;
export type NewEventRow = Omit<EventRow, "seq">;

/** Several processes make at most so many within a millisecond. */
const SAME_MOMENT_ROWS = 32;

export type EventStore = ReturnType<typeof createEventStore>;

/** All queries on events. */
export function createEventStore(database: Database) {
  const { orm } = database;
  const insert = prepareWrite(database, () => insertWhole(orm, events, "seq"));
  const after = prepareLater(() =>
    orm
      .select()
      .from(events)
      .where(gt(events.seq, sql.placeholder("seq")))
      .orderBy(asc(events.seq))
      .limit(sql.placeholder("limit")),
  );
  const last = prepareLater(() =>
    orm.select({ seq: sql<number>`coalesce(max(${events.seq}), 0)` }).from(events),
  );
  const oldest = prepareLater(() =>
    orm.select({ seq: sql<number>`coalesce(min(${events.seq}), 0)` }).from(events),
  );
  const newest = orm.select({ seq: sql`max(${events.seq})` }).from(events);
  const purge = prepareAgedPurge(database, {
    ...{ table: events, seq: events.seq, storedAt: events.createdAt },
    // The newest stays: the next one's `seq` is one more.
    removable: lt(events.seq, sql`(${newest})`),
  });
  return {
    /** @returns the event's `seq` */
    insert: (row: NewEventRow): number => Number(insert.run({ ...row }).lastInsertRowid),
    /** Of the whole appliance, oldest first. @param seq exclusive */
    listAfter: (seq: number, limit: number): EventRow[] => after.all({ seq, limit }),
    /** `seq` of the newest event; 0 when there is none. */
    lastSeq: (): number => last.get()?.seq ?? 0,
    /**
     * The place of an event of an organization. Ids grow with `seq`, but for those that several
     * processes made within one millisecond, and where the clock was set back: an event beyond that
     * is not found, as if it were too old.
     * @returns undefined when it is not kept any more
     */
    seqOf(orgId: string, id: string): number | undefined {
      let low = oldest.get()?.seq ?? 0;
      let high = last.get()?.seq ?? 0;
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        const [row] = after.all({ seq: middle - 1, limit: 1 });
        if (row === undefined || row.id >= id) high = middle;
        else low = row.seq + 1;
      }
      const around = after.all({ seq: low - SAME_MOMENT_ROWS, limit: 2 * SAME_MOMENT_ROWS });
      return around.find((row) => row.id === id && row.orgId === orgId)?.seq;
    },
    /** Removes some of the oldest. @returns false when no more were left */
    purge: (ended: Ended): boolean => purge(ended) === PURGE_ROWS_MAX,
  };
}
