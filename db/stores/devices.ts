/** Devices as registered; what they are doing now is known to the live registry. */

import { and, count, eq, ne, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { StoredDevice } from "#core/device/device.ts";
import type { Database } from "../connection.ts";
import { devices } from "../schema/devices.ts";
import { prepareLater } from "./prepared-query.ts";
import { prepareChange } from "./prepared-write.ts";
import { insertRow } from "./whole-row.ts";

export type Device = StoredDevice;
export interface DeviceFilter {
  readonly locationId?: string | undefined;
  readonly controllerId?: string | undefined;
}

export type DeviceStore = ReturnType<typeof createDeviceStore>;

/** All queries on devices. */
export function createDeviceStore(database: Database) {
  const { orm, rows } = database;
  const byId = prepareLater(() =>
    orm
      .select()
      .from(devices)
      .where(eq(devices.id, sql.placeholder("id"))),
  );
  const cache = rows.over((id: string) => byId.get({ id }));
  /** A filter that is not set is null, and lets everything through. */
  const passes = (column: SQLiteColumn, name: "locationId" | "controllerId") =>
    sql`(${sql.placeholder(name)} is null or ${column} = ${sql.placeholder(name)})`;
  const filtered = prepareLater(() =>
    orm
      .select()
      .from(devices)
      .where(
        and(
          eq(devices.orgId, sql.placeholder("orgId")),
          passes(devices.locationId, "locationId"),
          passes(devices.controllerId, "controllerId"),
        ),
      )
      .orderBy(devices.id),
  );
  const all = prepareLater(() => orm.select().from(devices).orderBy(devices.id));
  const builtin = prepareLater(() =>
    orm.select().from(devices).where(eq(devices.managedBy, "builtin")).orderBy(devices.id),
  );
  const changeOne = prepareChange(
    database,
    devices,
    and(eq(devices.orgId, sql.placeholder("ofOrg")), eq(devices.id, sql.placeholder("ofDevice"))),
  );
  const scoped = (orgId: string, deviceId: string) =>
    and(eq(devices.orgId, orgId), eq(devices.id, deviceId));
  return {
    insert(device: Device): void {
      cache.drop();
      insertRow(orm, devices, device);
    },
    get(orgId: string, deviceId: string): Device | undefined {
      const device = cache.get(deviceId);
      return device?.orgId === orgId ? device : undefined;
    },
    /** A device of whichever organization. */
    find(deviceId: string): Device | undefined {
      return cache.get(deviceId);
    },
    /** In order of registration. */
    list(orgId: string, filter: DeviceFilter = {}): Device[] {
      const { locationId = null, controllerId = null } = filter;
      return filtered.all({ orgId, locationId, controllerId });
    },
    /** Every device of the appliance. */
    listAll: (): Device[] => all.all(),
    /** Those of the controller inside the appliance, which serves all tenants. */
    listBuiltin: (): Device[] => builtin.all(),
    /** Printers as the plan counts them: simulated ones are none. */
    count(orgId: string): number {
      const row = orm
        .select({ total: count() })
        .from(devices)
        .where(and(eq(devices.orgId, orgId), ne(devices.transport, "simulated")))
        .get();
      return row?.total ?? 0;
    },
    /** Simulated printers of the appliance, of one organization or of all. */
    countSimulated(orgId?: string): number {
      const ofOne = orgId === undefined ? undefined : eq(devices.orgId, orgId);
      const row = orm
        .select({ total: count() })
        .from(devices)
        .where(and(ofOne, eq(devices.transport, "simulated")))
        .get();
      return row?.total ?? 0;
    },
    update(
      orgId: string,
      deviceId: string,
      change: Partial<Omit<Device, "id" | "orgId" | "createdAt">>,
    ): Device | undefined {
      cache.drop();
      const { changes } = changeOne(change, { ofOrg: orgId, ofDevice: deviceId });
      return changes === 1 ? cache.get(deviceId) : undefined;
    },
    /** @returns false when there is no such device */
    remove(orgId: string, deviceId: string): boolean {
      cache.drop();
      return orm.delete(devices).where(scoped(orgId, deviceId)).run().changes === 1;
    },
  };
}
