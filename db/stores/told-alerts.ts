/** The alerts of devices as listeners were told of them last. */

import { eq, sql } from "drizzle-orm";
import type { Alert } from "#core/device/alerts.ts";
import type { Database } from "../connection.ts";
import { toldAlerts } from "../schema/told-alerts.ts";
import { prepareLater } from "./prepared-query.ts";
import { insertWhole, newValues } from "./whole-row.ts";

/** All queries on them; there are as many rows as devices at most. */
export function createToldAlertStore({ orm }: Database) {
  const { deviceId: key } = toldAlerts;
  const byDevice = prepareLater(() =>
    orm
      .select()
      .from(toldAlerts)
      .where(eq(key, sql.placeholder("deviceId"))),
  );
  const put = prepareLater(() =>
    insertWhole(orm, toldAlerts).onConflictDoUpdate({
      target: key,
      set: newValues(toldAlerts, [key]),
    }),
  );
  return {
    /** None of a device of which nothing was told. */
    of: (deviceId: string): readonly Alert[] => byDevice.get({ deviceId })?.alerts ?? [],
    /** What is told now, in place of what was told before. */
    put(deviceId: string, alerts: readonly Alert[]): void {
      put.run({ deviceId, alerts });
    },
    /** The device is gone. */
    remove(deviceId: string): void {
      orm.delete(toldAlerts).where(eq(key, deviceId)).run();
    },
    /** The devices of which something was told, of the whole appliance. */
    deviceIds: (): string[] =>
      orm
        .select({ deviceId: key })
        .from(toldAlerts)
        .all()
        .map(({ deviceId }) => deviceId),
  };
}
