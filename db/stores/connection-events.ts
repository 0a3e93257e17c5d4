/** The connection history of devices. */

import { and, desc, eq, lt, lte, sql } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { connectionEvents } from "../schema/connection-events.ts";
import { PURGE_ROWS_MAX } from "./purge.ts";
import { insertWhole } from "./whole-row.ts";

export type ConnectionEvent = typeof connectionEvents.$inferSelect;
export type NewConnectionEvent = Omit<ConnectionEvent, "seq">;

/** All queries on the connection history. */
export function createConnectionEventStore({ orm }: Database) {
  const append = insertWhole(orm, connectionEvents, "seq").prepare();
  const latest = orm
    .select()
    .from(connectionEvents)
    .where(eq(connectionEvents.deviceId, sql.placeholder("deviceId")))
    .orderBy(desc(connectionEvents.seq))
    .limit(sql.placeholder("limit"))
    .prepare();
  const first = orm.select({ seq: sql`min(${connectionEvents.seq})` }).from(connectionEvents);
  // The oldest by `seq`, so that no index on the time is needed.
  const purge = orm
    .delete(connectionEvents)
    .where(
      and(
        lt(connectionEvents.seq, sql`(${first}) + ${PURGE_ROWS_MAX}`),
        lte(connectionEvents.at, sql.placeholder("until")),
      ),
    )
    .prepare();
  return {
    append(event: NewConnectionEvent): void {
      append.run({ ...event });
    },
    /** Newest first. */
    latest: (deviceId: string, limit: number): ConnectionEvent[] => latest.all({ deviceId, limit }),
    /**
     * Removes some of the oldest.
     * @param until UTC milliseconds, inclusive
     * @returns false when no more were left
     */
    purge: (until: number): boolean => purge.run({ until }).changes === PURGE_ROWS_MAX,
  };
}
