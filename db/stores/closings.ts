/** What is known of the ends of fiscal days besides the Z reports. */

import { eq, notInArray, sql } from "drizzle-orm";
import type { Database } from "../connection.ts";
import { closings } from "../schema/closings.ts";
import { prepareLater } from "./prepared-query.ts";
import { insertWhole, newValues } from "./whole-row.ts";

export type DayEnds = typeof closings.$inferSelect;

/** All queries on them; there are as many rows as devices at most. */
export function createClosingStore({ orm }: Database) {
  const { deviceId: key } = closings;
  const byDevice = prepareLater(() =>
    orm
      .select()
      .from(closings)
      .where(eq(key, sql.placeholder("deviceId"))),
  );
  const put = prepareLater(() =>
    insertWhole(orm, closings).onConflictDoUpdate({ target: key, set: newValues(closings, [key]) }),
  );
  const of = (deviceId: string): DayEnds =>
    byDevice.get({ deviceId }) ?? {
      ...{ deviceId, seenClosedAt: null, dayOpenSince: null, lastZNumber: null },
      ...{ madeForDate: null, madeForDay: null, commandId: null },
    };
  return {
    /** Nothing is known of a device without a row. */
    of,
    /** Changes what is known of a device. */
    note(deviceId: string, change: Partial<Omit<DayEnds, "deviceId">>): void {
      put.run({ ...of(deviceId), ...change });
    },
    /** Forgets the devices that are gone. */
    keepOnly(deviceIds: readonly string[]): void {
      orm
        .delete(closings)
        .where(notInArray(key, [...deviceIds]))
        .run();
    },
  };
}
