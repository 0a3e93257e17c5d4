/** Registering devices, and telling what they are doing. */

import {
  type Alert,
  type AlertSeverity,
  type DeviceFacts,
  deviceAlerts,
  hasBlockingAlert,
  type StatusReading,
} from "#core/device/alerts.ts";
import { readConnectionParams } from "#core/device/connection-params.ts";
import {
  effectiveStatus,
  projectedStatus,
  type StoredDeviceStatus,
} from "#core/device/connectivity.ts";
import type { DeviceAddress } from "#core/device/detection.ts";
import type { ConnectionParams, ManagedBy, TransportKind } from "#core/device/device.ts";
import { isSamePrinter, printerOf } from "#core/device/printer.ts";
import { ApiError, validationError } from "#core/errors.ts";
import type { GatewayEvent } from "#core/events.ts";
import { PLAN_LIMITS } from "#core/limits.ts";
import type { Device, DeviceFilter } from "#db/stores/devices.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Transaction, Writer } from "#db/writer.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";
import { type OwnAddressOptions, requireOwnAddress } from "./own-address.ts";
import { alertRecord, deviceRecord, type LiveConnectivity, statusRecord } from "./records.ts";
import type { CreateDeviceBody, UpdateDeviceBody } from "./schema.ts";

/** What the live registry knows of devices; nothing of it outlives the process. */
export interface DeviceLive {
  /** False in a process without controllers: then a device's status is what was last stored. */
  readonly isHere: boolean;
  connectivity(deviceId: string): LiveConnectivity;
  /** The latest status; undefined when none was read since the device connected. */
  reading(deviceId: string): StatusReading | undefined;
  /** The latest result that came too late, in UTC milliseconds; null when none did. */
  lateResult(deviceId: string): DeviceFacts["lateResult"];
}

export interface DeviceServiceOptions {
  readonly stores: Pick<
    Stores,
    "devices" | "commands" | "organizations" | "outcomeHolds" | "restoredPrinters" | "audit"
  >;
  readonly writer: Writer;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  readonly live: DeviceLive;
  /**
   * Ends what a device is at, in the operation that removes it: a document in doubt has to be known
   * to its printer, of which the record tells.
   * @param now UTC milliseconds
   */
  readonly failOut: (tx: Transaction, deviceId: string, now: number) => void;
  /** Ends the commands of a device that was removed. @returns when all of them have ended */
  readonly failUnfinished: (deviceId: string) => Promise<void>;
  /** Names for what an address leads to; two that share one are the same. */
  addressKeys(address: DeviceAddress): Promise<readonly string[]>;
  /** The appliance has a Bluetooth adapter of its own. */
  readonly hasBluetooth: boolean;
}

/** Who does it: the organization, and the actor for the audit log. */
export interface DeviceCaller {
  readonly orgId: string;
  readonly actor: string;
}

/** Which devices to list. */
export interface DeviceListFilter extends DeviceFilter {
  readonly status?: StoredDeviceStatus | undefined;
}

export type DeviceService = ReturnType<typeof createDeviceService>;

/** Makes the service. */
export function createDeviceService(options: DeviceServiceOptions) {
  const { stores, writer, clock, live } = options;
  const { devices } = stores;
  const existing = (orgId: string, deviceId: string): Device => {
    const device = devices.get(orgId, deviceId);
    if (device === undefined) throw new ApiError("NOT_FOUND", "There is no such device");
    return device;
  };
  const facts = (device: Device) => ({
    connectivity: live.connectivity(device.id),
    status: statusOf(options, device),
  });
  const record = (device: Device) => deviceRecord(device, facts(device));
  const addresses: OwnAddressOptions = {
    listAll: () => devices.listAll(),
    addressKeys: (address) => options.addressKeys(address),
  };

  return {
    /** The device of that organization. @throws ApiError NOT_FOUND */
    existing,

    /** @throws ApiError TIER_LIMIT_EXCEEDED when the plan allows no more devices */
    requireRoom: (orgId: string) => requireRoom(options, orgId),

    /** @throws ApiError TIER_LIMIT_EXCEEDED, VALIDATION_ERROR, or CONFLICT for another's address */
    async create(caller: DeviceCaller, body: CreateDeviceBody) {
      const params = checkedParams(body.transport, body.connectionParams);
      const row = newDevice(options, { orgId: caller.orgId, body, params });
      const applicant = { ...row, id: undefined };
      const requireStillOwn = await requireOwnAddress(applicant, addresses);
      const device = await writer.run((tx) => {
        requireRoom(options, caller.orgId);
        requireStillOwn();
        devices.insert(row);
        note(options, caller, { action: "device.created", device: row });
        tx.emit(deviceEvent("device.updated", row));
        return row;
      });
      return record(device);
    },

    /** In order of registration. The status is not filtered by the database, which lags. */
    list: (orgId: string, { status, ...filter }: DeviceListFilter) =>
      devices
        .list(orgId, filter)
        .map(record)
        .filter((device) => status === undefined || device.status === status),

    /** @throws ApiError NOT_FOUND */
    get: (orgId: string, deviceId: string) => record(existing(orgId, deviceId)),

    /** @throws ApiError NOT_FOUND, VALIDATION_ERROR, or CONFLICT for another's address */
    async update(caller: DeviceCaller, deviceId: string, body: UpdateDeviceBody) {
      const before = existing(caller.orgId, deviceId);
      const { transport } = before;
      const change = {
        ...(body.name === undefined ? {} : { name: body.name }),
        ...(body.locationId === undefined ? {} : { locationId: body.locationId }),
        ...(body.managedBy === undefined ? {} : { managedBy: body.managedBy }),
        ...(body.connectionParams === undefined
          ? {}
          : { connectionParams: checkedParams(transport, body.connectionParams) }),
      };
      const moves = body.connectionParams !== undefined || body.managedBy !== undefined;
      const requireStillOwn = moves
        ? await requireOwnAddress({ ...before, ...change }, addresses)
        : () => undefined;
      const device = await writer.run((tx) => {
        existing(caller.orgId, deviceId);
        requireStillOwn();
        const updatedAt = clock.now();
        const row = devices.update(caller.orgId, deviceId, { ...change, updatedAt });
        if (row === undefined) throw new Error("the device vanished inside its own transaction");
        note(options, caller, { action: "device.updated", device: row });
        tx.emit(deviceEvent("device.updated", row));
        return row;
      });
      return record(device);
    },

    /**
     * An owner accepts a state that was put back from a copy: the device's printer goes on.
     * @throws ApiError NOT_FOUND, or CONFLICT when there is nothing to accept
     */
    async acceptState(caller: DeviceCaller, deviceId: string) {
      const device = await writer.run((tx) => {
        const row = existing(caller.orgId, deviceId);
        const restored = restoredOf(stores, row);
        if (restored.length === 0) {
          throw new ApiError("CONFLICT", "The device's state was not put back from a copy");
        }
        for (const one of restored) stores.restoredPrinters.remove(one.deviceId);
        note(options, caller, { action: "device.state_accepted", device: row });
        tx.emit(deviceEvent("device.updated", row));
        return row;
      });
      return record(device);
    },

    /** @throws ApiError NOT_FOUND */
    async remove(caller: DeviceCaller, deviceId: string): Promise<void> {
      await writer.run((tx) => {
        const row = existing(caller.orgId, deviceId);
        options.failOut(tx, deviceId, clock.now());
        devices.remove(caller.orgId, deviceId);
        note(options, caller, { action: "device.removed", device: row });
        tx.emit(deviceEvent("device.released", row));
      });
      await options.failUnfinished(deviceId);
    },

    /** @throws ApiError NOT_FOUND */
    status(orgId: string, deviceId: string) {
      const device = existing(orgId, deviceId);
      return { deviceId, ...statusRecord(device, facts(device)) };
    },

    /** By device id. */
    statuses(orgId: string) {
      const entries = devices
        .list(orgId)
        .map((device) => [device.id, statusRecord(device, facts(device))] as const);
      return { statuses: Object.fromEntries(entries) };
    },

    /** @throws ApiError NOT_FOUND */
    alerts(orgId: string, deviceId: string, severity?: AlertSeverity) {
      const device = existing(orgId, deviceId);
      return { deviceId, alerts: alertRecords(options, device, severity) };
    },

    /** By device id, every device included. */
    allAlerts(orgId: string, severity?: AlertSeverity) {
      const entries = devices
        .list(orgId)
        .map((device) => [device.id, alertRecords(options, device, severity)] as const);
      return { alerts: Object.fromEntries(entries) };
    },
  };
}

function deviceEvent(
  type: "device.updated" | "device.released",
  { orgId, id: deviceId, controllerId }: Device,
): GatewayEvent {
  return { type, orgId, deviceId, controllerId };
}

function requireRoom({ stores }: DeviceServiceOptions, orgId: string): void {
  const plan = stores.organizations.get(orgId)?.plan ?? "free";
  const limit = PLAN_LIMITS[plan].devices;
  if (stores.devices.count(orgId) < limit) return;
  throw new ApiError("TIER_LIMIT_EXCEEDED", `The plan ${plan} allows ${limit} devices at most`);
}

function newDevice(
  { clock, random, hasBluetooth }: DeviceServiceOptions,
  from: {
    readonly orgId: string;
    readonly body: CreateDeviceBody;
    readonly params: ConnectionParams;
  },
): Device {
  const { orgId, body, params } = from;
  const now = clock.now();
  return {
    id: random.id("dev"),
    orgId,
    name: body.name,
    driver: body.driver,
    transport: body.transport,
    locationId: body.locationId,
    connectionParams: params,
    managedBy: body.managedBy ?? usualManager(body.transport, hasBluetooth),
    controllerId: null,
    controllerName: null,
    storedStatus: "offline",
    lastSeenAt: null,
    serialNumber: null,
    fiscalMemorySerialNumber: null,
    model: null,
    firmwareVersion: null,
    createdAt: now,
    updatedAt: now,
  };
}

function usualManager(transport: TransportKind, hasBluetooth: boolean): ManagedBy {
  return transport === "bluetooth" && !hasBluetooth ? "remote" : "builtin";
}

function checkedParams(transport: TransportKind, value: unknown): ConnectionParams {
  const reading = readConnectionParams(transport, value, "connectionParams");
  if ("params" in reading) return reading.params;
  throw validationError(reading.issues);
}

/** Made when it is asked for: to store each turn would cost two commits a command. */
function statusOf(options: DeviceServiceOptions, device: Device): StoredDeviceStatus {
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

function alertsOf({ stores, live, clock }: DeviceServiceOptions, device: Device): readonly Alert[] {
  return deviceAlerts({
    now: clock.now(),
    controllerId: device.controllerId,
    createdAt: device.createdAt,
    connectivity: live.connectivity(device.id),
    reading: live.reading(device.id),
    outcomeHolds: openHolds(stores, device),
    restoredAt: aheadSince(stores, device),
    lateResult: live.lateResult(device.id),
  });
}

/** Since when the device's printer is known to be ahead of a state that was put back. */
function aheadSince(stores: DeviceServiceOptions["stores"], device: Device): number | null {
  const row = restoredOf(stores, device).find(({ state }) => state === "ahead");
  return row?.raisedAt ?? null;
}

/** What a state put back from a copy leaves open of the device's printer. */
function restoredOf({ restoredPrinters }: DeviceServiceOptions["stores"], device: Device) {
  const printer = printerOf(device);
  return restoredPrinters
    .list()
    .filter((row) => row.orgId === device.orgId && isSamePrinter(row, printer));
}

/** What a person must say of the device's printer. */
function openHolds({ outcomeHolds }: DeviceServiceOptions["stores"], device: Device) {
  const printer = printerOf(device);
  return (
    outcomeHolds
      .listOpen()
      .filter((hold) => hold.orgId === device.orgId)
      // Another printer may stand there now; the one in question is still looked for at this device.
      .filter((hold) => hold.deviceId === device.id || isSamePrinter(hold, printer))
  );
}

function alertRecords(options: DeviceServiceOptions, device: Device, severity?: AlertSeverity) {
  return alertsOf(options, device)
    .filter((alert) => severity === undefined || alert.severity === severity)
    .map((alert) => alertRecord(device, alert));
}

function note(
  { stores, clock }: DeviceServiceOptions,
  { orgId, actor }: DeviceCaller,
  { action, device }: { readonly action: string; readonly device: Device },
): void {
  stores.audit.append({
    orgId,
    at: clock.now(),
    actor,
    action,
    resource: device.id,
    details: { name: device.name, driver: device.driver },
  });
}
