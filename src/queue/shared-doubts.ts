/** Documents in doubt of printers that more than one device record leads to, as the lanes hold them. */

import { tellsOutcome } from "#core/command/catalogue.ts";
import {
  isSamePrinter,
  type Printer,
  printerBefore,
  printerOf,
  tellingNumber,
  tellsNumber,
} from "#core/device/printer.ts";
import type { Device } from "#db/stores/devices.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Lane, Lanes } from "./lanes.ts";

/** A printer with a document in doubt. `deviceId` is the record that the document belongs to. */
export interface Doubt extends Printer {
  readonly orgId: string;
}

/** The printers with a document in doubt that other records lead to, or may lead to. */
export function sharedDoubts(
  lanes: Lanes,
  stores: Pick<Stores, "commands" | "devices">,
): readonly Doubt[] {
  return lanes.all().flatMap((lane) => {
    const found = lane.shared ? doubtIn(lane, stores) : undefined;
    return found ? [found] : [];
  });
}

/** True for a record that was never reached: which printer it leads to is still to be read. */
export function isNew(device: Device | undefined): boolean {
  return device !== undefined && device.lastSeenAt === null && !tellsNumber(device);
}

/** What is out in the lane and tells its outcome; undefined where nothing is. */
export function outIn(lane: Lane, stores: Pick<Stores, "commands" | "devices">): Doubt | undefined {
  const command = lane.out && stores.commands.get(lane.out.orgId, lane.out.id);
  const device = stores.devices.find(lane.deviceId);
  if (!command || !device || !tellsOutcome(command.type)) return undefined;
  return { ...printerBefore(device, command.baseline), orgId: device.orgId };
}

/** What is out in the lane and may have changed its printer; undefined where nothing is. */
export function doubtIn(
  lane: Lane,
  stores: Pick<Stores, "commands" | "devices">,
): Doubt | undefined {
  const { status, mark } = (lane.out && stores.commands.get(lane.out.orgId, lane.out.id)) ?? {};
  const isBegun = status === "processing" && mark !== null;
  return isBegun ? outIn(lane, stores) : undefined;
}

/**
 * Finds the other records of the same organization that lead to a printer, or that nobody has reached
 * yet. Made once for many printers: after an outage of a whole network each has one in doubt.
 */
export function otherRecords(devices: readonly Device[]): (of: Doubt) => Device[] {
  const byKey = new Map<string, Device[]>();
  for (const device of devices) {
    for (const key of keysOf(device.orgId, printerOf(device), isNew(device))) {
      byKey.set(key, [...(byKey.get(key) ?? []), device]);
    }
  }
  return (of) => {
    const found = new Set(keysOf(of.orgId, of, true).flatMap((key) => byKey.get(key) ?? []));
    return [...found]
      .filter(({ id }) => id !== of.deviceId)
      .filter((one) => isNew(one) || isSamePrinter(of, printerOf(one)));
  };
}

/** Whatever `isSamePrinter` may go by, and what is common to those that nobody has reached. */
function keysOf(orgId: string, printer: Printer, withNew: boolean): string[] {
  const { fiscalMemorySerialNumber, serialNumber, address } = printer;
  const told = [
    ["fiscal memory", tellingNumber(fiscalMemorySerialNumber)],
    ["serial", tellingNumber(serialNumber)],
    ["address", address],
    ["new", withNew ? "" : null],
  ] as const;
  return told.flatMap(([what, value]) => (value === null ? [] : [`${orgId} ${what} ${value}`]));
}
