/** When a document was issued, as printers tell it, and when the database has it. */

import { lastPass } from "#core/local-time.ts";
import { placeOfDevice } from "#db/stores/device-place.ts";
import type { Stores } from "#db/stores/index.ts";

/** The device's clock and ours, when they name the time of the same document. */
const SAME_TIME_MS = 120_000;

/** By which clocks the printers go. */
export type ZoneStores = Pick<Stores, "locations" | "organizations"> & {
  readonly devices: Pick<Stores["devices"], "find">;
};

/** By which clock a printer goes. */
export function zoneOf(stores: ZoneStores, deviceId: string): string {
  const device = stores.devices.find(deviceId);
  return device === undefined ? "UTC" : placeOfDevice(stores, device).timezone;
}

/** True where nobody has told it. */
export function isUntold(time: unknown): boolean {
  return Number.isNaN(instantOf(time));
}

/**
 * True where both times are that of one document; undefined where either is not told. Printers show both
 * passes of the hour that comes twice alike, so which one is told depends on when they are asked.
 */
export function isSameTime(ours: unknown, told: unknown, timezone: string): boolean | undefined {
  if ([ours, told].some(isUntold)) return undefined;
  const instants = [ours, told].map(instantOf);
  const isNear = ([one = 0, other = 0]: readonly number[]) => Math.abs(one - other) <= SAME_TIME_MS;
  return isNear(instants) || isNear(instants.map((instant) => lastPass(instant, timezone)));
}

function instantOf(time: unknown): number {
  return Date.parse(String(time));
}
