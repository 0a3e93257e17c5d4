/** Over which lines a printer is asked for its last document, and held until it has answered. */

import { isSamePrinter, printerOf } from "#core/device/printer.ts";
import type { Device } from "#db/stores/devices.ts";
import type { DocumentCheck } from "#db/stores/document-checks.ts";
import { type KnownStores, lastKnown } from "./known-documents.ts";

/**
 * True where a device leads to a printer that is to be asked for another record of its shop: one that
 * was removed, or one beside which the device is new. What was printed over a record that has printed
 * here is known by that record, and compared with it.
 */
export function leadsToAsked(row: DocumentCheck, device: Device, stores: KnownStores): boolean {
  if (row.deviceId === device.id || row.orgId !== device.orgId) return false;
  if (!isSamePrinter(row, printerOf(device))) return false;
  const isRemoved = stores.devices.find(row.deviceId) === undefined;
  return isRemoved || lastKnown(stores, device.id, { isNumbered: true }) === undefined;
}
