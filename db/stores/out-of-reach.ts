/**
 * A device goes out of reach, or nobody serves it any more. Whatever the cause, its row, its history and
 * its event say so here, in the operation that it comes of.
 */

import { toDeviceText } from "#core/device-text.ts";
import { deviceEvent } from "#core/events.ts";
import type { Transaction } from "../writer.ts";
import type { ConnectionEvent } from "./connection-events.ts";
import type { Device } from "./devices.ts";
import type { Stores } from "./index.ts";

/** What the history keeps of the controller through which a device was reached. */
type Software = Pick<ConnectionEvent, "deviceModel" | "appVersion" | "osVersion">;

/** How a device goes. */
export interface Going {
  /** UTC milliseconds. */
  readonly at: number;
  /** What its controller runs on; undefined where that is known to another process. */
  readonly software: Software | undefined;
  /** Why, in words. */
  readonly reason?: string | undefined;
  /** Close code of its controller's WebSocket, where that is what ended. */
  readonly code?: number | undefined;
  /** What else becomes of its row. */
  readonly change?: Partial<Device> | undefined;
}

type Owner = Pick<Device, "controllerId" | "controllerName">;
const NOBODY: Owner = { controllerId: null, controllerName: null };

/** What becomes of a device's row with an owner: another one than before is a change of its record. */
export function ownedBy(before: Device | undefined, owner: Owner, at: number): Partial<Device> {
  const isSame =
    before?.controllerId === owner.controllerId && before.controllerName === owner.controllerName;
  return isSame ? owner : { ...owner, updatedAt: at };
}

/** The operation that it belongs to, and what it is written to. */
export interface GoingParts {
  readonly stores: Pick<Stores, "devices" | "connectionEvents">;
  readonly tx: Pick<Transaction, "emit">;
}

/**
 * A device is out of reach. One that was so already has not gone a second time.
 * @returns its row as it is left; undefined where it has none any more
 */
export function goOffline(
  { stores: { devices, connectionEvents }, tx }: GoingParts,
  { orgId, id: deviceId }: Pick<Device, "orgId" | "id">,
  { at, software, reason, code, change }: Going,
): Device | undefined {
  const before = devices.get(orgId, deviceId);
  const left = devices.update(orgId, deviceId, { ...change, storedStatus: "offline" });
  if (!before || !left || before.storedStatus === "offline") return left;
  // The history forgets after a week when a device came, which may be reached for longer.
  const through = software ?? connectionEvents.latest(deviceId, 1)[0];
  if (through) {
    connectionEvents.append({
      ...{ deviceId, type: "disconnected", at, code: code ?? null },
      deviceModel: toDeviceText(through.deviceModel),
      appVersion: toDeviceText(through.appVersion),
      osVersion: toDeviceText(through.osVersion),
      reason: reason === undefined ? null : toDeviceText(reason),
    });
  }
  tx.emit(deviceEvent("device.offline", left, before.controllerId));
  return left;
}

/**
 * Nobody serves a device any more.
 * @returns its row as it is left; undefined where it has none any more
 */
export function letGo(
  parts: GoingParts,
  device: Pick<Device, "orgId" | "id">,
  { change, ...going }: Going,
): Device | undefined {
  const { at, reason = "The device was taken from its controller" } = going;
  const nobody = ownedBy(parts.stores.devices.get(device.orgId, device.id), NOBODY, at);
  return goOffline(parts, device, { ...going, reason, change: { ...change, ...nobody } });
}
