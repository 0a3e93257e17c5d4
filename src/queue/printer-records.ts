/**
 * The device records that lead to a printer: whether it is still to be asked, and at which addresses it
 * may be sent something.
 */

import type { Command } from "#core/command/command.ts";
import { keptNames, portOf, socketOf } from "#core/device/address.ts";
import { isBuiltin } from "#core/device/device.ts";
import {
  mayHold,
  type OpenPrinter,
  type ShopPrinter,
  shopPrinterOf,
  tellingNumber,
  tellsNumber,
} from "#core/device/printer.ts";
import { isToBeAsked } from "#db/stores/device-records.ts";
import type { Device } from "#db/stores/devices.ts";
import type { DocumentCheck } from "#db/stores/document-checks.ts";
import type { Stores } from "#db/stores/index.ts";

/** True for a record that was never reached: which printer it leads to is still to be read. */
export function isNew(device: Device | undefined): boolean {
  return device !== undefined && device.lastSeenAt === null && !tellsNumber(device);
}

/** True for one that the gateway serves itself, and no app has taken. */
export function isServedHere({
  managedBy,
  controllerId,
}: Pick<Device, "managedBy" | "controllerId">): boolean {
  return managedBy === "builtin" && (controllerId === null || isBuiltin(controllerId));
}

/**
 * True where a check is of the printer of a device, which may be gone, or may be for all anybody knows. Where
 * the check waits for a record of its own, no other one waits with it: nobody would ask there.
 */
export function mayBeOf(
  stores: Pick<AskedStores, "devices">,
  check: DocumentCheck,
  deviceId: string,
): boolean {
  if (check.deviceId === deviceId) return true;
  const device = stores.devices.find(deviceId);
  if (device === undefined || check.orgId !== device.orgId) return false;
  // Nobody knows yet which printer a new one is.
  return isToBeAsked(stores, check, device) || (isNew(device) && tellsNumber(check));
}

/** True while the printer of a device is still to be asked for its last document. */
export function isAskedFirst(stores: AskedStores, deviceId: string): boolean {
  const asked = stores.documentChecks.listAsked();
  if (asked.length === 0) return false;
  return asked.some((check) => mayBeOf(stores, check, deviceId));
}

export interface AskedStores {
  readonly devices: Pick<Stores["devices"], "find" | "listAll">;
  readonly documentChecks: Pick<Stores["documentChecks"], "listAsked">;
}

/**
 * Finds the other records of the same organization that may lead to a printer, or that nobody has reached
 * yet. Made once for many printers: after an outage of a whole network each has one in doubt.
 */
export function otherRecords(devices: readonly Device[]): (of: OpenPrinter) => Device[] {
  const byKey = new Map<string, Device[]>();
  for (const device of devices) {
    const printer = shopPrinterOf(device);
    for (const key of keysOf(printer, isNew(device))) {
      byKey.set(key, [...(byKey.get(key) ?? []), device]);
    }
  }
  return (of) => {
    const found = new Set(keysOf(of, true).flatMap((key) => byKey.get(key) ?? []));
    return [...found]
      .filter(({ id }) => id !== of.deviceId)
      .filter((one) => isNew(one) || mayHold(of, one));
  };
}

/**
 * TCP ports at which the printer of a device may be sent something, but for the address of the device: it is
 * reached there by other records of its organization, or was as a command was handed out.
 * @param sentTo see `Command`
 */
export function otherPorts(
  devices: readonly Device[],
  device: Device,
  sentTo: readonly string[] | null,
): number[] {
  const others = otherRecords(devices)(shopPrinterOf(device));
  const reached = others.flatMap((other) => (isNew(other) ? [] : (socketOf(other) ?? [])));
  const own = socketOf(device);
  const elsewhere = [...reached, ...(sentTo ?? [])].filter((socket) => socket !== own);
  return [...new Set(elsewhere.map(portOf))];
}

/** Keeps where a device is at which a command is handed out. Inside that operation. */
export function noteSentTo(
  { commands, devices }: Pick<Stores, "commands" | "devices">,
  { commandId, deviceId }: { readonly commandId: string; readonly deviceId: string },
): Command | undefined {
  const device = devices.find(deviceId);
  const socket = device && socketOf(device);
  const command = commands.get(null, commandId);
  // As it was handed out last, which is so nearly always.
  if (!command || socket === undefined || command.sentTo?.[0] === socket) return command;
  return commands.noteSentTo(commandId, socket);
}

/** Whatever `mayHold` may go by, and what is common to those that nobody has reached. */
function keysOf({ orgId, ...printer }: ShopPrinter, withNew: boolean): string[] {
  const { fiscalMemorySerialNumber, serialNumber, address } = printer;
  const names = address === null ? [] : keptNames(address);
  const told = [
    ["fiscal memory", tellingNumber(fiscalMemorySerialNumber)],
    ["serial", tellingNumber(serialNumber)],
    ...names.map((name) => ["address", name] as const),
    ["new", withNew ? "" : null],
  ] as const;
  return told.flatMap(([what, value]) => (value === null ? [] : [`${orgId} ${what} ${value}`]));
}
