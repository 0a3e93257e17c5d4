/** The connection history of devices. */

import { desc, eq, sql } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { connectionEvents } from "../schema/connection-events.ts";
import { prepareLater } from "./prepared-query.ts";
import { type Ended, prepareAgedPurge } from "./purge.ts";
import { insertWhole } from "./whole-row.ts";

export type ConnectionEvent = typeof connectionEvents.$inferSelect;
export type NewConnectionEvent = Omit<ConnectionEvent, "seq">;

/** All queries on the connection history. */
export function createConnectionEventStore({ orm }: Database) {
  const append = prepareLater(() => insertWhole(orm, connectionEvents, "seq"));
  const latest = prepareLater(() =>
    orm
      .select()
      .from(connectionEvents)
      .where(eq(connectionEvents.deviceId, sql.placeholder("deviceId")))
      .orderBy(desc(connectionEvents.seq))
      .limit(sql.placeholder("limit")),
  );
  const { seq, at } = connectionEvents;
  const purge = prepareAgedPurge({ orm }, { table: connectionEvents, seq, storedAt: at });
  return {
    append(event: NewConnectionEvent): void {
      append.run({ ...event });
    },
    /** Newest first. */
    latest: (deviceId: string, limit: number): ConnectionEvent[] => latest.all({ deviceId, limit }),
    /** Removes some of the oldest. @returns false when no more were left */
    purge: (ended: Ended): boolean => purge(ended).hasMore,
  };
}
