/** Events: written with what they tell of, read by whoever comes later. */

import { and, asc, eq, gt, lt, lte, sql } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { events } from "../schema/events.ts";
import { prepareLater } from "./prepared-query.ts";
import { prepareWrite } from "./prepared-write.ts";
import { type Ended, prepareAgedPurge } from "./purge.ts";
import { insertWhole } from "./whole-row.ts";

export type EventRow = typeof events.$inferSelect;
export type NewEventRow = Omit<EventRow, "seq">;

/** Several processes make at most so many within a millisecond. */
const SAME_MOMENT_ROWS = 32;
/** Rows of one part of a search: some milliseconds, also off a slow disk. */
const PART_ROWS = 500;

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
  const below = prepareLater(() =>
    orm
      .select({ seq: sql<number>`coalesce(max(${events.seq}), -1)` })
      .from(events)
      .where(lte(events.seq, sql.placeholder("to"))),
  );
  const named = prepareLater(() =>
    orm
      .select({ seq: events.seq })
      .from(events)
      .where(
        and(
          gt(events.seq, sql.placeholder("above")),
          lte(events.seq, sql.placeholder("to")),
          eq(events.id, sql.placeholder("id")),
          eq(events.orgId, sql.placeholder("orgId")),
        ),
      )
      .limit(1),
  );
  /**
   * Where an id belongs, as ids grow with `seq`. That they do within one process: those of several
   * are mixed within a millisecond, and behind a restart with another clock they begin lower.
   */
  const placeById = (first: number, newest: number, id: string): number => {
    let low = first;
    let high = newest;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const [row] = after.all({ seq: middle - 1, limit: 1 });
      if (row === undefined || row.id >= id) high = middle;
      else low = row.seq + 1;
    }
    return low;
  };
  const newest = orm.select({ seq: sql`max(${events.seq})` }).from(events);
  const purge = prepareAgedPurge(database, {
    ...{ table: events, seq: events.seq, storedAt: events.createdAt },
    // The newest stays: the next one's `seq` is one more.
    removable: lt(events.seq, sql`(${newest})`),
  });
  return {
    /** @returns the event's `seq` */
    insert: (row: NewEventRow): number => Number(insert.run({ ...row }).lastInsertRowid),
    /**
     * Events up to this `seq` are lost: a row of no organization, which tells of nothing, stands in the
     * place of the newest, and those to come go on behind it.
     */
    leaveOut(seq: number, { id, now: createdAt }: { id: string; now: number }): void {
      const nothing = { orgId: "", type: "command.updated", subjectId: "", data: {} } as const;
      orm
        .insert(events)
        .values({ seq, id, ...nothing, createdAt })
        .run();
    },
    /** Of the whole appliance, oldest first. @param seq exclusive */
    listAfter: (seq: number, limit: number): EventRow[] => after.all({ seq, limit }),
    /** `seq` of the newest event; 0 when there is none. */
    lastSeq: (): number => last.get()?.seq ?? 0,
    /**
     * The place of an event of an organization, in parts between which the caller lets others work.
     * @returns in the end undefined when it is not kept any more
     */
    *seqOf(orgId: string, id: string): Generator<undefined, number | undefined> {
      const first = oldest.get()?.seq ?? 0;
      const newest = last.get()?.seq ?? 0;
      const around = after.all({
        seq: placeById(first, newest, id) - SAME_MOMENT_ROWS,
        limit: 2 * SAME_MOMENT_ROWS,
      });
      const near = around.find((row) => row.id === id && row.orgId === orgId);
      if (near !== undefined) return near.seq;
      // Newest first: whoever was cut off comes again soon.
      for (let to = newest; to >= first; to = below.get({ to: to - PART_ROWS })?.seq ?? -1) {
        yield;
        const found = named.get({ orgId, id, above: to - PART_ROWS, to });
        if (found !== undefined) return found.seq;
      }
      return undefined;
    },
    /** Removes some of the oldest. @returns false when no more were left */
    purge: (ended: Ended): boolean => purge(ended).hasMore,
  };
}
