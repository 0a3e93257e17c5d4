/**
 * Which device records lead to a printer in its shop. What is stored of a printer names a record that
 * it had then; that may be gone by now, or lead to another printer.
 */

import { leadsTo, type ShopPrinter } from "#core/device/printer.ts";
import type { Device } from "./devices.ts";
import type { Stores } from "./index.ts";

export interface DeviceList {
  readonly devices: Pick<Stores["devices"], "listAll">;
}

/** The records that lead to a printer. */
export function recordsOf({ devices }: DeviceList, printer: ShopPrinter): Device[] {
  return devices.listAll().filter((device) => leadsTo(device, printer));
}

/** Ids of the records that lead to a printer, or led, its own first. */
export function recordIdsOf(stores: DeviceList, printer: ShopPrinter): string[] {
  const ids = recordsOf(stores, printer).map(({ id }) => id);
  return [...new Set([printer.deviceId, ...ids])];
}
