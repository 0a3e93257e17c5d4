/** The printer of stored receipts: theirs are those of all its records, also of such as are gone. */

import { completed, printerOf, type ShopPrinter, tellingNumber } from "#core/device/printer.ts";
import type { ReceiptPrinter, StoredReceipt } from "#core/receipt-record.ts";
import { type DeviceList, recordIdsOf } from "./device-records.ts";
import type { Stores } from "./index.ts";

/** A printer, to look for its receipts. */
export function receiptPrinter(
  stores: DeviceList,
  printer: ShopPrinter,
  simulated: boolean,
): ReceiptPrinter {
  const { orgId, deviceId, fiscalMemorySerialNumber, serialNumber } = printer;
  // A simulated one goes with its record, and shares its numbers with others of its model.
  if (simulated) return { ...{ orgId, simulated, records: [deviceId] }, ...NO_NUMBERS };
  return {
    ...{ orgId, simulated, records: recordIdsOf(stores, printer) },
    fiscalMemorySerialNumber: tellingNumber(fiscalMemorySerialNumber),
    serialNumber: tellingNumber(serialNumber),
  };
}

const NO_NUMBERS = { fiscalMemorySerialNumber: null, serialNumber: null };

/** The printer of a stored receipt: by what that tells, completed by its record while it leads there. */
export function printerOfReceipt(
  stores: DeviceList & { readonly devices: Pick<Stores["devices"], "get"> },
  receipt: StoredReceipt,
): ReceiptPrinter {
  const { orgId, deviceId, fiscalMemorySerialNumber, printerSerialNumber, simulated } = receipt;
  const device = stores.devices.get(orgId, deviceId);
  const told = { deviceId, fiscalMemorySerialNumber, serialNumber: printerSerialNumber };
  const printer = completed({ ...told, address: null }, device && printerOf(device));
  return receiptPrinter(stores, { ...printer, orgId }, simulated);
}
