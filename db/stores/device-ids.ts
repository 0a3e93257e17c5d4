/** Which devices a table has rows of. */

import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { Database } from "../connection.ts";
import type { receipts } from "../schema/receipts.ts";
import type { reports } from "../schema/reports.ts";
import { prepareLater } from "./prepared-query.ts";

/** A device that rows tell of. */
export interface DeviceWithRows {
  readonly deviceId: string;
  /** The same in all of its rows. */
  readonly simulated: boolean;
}

/**
 * Makes the function that lists the devices of an organization, removed ones too: one look into an
 * index that begins with organization and device for each, however many rows they have.
 */
export function deviceLister(orm: Database["orm"], table: typeof receipts | typeof reports) {
  const next = prepareLater(() =>
    orm
      .select({ deviceId: table.deviceId, simulated: table.simulated })
      .from(table)
      .where(
        and(
          eq(table.orgId, sql.placeholder("orgId")),
          gt(table.deviceId, sql.placeholder("deviceId")),
        ),
      )
      .orderBy(asc(table.deviceId))
      .limit(1),
  );
  return (orgId: string): DeviceWithRows[] => {
    const found: DeviceWithRows[] = [];
    for (let deviceId = ""; ; ) {
      const row = next.get({ orgId, deviceId });
      if (row === undefined) return found;
      deviceId = row.deviceId;
      found.push(row);
    }
  };
}
