/** Devices, their status and their alerts as the API shows them. */

import type { Alert } from "#core/device/alerts.ts";
import {
  type Connectivity,
  effectiveStatus,
  type OtherPrinter,
  type StoredDeviceStatus,
} from "#core/device/connectivity.ts";
import { isSimulated } from "#core/device/device.ts";
import { isoTime, isoTimeOrNull } from "#core/iso-time.ts";
import type { ConnectionEvent } from "#db/stores/connection-events.ts";
import type { Device } from "#db/stores/devices.ts";

/** What is known of a device's line right now. */
export interface LiveConnectivity extends Connectivity {
  /** The device can be reached over the WebSocket gateway. */
  readonly wsConnected: boolean;
}

/** What is known of a device beyond its row. */
export interface LiveFacts {
  readonly connectivity: LiveConnectivity;
  readonly status: StoredDeviceStatus;
  /** When its state was read last; null where none is known. UTC milliseconds. */
  readonly readAt: number | null;
}

/** What the row itself tells of a device: whether it was online when the row was written. */
export function storedFacts({ storedStatus: status, lastSeenAt }: Device): LiveFacts {
  const isUp = status !== "offline";
  const connectivity = { controllerOnline: isUp, linkUp: isUp, wsConnected: isUp, lastSeenAt };
  return { connectivity, status, readAt: null };
}

/** A device record: interface fields first, then the additive ones. */
export function deviceRecord(device: Device, { connectivity, status, readAt }: LiveFacts) {
  return {
    id: device.id,
    name: device.name,
    driver: device.driver,
    transport: device.transport,
    locationId: device.locationId,
    connectionParams: device.connectionParams,
    orgId: device.orgId,
    status,
    controllerId: device.controllerId,
    controllerName: device.controllerName,
    createdAt: isoTime(device.createdAt),
    updatedAt: isoTime(device.updatedAt),
    managedBy: device.managedBy,
    effectiveStatus: effectiveStatus(connectivity),
    lastSeen: lastSeenOf(device, connectivity),
    stateReadAt: isoTimeOrNull(readAt),
    serialNumber: device.serialNumber,
    fiscalMemorySerialNumber: device.fiscalMemorySerialNumber,
    model: device.model,
    firmwareVersion: device.firmwareVersion,
    charsPerLine: device.charsPerLine,
    reversalTenders: device.reversalTenders,
    simulated: isSimulated(device),
  };
}

/** The status record without the device's id. */
export function statusRecord(
  device: Device,
  { connectivity, status }: Pick<LiveFacts, "connectivity" | "status">,
) {
  return {
    wsConnected: connectivity.wsConnected,
    controllerOnline: connectivity.controllerOnline,
    storedStatus: status,
    effectiveStatus: effectiveStatus(connectivity),
    lastSeen: lastSeenOf(device, connectivity),
    reason: connectivity.reason ?? null,
    otherPrinter: otherPrinterRecord(connectivity.otherPrinter),
  };
}

function otherPrinterRecord(other: OtherPrinter | undefined) {
  if (other === undefined) return null;
  const { serialNumber, fiscalMemorySerialNumber, deviceId } = other;
  return { serialNumber, fiscalMemorySerialNumber, deviceId };
}

export function alertRecord(device: Pick<Device, "id" | "name">, alert: Alert) {
  return {
    type: alert.type,
    severity: alert.severity,
    message: alert.message,
    deviceId: device.id,
    deviceName: device.name,
    detectedAt: isoTime(alert.detectedAt),
    ...(alert.commandId === undefined ? {} : { commandId: alert.commandId }),
    ...(alert.fiscalId === undefined ? {} : { fiscalId: alert.fiscalId }),
    ...(alert.standsOpen === undefined ? {} : { standsOpen: alert.standsOpen }),
    ...(alert.outcome === undefined ? {} : { outcome: alert.outcome }),
    ...(alert.documents === undefined ? {} : { documents: alert.documents }),
    ...(alert.since === undefined ? {} : { since: isoTime(alert.since) }),
  };
}

/** When a device came or went, as the history shows it. */
export function connectionEventRecord(event: ConnectionEvent) {
  const { type, deviceModel, appVersion, osVersion, code, reason } = event;
  const timestamp = isoTime(event.at);
  return { type, timestamp, deviceModel, appVersion, osVersion, code, reason };
}

/**
 * When a device last answered; null when it never did. The live value is newer than the stored one,
 * but is forgotten at a restart. UTC milliseconds.
 */
export function lastSeenAt(device: Device, live: LiveConnectivity): number | null {
  return live.lastSeenAt ?? device.lastSeenAt;
}

function lastSeenOf(device: Device, live: LiveConnectivity): string | null {
  const at = lastSeenAt(device, live);
  return isoTimeOrNull(at);
}
