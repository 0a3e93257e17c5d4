/** A device as it is when it is registered. */

import type { ManagedBy, TransportKind } from "#core/device/device.ts";
import type { Device } from "#db/stores/devices.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";

interface NewDeviceOptions {
  readonly clock: Pick<Clock, "now">;
  readonly random: Pick<Random, "id">;
}

/** What a new device is made of. */
type DeviceOrigin = Pick<Device, "orgId" | "transport" | "connectionParams" | "managedBy"> & {
  readonly id?: string;
  readonly body: Pick<Device, "name" | "driver" | "locationId">;
};

/** Makes the record of a device that is being registered; nobody has reached it yet. */
export function newDevice({ clock, random }: NewDeviceOptions, from: DeviceOrigin): Device {
  const { id = random.id("dev"), orgId, body, transport, connectionParams, managedBy } = from;
  const now = clock.now();
  return {
    ...{ id, orgId, name: body.name, driver: body.driver, transport },
    locationId: body.locationId,
    ...{ connectionParams, managedBy },
    controllerId: null,
    controllerName: null,
    storedStatus: "offline",
    lastSeenAt: null,
    serialNumber: null,
    fiscalMemorySerialNumber: null,
    ...{
      model: null,
      firmwareVersion: null,
      charsPerLine: null,
      reversalTenders: null,
      addressKeys: null,
    },
    createdAt: now,
    updatedAt: now,
  };
}

/** Who serves a device where nobody says. */
export function usualManager(transport: TransportKind, hasBluetooth: boolean): ManagedBy {
  return transport === "bluetooth" && !hasBluetooth ? "remote" : "builtin";
}
