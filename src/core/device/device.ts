/** A registered fiscal printer, and what it tells of itself. */

import type { GetInfoResult } from "../command/types/get-info.ts";
import type { GetStatusResult } from "../command/types/get-status.ts";
import type { DriverId } from "../driver-id.ts";
import type { PaymentMethod } from "../receipt.ts";
import type { StoredDeviceStatus } from "./connectivity.ts";

/** How a printer is reached that somebody registers at an address. */
export const TRANSPORTS = ["tcp", "bluetooth", "serial"] as const;
export type TransportKind = (typeof TRANSPORTS)[number];

/**
 * The same, and that of a printer which the gateway simulates: no address in the world leads to it,
 * so none can be registered there, and its `connectionParams` name the device itself.
 */
export const DEVICE_TRANSPORTS = [...TRANSPORTS, "simulated"] as const;
export type DeviceTransport = (typeof DEVICE_TRANSPORTS)[number];

/** True for a printer that the gateway simulates: what it prints is no fiscal document. */
export function isSimulated({ transport }: { readonly transport: DeviceTransport }): boolean {
  return transport === "simulated";
}

export const MANAGED_BY = ["builtin", "remote"] as const;
/** Who should try to reach a device: the appliance itself, or an app next to it. */
export type ManagedBy = (typeof MANAGED_BY)[number];

/** The controller inside the appliance. */
export const BUILTIN_CONTROLLER_ID = "builtin";

/** True for the controller that runs inside the gateway: no other takes its name. */
export function isBuiltin(controllerId: string | null): boolean {
  return controllerId === BUILTIN_CONTROLLER_ID;
}

/** True for what was handed to a controller outside of the gateway's process. */
export function isRemote({ controllerId }: { readonly controllerId: string | null }): boolean {
  return controllerId !== null && !isBuiltin(controllerId);
}

export type ConnectionParams = (
  | { readonly host: string; readonly port: number }
  | { readonly address: string }
) & {
  /** The profile by which the driver drives the device, where the driver has profiles. */
  readonly profile?: string;
  /** The model that a simulated printer is of; older records lack it, for the driver's default. */
  readonly model?: string;
};

/** True for a device that is reached at an address, as all are but simulated ones. */
export function hasAddress<Device extends { readonly transport: DeviceTransport }>(
  device: Device,
): device is Device & { readonly transport: TransportKind } {
  return device.transport !== "simulated";
}

/** A device as it is registered. Instants are UTC milliseconds. */
export interface StoredDevice {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
  readonly driver: DriverId;
  readonly transport: DeviceTransport;
  readonly locationId: string;
  readonly connectionParams: ConnectionParams;
  /** See `LocatedAddress`. */
  readonly addressKeys: readonly string[] | null;
  readonly managedBy: ManagedBy;
  readonly controllerId: string | null;
  readonly controllerName: string | null;
  /** Lags behind what the live registry knows. */
  readonly storedStatus: StoredDeviceStatus;
  readonly lastSeenAt: number | null;
  /** What identifies the printer; null until it told. */
  readonly serialNumber: string | null;
  readonly fiscalMemorySerialNumber: string | null;
  readonly model: string | null;
  readonly firmwareVersion: string | null;
  /** Of its paper; null until it told. */
  readonly charsPerLine: number | null;
  /** In which it pays reversals back, none where it prints none; null until it told. */
  readonly reversalTenders: readonly PaymentMethod[] | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What a controller needs to know to drive a device. */
export interface DeviceConfig {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
  readonly driver: DriverId;
  readonly transport: DeviceTransport;
  readonly connectionParams: ConnectionParams;
  /** IANA time zone of the device's clock. */
  readonly timezone: string;
  /** ISO 4217 code. */
  readonly currency: string;
}

/** What a driver needs to know of the place in which its device stands. */
export type DevicePlace = Pick<DeviceConfig, "timezone" | "currency">;

/** True where settings lead to a device by one line, spoken on in one way: the name and the place may be others. */
export function isSameLine(one: DeviceConfig, other: DeviceConfig): boolean {
  return lineOf(one) === lineOf(other);
}

function lineOf({ orgId, driver, transport, connectionParams }: DeviceConfig): string {
  const params = Object.entries(connectionParams).filter(([, value]) => value !== undefined);
  return JSON.stringify([orgId, driver, transport, params.toSorted()]);
}

/** True where a device's clock runs by one zone, and its amounts are in one currency. */
export function isSamePlace(one: DevicePlace, other: DevicePlace): boolean {
  return one.timezone === other.timezone && one.currency === other.currency;
}

/**
 * The place of a device.
 * @param location the one that the device's `locationId` names, where it names one
 */
export function placeOf(
  { timezone, currency }: DevicePlace,
  location: { readonly timezone: string | null } | undefined,
): DevicePlace {
  return { timezone: location?.timezone ?? timezone, currency };
}

/** What a controller is told of a registered device. */
export function toDeviceConfig(
  device: Omit<DeviceConfig, keyof DevicePlace>,
  { timezone, currency }: DevicePlace,
): DeviceConfig {
  const { id, orgId, name, driver, transport, connectionParams } = device;
  return { id, orgId, name, driver, transport, connectionParams, timezone, currency };
}

/** Identification as the protocol exposes it; null where it does not tell. */
export type DeviceInfo = GetInfoResult["info"];

/** What a device tells of its state; null where the protocol does not tell. */
export interface DeviceStatus extends GetStatusResult {
  /** True where it answers and tells none: what is wrong here was so when it last told one. */
  readonly untold?: boolean;
  /** True where nobody has read it: what is null here was not told, and may be anything. */
  readonly partial?: boolean;
  /** Number of the last Z report; undefined where nobody knows it. Another one tells that the day was closed. */
  readonly lastZNumber?: number;
}
