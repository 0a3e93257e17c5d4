/** The connection history of devices. */

import { and, desc, eq, lt, lte, sql } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { connectionEvents } from "../schema/connection-events.ts";
import { prepareLater } from "./prepared-query.ts";
import { PURGE_ROWS_MAX } from "./purge.ts";
import { insertWhole } from "./whole-row.ts";

export type ConnectionEvent = typeof connectionEvents.$inferSelect;
export type NewConnectionEvent = Omit<ConnectionEvent, "seq">;

/** All queries on the connection history. */
export function createConnectionEventStore({ orm }: Database) {
  const append = prepareLater(insertWhole(orm, connectionEvents, "seq"));
  const latest = prepareLater(
    orm
      .select()
      .from(connectionEvents)
      .where(eq(connectionEvents.deviceId, sql.placeholder("deviceId")))
      .orderBy(desc(connectionEvents.seq))
      .limit(sql.placeholder("limit")),
  );
  const first = orm.select({ seq: sql`min(${connectionEvents.seq})` }).from(connectionEvents);
  // The oldest by `seq`, so that no index on the time is needed.
  const purge = prepareLater(
    orm
      .delete(connectionEvents)
      .where(
        and(
          lt(connectionEvents.seq, sql`(${first}) + ${PURGE_ROWS_MAX}`),
          lte(connectionEvents.at, sql.placeholder("until")),
        ),
      ),
  );
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
