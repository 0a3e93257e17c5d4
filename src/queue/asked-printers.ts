/** Over which lines a printer is asked for its last document, and held until it has answered. */

import { isSamePrinter, printerOf } from "#core/device/printer.ts";
import type { Device } from "#db/stores/devices.ts";
import type { DocumentCheck } from "#db/stores/document-checks.ts";

/** True where a device leads to a printer that is to be asked for another record of its shop. */
export function leadsToAsked(row: DocumentCheck, device: Device): boolean {
  if (row.deviceId === device.id || row.orgId !== device.orgId) return false;
  return isSamePrinter(row, printerOf(device));
}
