/** A registered device for tests that are about something else. */

import type { StoredDevice } from "../device.ts";

/** Nobody serves it, and it was never reached. */
export function storedDevice(change: Partial<StoredDevice> = {}): StoredDevice {
  return {
    ...{ id: "dev_1", orgId: "o", name: "Till", driver: "vendorA.isl", transport: "tcp" },
    ...{ locationId: "shop", connectionParams: { host: "h", port: 1 }, managedBy: "builtin" },
    addressKeys: null,
    ...{ controllerId: null, controllerName: null, storedStatus: "offline", lastSeenAt: null },
    ...{ serialNumber: null, fiscalMemorySerialNumber: null, model: null, firmwareVersion: null },
    ...{ charsPerLine: null, reversalTenders: null, createdAt: 0, updatedAt: 0 },
    ...change,
  };
}
