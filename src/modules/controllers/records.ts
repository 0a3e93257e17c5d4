/** Controllers as the API shows them. */

import type { ConnectedController } from "#core/controller/controller.ts";
import { isoTime, isoTimeOrNull } from "#core/iso-time.ts";
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
    connectedAt: isoTimeOrNull(row.connectedAt),
    fcmToken: row.fcmToken,
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
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
    lastSeenAt: isoTimeOrNull(lastSeenAt),
    canBeWoken: row.fcmToken !== null,
    deviceIds: live.deviceIds,
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
  };
}

/** @param name as last stored, if it has one */
export function instanceRecord(connected: ConnectedController, name: string | null | undefined) {
  const { controllerId, appVersion, deviceModel, osVersion } = connected;
  return {
    controllerId,
    controllerName: name ?? connected.name ?? controllerId,
    ...{ appVersion, deviceModel, osVersion },
    connectedAt: isoTime(connected.connectedAt),
    connectedDevices: connected.deviceIdsUp,
  };
}
