/** Controllers as the API shows them. */

import type { ConnectedController } from "#core/controller/controller.ts";
import type { ControllerRow } from "#db/stores/controllers.ts";

/** What is known of a controller, connected or not. */
export function controllerRecord(row: ControllerRow) {
  return {
    controllerId: row.controllerId,
    orgId: row.orgId,
    controllerName: row.name,
    locationId: row.locationId,
    appVersion: row.appVersion,
    deviceModel: row.deviceModel,
    osVersion: row.osVersion,
    connectedAt: row.connectedAt === null ? null : new Date(row.connectedAt).toISOString(),
    fcmToken: row.fcmToken,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  };
}

/** @param live what is known of it now */
export function knownRecord(
  row: ControllerRow,
  live: { readonly connected: boolean; readonly deviceIds: readonly string[] },
) {
  const lastSeenAt = row.lastSeenAt ?? row.connectedAt;
  return {
    controllerId: row.controllerId,
    controllerName: row.name,
    locationId: row.locationId,
    appVersion: row.appVersion,
    deviceModel: row.deviceModel,
    osVersion: row.osVersion,
    connected: live.connected,
    lastSeenAt: lastSeenAt === null ? null : new Date(lastSeenAt).toISOString(),
    canBeWoken: row.fcmToken !== null,
    deviceIds: live.deviceIds,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  };
}

/** @param name as last stored, if it has one */
export function instanceRecord(connected: ConnectedController, name: string | null | undefined) {
  const { controllerId, appVersion, deviceModel, osVersion } = connected;
  return {
    controllerId,
    controllerName: name ?? connected.name ?? controllerId,
    ...{ appVersion, deviceModel, osVersion },
    connectedAt: new Date(connected.connectedAt).toISOString(),
    connectedDevices: connected.deviceIdsUp,
  };
}
