/**
 * The printer that a command's document is on, and in which shop it stood when the command was accepted.
 * The record may be gone by now, moved, or lead to another printer.
 */

import { completed, type Printer, printerBefore, readBefore } from "#core/device/printer.ts";
import type { ReceiptPrinter } from "#core/receipt-record.ts";
import type { NewCommand } from "./commands.ts";
import type { Stores } from "./index.ts";
import { receiptPrinter } from "./receipt-printer.ts";

export type DocumentPrinterStores = Pick<
  Stores,
  "devices" | "documentChecks" | "outcomeHolds" | "restoredPrinters"
>;

/** Of a device whose record is gone. */
const NO_NUMBERS = { fiscalMemorySerialNumber: null, serialNumber: null, address: null };

/**
 * The printer of a command. Where its outcome was unknown, or a person said it, the printer was kept
 * with that; else it is the one of the record as the command's baseline tells. What is unfinished may
 * end behind its record: what asks the printer may be left then.
 */
export function documentPrinter(
  { devices, documentChecks, outcomeHolds, restoredPrinters }: DocumentPrinterStores,
  { id, orgId, deviceId, baseline }: Pick<NewCommand, "id" | "orgId" | "deviceId" | "baseline">,
): Printer {
  const hold = outcomeHolds.find(id);
  const device = devices.get(orgId, deviceId);
  const before = device && printerBefore(device, baseline);
  if (hold) return completed(numbersOf(hold), before);
  if (before) return before;
  const asked = documentChecks.get(deviceId) ?? restoredPrinters.get(deviceId);
  return readBefore(numbersOf(asked ?? { deviceId, ...NO_NUMBERS }), baseline);
}

/** The same, to look for its receipts. */
export function documentReceipts(
  stores: DocumentPrinterStores,
  command: Pick<NewCommand, "id" | "orgId" | "deviceId" | "baseline" | "simulated">,
): ReceiptPrinter {
  const { orgId, simulated } = command;
  return receiptPrinter(stores, { ...documentPrinter(stores, command), orgId }, simulated);
}

/** The shop of a command's document; null where nobody knows any more. */
export function documentLocation(
  { devices }: Pick<Stores, "devices">,
  { orgId, deviceId, locationId }: Pick<NewCommand, "orgId" | "deviceId" | "locationId">,
): string | null {
  return locationId ?? devices.get(orgId, deviceId)?.locationId ?? null;
}

function numbersOf({
  deviceId,
  fiscalMemorySerialNumber,
  serialNumber,
  address,
}: Printer): Printer {
  return { deviceId, fiscalMemorySerialNumber, serialNumber, address };
}
