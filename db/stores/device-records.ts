/**
 * Which device records lead to a printer in its shop. What is stored of a printer names a record that
 * it had then; that may be gone by now, or lead to another printer.
 */

import {
  answersFor,
  mayHold,
  type OpenPrinter,
  printerOf,
  type ShopPrinter,
} from "#core/device/printer.ts";
import type { Device } from "./devices.ts";
import type { Stores } from "./index.ts";

export interface DeviceList {
  readonly devices: Pick<Stores["devices"], "listAll">;
}

/** The records that surely lead to a printer. */
export function recordsOf({ devices }: DeviceList, printer: ShopPrinter): Device[] {
  return devices
    .listAll()
    .filter((one) => one.orgId === printer.orgId && answersFor(printer, printerOf(one)));
}

/** Ids of the records that lead to a printer, or led, its own first. */
export function recordIdsOf(stores: DeviceList, printer: ShopPrinter): string[] {
  const ids = recordsOf(stores, printer).map(({ id }) => id);
  return [...new Set([printer.deviceId, ...ids])];
}

/**
 * The records over which a printer is asked what is open of it. Where none is its own any more, those that
 * may be: nobody else could ever end what holds them.
 */
export function recordsToAsk(stores: DeviceList, open: OpenPrinter): Device[] {
  return stores.devices.listAll().filter((one) => isToBeAsked(stores, open, one));
}

/** What of a list is to be asked of, or accepted, over a record: see `recordsToAsk`. */
export function openAt<Row extends OpenPrinter>(
  stores: DeviceList,
  rows: readonly Row[],
  device: Device,
): Row[] {
  return rows.filter((row) => isToBeAsked(stores, row, device));
}

/** True for a record of `recordsToAsk`. */
export function isToBeAsked(stores: DeviceList, open: OpenPrinter, device: Device): boolean {
  if (open.orgId !== device.orgId || !mayHold(open, device)) return false;
  return answersFor(open, printerOf(device)) || recordsOf(stores, open).length === 0;
}
