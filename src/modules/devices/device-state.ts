/** What a device is doing and needs, from what is stored and what the live registry knows. */

import type { ControllerIdentity } from "#core/controller/controller.ts";
import {
  type Alert,
  deviceAlerts,
  hasBlockingAlert,
  type LateResult,
  type OpenOutcome,
  type UnknownDocuments,
} from "#core/device/alerts.ts";
import { closingDue } from "#core/device/closing.ts";
import {
  effectiveStatus,
  projectedStatus,
  type StoredDeviceStatus,
} from "#core/device/connectivity.ts";
import { mayHold, shopPrinterOf } from "#core/device/printer.ts";
import type { StatusReading } from "#core/device/reading.ts";
import { askedAgainOf } from "#db/stores/asked-again.ts";
import { openAt, recordsOf } from "#db/stores/device-records.ts";
import type { Device } from "#db/stores/devices.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Clock } from "../../platform/clock.ts";
import { type DayStores, dayFacts } from "./fiscal-day.ts";
import { type LiveConnectivity, lastSeenAt } from "./records.ts";

/** What the live registry knows of devices; nothing of it outlives the process. */
export interface DeviceLive {
  /** False in a process without controllers: then a device's status is what was last stored. */
  readonly isHere: boolean;
  connectivity(deviceId: string): LiveConnectivity;
  /** The connected controller that serves the device. */
  controller(deviceId: string): ControllerIdentity | undefined;
  /** What is known of its state; undefined while its controller has told nothing of it. */
  reading(deviceId: string): StatusReading | undefined;
  /** Since when the gateway's disk is full; null while it is not. UTC milliseconds. */
  diskFullSince(): number | null;
  /** Results that came too late. */
  lateResults(deviceId: string): readonly LateResult[];
}

export interface DeviceStateOptions {
  readonly stores: Pick<
    Stores,
    "audit" | "commands" | "devices" | "documentChecks" | "outcomeHolds" | "restoredPrinters"
  > &
    DayStores;
  readonly clock: Pick<Clock, "now">;
  readonly live: DeviceLive;
}

/** The stored status, made when it is asked for: to store each turn would cost two commits a command. */
export function statusOf(options: DeviceStateOptions, device: Device): StoredDeviceStatus {
  const { stores, live } = options;
  if (!live.isHere) return device.storedStatus;
  const connectivity = live.connectivity(device.id);
  return projectedStatus({
    connectivity,
    // What was sent for a device that is out of reach does not run on it.
    isBusy: effectiveStatus(connectivity) === "online" && stores.commands.isOneOut(device.id),
    hasError: hasBlockingAlert(alertsOf(options, device)),
  });
}

/** Everything that a person should know of the device. */
export function alertsOf(
  { stores, live, clock }: DeviceStateOptions,
  device: Device,
): readonly Alert[] {
  const connectivity = live.connectivity(device.id);
  const [now, reading] = [clock.now(), live.reading(device.id)];
  return deviceAlerts({
    now,
    controllerId: device.controllerId,
    createdAt: device.createdAt,
    releasedAt: releasedAt(stores, device),
    connectivity: { ...connectivity, lastSeenAt: lastSeenAt(device, connectivity) },
    reading,
    outcomeHolds: openHolds(stores, device),
    restoredAt: aheadSince(stores, device),
    unknownDocuments: unknownOf(stores, device),
    diskFullSince: live.diskFullSince(),
    closingDueAt: closingDue(dayFacts(stores, device, { now, reading }))?.at ?? null,
    lateResults: live.lateResults(device.id),
  });
}

/** When the device was last taken from its controller; only looked for while nobody serves it. */
function releasedAt({ audit }: DeviceStateOptions["stores"], device: Device): number | null {
  if (device.controllerId !== null) return null;
  const about = { orgId: device.orgId, resource: device.id, action: "device.released" } as const;
  return audit.last(about)?.at ?? null;
}

/** Since when the device's printer is known to be ahead of a state that was put back. */
function aheadSince(stores: DeviceStateOptions["stores"], device: Device): number | null {
  const row = restoredOf(stores, device).find(({ state }) => state === "ahead");
  return row?.raisedAt ?? null;
}

/** The records that lead to the printer of one, itself included. */
export function recordsAt({ devices }: Pick<Stores, "devices">, device: Device): Device[] {
  const printer = shopPrinterOf(device);
  return recordsOf({ devices }, printer);
}

/** What a state put back from a copy leaves open of the device's printer, as it may be accepted there. */
export function restoredOf(stores: DeviceStateOptions["stores"], device: Device) {
  return openAt(stores, stores.restoredPrinters.list(), device);
}

function unknownOf(stores: DeviceStateOptions["stores"], device: Device): UnknownDocuments | null {
  const [told] = toldOf(stores, device);
  if (told === undefined) return null;
  const { raisedAt, documents, since } = told;
  return { raisedAt, documents, since };
}

/** What the device's printer has told of documents that are not known here. */
export function toldOf(stores: DeviceStateOptions["stores"], device: Device) {
  const told = stores.documentChecks.list().filter(({ state }) => state === "unknown");
  return openAt(stores, told, device).flatMap(({ deviceId, raisedAt, documents, since }) => {
    return { deviceId, raisedAt, documents, since };
  });
}

/** What a person must say of the device's printer. */
function openHolds(
  { audit, outcomeHolds }: DeviceStateOptions["stores"],
  device: Device,
): OpenOutcome[] {
  return (
    outcomeHolds
      .listOpen()
      .filter((hold) => hold.orgId === device.orgId)
      // Another printer may stand there now; the one in question is still looked for at this device.
      .filter((hold) => hold.deviceId === device.id || mayHold(hold, device))
      .map(({ commandId, raisedAt }) => {
        return { commandId, raisedAt, ...askedAgainOf(audit, device.orgId, commandId) };
      })
  );
}

/** Why a person was asked again last: the device showed that the document is still open. */
export function standsOpen(
  audit: Pick<Stores["audit"], "last">,
  orgId: string,
  resource: string,
): boolean {
  return askedAgainOf(audit, orgId, resource)?.standsOpen === true;
}
