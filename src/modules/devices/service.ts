/** Registering devices, and telling what they are doing. */

import { actorOf, BOX_ACTOR, callerOf, type Principal } from "#core/access.ts";
import type { AuditAction } from "#core/audit.ts";
import type { AlertSeverity } from "#core/device/alerts.ts";
import { effectiveStatus, type StoredDeviceStatus } from "#core/device/connectivity.ts";
import type { DeviceAddress } from "#core/device/detection.ts";
import { hasAddress, isBuiltin, isSimulated } from "#core/device/device.ts";
import { ApiError, noSuch } from "#core/errors.ts";
import { deviceEvent } from "#core/events.ts";
import {
  CONNECTION_HISTORY_MAX,
  PLAN_LIMITS,
  SIMULATED_PRINTERS_MAX,
  SIMULATED_PRINTERS_OF_ALL_MAX,
} from "#core/limits.ts";
import type { Device, DeviceFilter } from "#db/stores/devices.ts";
import type { Stores } from "#db/stores/index.ts";
import { letGo } from "#db/stores/out-of-reach.ts";
import type { WriteFor } from "#db/write-for.ts";
import type { Transaction } from "#db/writer.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";
import { acceptState } from "./accepted-documents.ts";
import {
  acceptPrinter,
  type EndDoubts,
  type EndWaiting,
  type LeavePrinter,
} from "./accepted-printer.ts";
import { alertsOf, type DeviceLive, statusOf } from "./device-state.ts";
import { holdForgotten } from "./forgotten-sales.ts";
import { newDevice, usualManager } from "./new-device.ts";
import { type OwnAddressOptions, requireOwnAddress } from "./own-address.ts";
import {
  changesOf,
  checkedParams,
  paramsOfModel,
  placeChange,
  requireIdle,
  requireSamePlace,
} from "./place.ts";
import { alertRecord, connectionEventRecord, deviceRecord, statusRecord } from "./records.ts";
import { endAlertsOfRemoved } from "./removed-alerts.ts";
import type { CreateDeviceBody, SimulatedDeviceBody, UpdateDeviceBody } from "./schema.ts";

export interface DeviceServiceOptions {
  readonly stores: Pick<
    Stores,
    | "alertHistory"
    | "appliance"
    | "devices"
    | "documentChecks"
    | "bookedReceipts"
    | "closings"
    | "commands"
    | "connectionEvents"
    | "controllers"
    | "locations"
    | "organizations"
    | "outcomeHolds"
    | "reports"
    | "restoredPrinters"
    | "audit"
    | "toldAlerts"
  >;
  readonly write: WriteFor;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  readonly live: DeviceLive;
  /**
   * Ends what a device is at, in the operation that removes it: a document in doubt has to be known
   * to its printer, of which the record tells.
   * @param now UTC milliseconds
   */
  readonly failOut: (tx: Transaction, deviceId: string, now: number) => void;
  readonly endDoubts: EndDoubts;
  readonly endWaiting: EndWaiting;
  readonly leavePrinter: LeavePrinter;
  /** Ends the commands of a device that was removed. @returns when all of them have ended */
  readonly failUnfinished: (deviceId: string) => Promise<void>;
  /** Names for what an address leads to; two that share one are the same. */
  addressKeys(address: DeviceAddress): Promise<readonly string[]>;
  /** The appliance has a Bluetooth adapter of its own. */
  readonly hasBluetooth: boolean;
}

/** Which devices to list. */
export interface DeviceListFilter extends DeviceFilter {
  readonly status?: StoredDeviceStatus | undefined;
}

export type DeviceService = ReturnType<typeof createDeviceService>;

/** Makes the service. */
export function createDeviceService(options: DeviceServiceOptions) {
  const { stores, write, clock, live } = options;
  const { devices } = stores;
  const register = (tx: Transaction, principal: Principal, row: Device): Device => {
    devices.insert(row);
    holdForgotten(stores, row, { now: row.createdAt });
    note(options, principal, { action: "device.created", device: row });
    tx.emit(deviceEvent("device.updated", row));
    return row;
  };
  const existing = (orgId: string, deviceId: string): Device => {
    const device = devices.get(orgId, deviceId);
    if (device === undefined) throw noSuch("device");
    return device;
  };
  const facts = (device: Device) => {
    const connectivity = live.connectivity(device.id);
    const isOnline = effectiveStatus(connectivity) === "online";
    const readAt = (isOnline ? live.reading(device.id)?.readAt : undefined) ?? null;
    return { connectivity, status: statusOf(options, device), readAt };
  };
  /** Its owner may have been given another name since it was connected. */
  const ownerNameOf = ({ orgId, controllerId, controllerName }: Device): string | null =>
    (controllerId === null ? undefined : stores.controllers.get(orgId, controllerId)?.name) ??
    controllerName;
  const record = (device: Device) =>
    deviceRecord({ ...device, controllerName: ownerNameOf(device) }, facts(device));
  const addresses: OwnAddressOptions = {
    listBuiltin: () => devices.listBuiltin(),
    addressKeys: (address) => options.addressKeys(address),
  };

  return {
    /** The device of that organization. @throws ApiError NOT_FOUND */
    existing,

    /** @throws ApiError TIER_LIMIT_EXCEEDED when the plan allows no more devices */
    requireRoom: (orgId: string) => requireRoom(options, orgId),

    /** @throws ApiError TIER_LIMIT_EXCEEDED, VALIDATION_ERROR, or CONFLICT for another's address */
    async create(principal: Principal, body: CreateDeviceBody) {
      const params = checkedParams(body.transport, body.connectionParams);
      const { transport, managedBy = usualManager(transport, options.hasBluetooth) } = body;
      const place = { transport, connectionParams: params, managedBy };
      const row = newDevice(options, { ...place, ...{ orgId: principal.orgId, body } });
      const applicant = { ...row, transport, id: undefined };
      const { addressKeys, requireStill } = await requireOwnAddress(applicant, addresses);
      const device = await write(principal, (tx) => {
        requireRoom(options, principal.orgId);
        requireStill();
        return register(tx, principal, { ...row, addressKeys });
      });
      return record(device);
    },

    /**
     * Registers a printer that the gateway simulates; the plan does not count it.
     * @throws ApiError VALIDATION_ERROR for a model that the driver's devices are not simulated as,
     * CONFLICT when there are as many as there may be
     */
    async createSimulated(principal: Principal, body: SimulatedDeviceBody) {
      const { orgId } = principal;
      const ofModel = paramsOfModel(body);
      const device = await write(principal, (tx) => {
        requireRoomToSimulate(devices, orgId);
        const id = options.random.id("dev");
        const row = newDevice(options, {
          ...{ id, orgId, body, transport: "simulated", managedBy: "builtin" },
          connectionParams: { address: id, ...ofModel },
        });
        return register(tx, principal, row);
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

    /**
     * @throws ApiError NOT_FOUND, VALIDATION_ERROR, or CONFLICT for another's address, for any
     * address of a simulated printer, for a driver while a command is at the device, and when another
     * change of the place was made meanwhile
     */
    async update(principal: Principal, deviceId: string, body: UpdateDeviceBody) {
      const before = existing(principal.orgId, deviceId);
      const place = placeChange(before, body);
      const own =
        place !== undefined && hasAddress(before)
          ? await requireOwnAddress({ ...before, ...place }, addresses)
          : undefined;
      const change = {
        ...(body.name === undefined ? {} : { name: body.name }),
        ...(body.locationId === undefined ? {} : { locationId: body.locationId }),
        ...place,
        ...(own === undefined ? {} : { addressKeys: own.addressKeys }),
      };
      const device = await write(principal, (tx) => {
        const present = existing(principal.orgId, deviceId);
        requireSamePlace(place, { before, present });
        own?.requireStill();
        requireIdle(stores.commands, present, change);
        const updatedAt = clock.now();
        const whole = { ...change, updatedAt };
        const isLetGo = change.managedBy === "remote" && isBuiltin(present.controllerId);
        const row = isLetGo
          ? takenFrom({ ...options, tx }, present, whole)
          : devices.update(principal.orgId, deviceId, whole);
        if (row === undefined) throw new Error("the device vanished inside its own transaction");
        holdForgotten(stores, row, { now: updatedAt, before: present });
        const changes = changesOf(present, row);
        note(options, principal, { action: "device.updated", device: row, more: { changes } });
        tx.emit(deviceEvent("device.updated", row));
        return row;
      });
      return record(device);
    },

    /**
     * Takes the device from its controller; what was out there ends or waits for the next one.
     * @throws ApiError NOT_FOUND, CONFLICT for a simulated printer, or FORBIDDEN when another
     * controller owns it, or none
     */
    async release(principal: Principal, deviceId: string, controllerId: string) {
      const device = await write(principal, (tx) => {
        const before = existing(principal.orgId, deviceId);
        if (isSimulated(before)) {
          throw new ApiError("CONFLICT", "The gateway itself serves a simulated printer, for good");
        }
        if (before.controllerId !== controllerId) {
          throw new ApiError("FORBIDDEN", "This controller does not own the device");
        }
        const row = takenFrom({ ...options, tx }, before, {
          // Else the built-in controller would take it back at once.
          ...{ managedBy: "remote", addressKeys: null, updatedAt: clock.now() },
        });
        note(options, principal, { action: "device.released", device: before });
        tx.emit(deviceEvent("device.released", row, controllerId));
        return row;
      });
      return record(device);
    },

    /**
     * An owner accepts that the device's printer is ahead of the state: one that is held goes on, and
     * what it has told is known from now on.
     * @throws ApiError NOT_FOUND, or CONFLICT when there is nothing to accept
     */
    async acceptState(principal: Principal, deviceId: string) {
      const device = await write(principal, (tx) => {
        const row = existing(principal.orgId, deviceId);
        acceptState(options, { tx, row, now: clock.now() });
        note(options, principal, { action: "device.state_accepted", device: row });
        tx.emit(deviceEvent("device.updated", row));
        return row;
      });
      return record(device);
    },

    /**
     * An owner accepts the printer that stands in the place of the device's own.
     * @throws ApiError NOT_FOUND, or CONFLICT when there is none, or both are not reached alike
     */
    async acceptPrinter(principal: Principal, deviceId: string) {
      const device = await write(principal, (tx) => {
        const row = existing(principal.orgId, deviceId);
        const accepted = { tx, device: row };
        for (const { row: device, ...deed } of acceptPrinter(options, accepted, clock.now())) {
          note(options, principal, { ...deed, device });
          tx.emit(deviceEvent("device.updated", device));
        }
        return existing(principal.orgId, deviceId);
      });
      return record(device);
    },

    /**
     * The memory of a simulated printer goes with its device, and no key of the shop touches that.
     * @throws ApiError NOT_FOUND, FORBIDDEN
     */
    requireRemovable(principal: Principal, deviceId: string): void {
      const { kind, orgId } = principal;
      const isKey = kind === "key" && actorOf(principal) !== BOX_ACTOR;
      if (isKey && isSimulated(existing(orgId, deviceId))) {
        throw new ApiError("FORBIDDEN", "A simulated printer is removed by a login, and by no key");
      }
    },

    /** @throws ApiError NOT_FOUND */
    async remove(principal: Principal, deviceId: string): Promise<void> {
      await write(principal, (tx) => {
        const row = existing(principal.orgId, deviceId);
        options.failOut(tx, deviceId, clock.now());
        const left = takenFrom({ ...options, tx }, row);
        devices.remove(principal.orgId, deviceId);
        // With the event of the removal: none tells of it later.
        endAlertsOfRemoved(stores, deviceId, clock.now());
        note(options, principal, { action: "device.removed", device: row });
        tx.emit(deviceEvent("device.released", left, row.controllerId));
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

    /** The latest events, newest first. @throws ApiError NOT_FOUND */
    connectionHistory(orgId: string, deviceId: string) {
      existing(orgId, deviceId);
      const rows = stores.connectionEvents.latest(deviceId, CONNECTION_HISTORY_MAX);
      return { events: rows.map(connectionEventRecord) };
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

function requireRoom({ stores }: DeviceServiceOptions, orgId: string): void {
  const plan = stores.organizations.get(orgId)?.plan ?? "free";
  const limit = PLAN_LIMITS[plan].devices;
  if (stores.devices.count(orgId) < limit) return;
  throw new ApiError(
    "TIER_LIMIT_EXCEEDED",
    `The plan ${plan} allows ${limit} devices at most: fiscald plan at the box picks another plan`,
  );
}

function requireRoomToSimulate(devices: Stores["devices"], orgId: string): void {
  const isFull =
    devices.countSimulated(orgId) >= SIMULATED_PRINTERS_MAX ||
    devices.countSimulated() >= SIMULATED_PRINTERS_OF_ALL_MAX;
  if (!isFull) return;
  throw new ApiError(
    "CONFLICT",
    `There are as many simulated printers as may be (${SIMULATED_PRINTERS_MAX}): delete one first`,
  );
}

/** Takes a device from whoever serves it. @returns its row as it is left */
function takenFrom(
  { stores, clock, live, tx }: DeviceServiceOptions & { readonly tx: Transaction },
  device: Device,
  change: Partial<Device> = {},
): Device {
  const going = { at: clock.now(), software: live.controller(device.id), change };
  const row = letGo({ stores, tx }, device, going);
  if (row === undefined) throw new Error("the device vanished inside its own transaction");
  return row;
}

function alertRecords(options: DeviceServiceOptions, device: Device, severity?: AlertSeverity) {
  return alertsOf(options, device)
    .filter((alert) => severity === undefined || alert.severity === severity)
    .map((alert) => alertRecord(device, alert));
}

function note(
  { stores, clock }: DeviceServiceOptions,
  principal: Principal,
  {
    action,
    device,
    more = {},
  }: { readonly action: AuditAction; readonly device: Device; readonly more?: object },
): void {
  stores.audit.append({
    ...callerOf(principal),
    at: clock.now(),
    action,
    resource: device.id,
    details: { name: device.name, driver: device.driver, ...more },
  });
}
