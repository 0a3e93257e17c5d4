/** What is known of a device right now; nothing of this survives the process. */

import type { ControllerKey } from "#core/controller/controller.ts";
import type { LinkState, ToGateway } from "#core/controller/messages.ts";
import type { StatusReading } from "#core/device/alerts.ts";
import type { OtherPrinter } from "#core/device/connectivity.ts";
import type { DeviceConfig, ManagedBy, StoredDevice } from "#core/device/device.ts";

export interface LiveDevice {
  readonly deviceId: string;
  readonly orgId: string;
  /** The controller that serves it, connected or not. */
  owner: ControllerKey;
  link: LinkState;
  /** Why the link is down, in words for a person. */
  reason: string | undefined;
  /** Its settings as its controller was last told them. */
  told: DeviceConfig | undefined;
  /** Others are told when nothing is out on it any more. */
  isToldLater: boolean;
  /** Whose it was to serve when its controller took it. */
  readonly managedBy: ManagedBy;
  /** Its printer may not be used through this device for the time being. */
  isKeptOut: boolean;
  /** One that was kept out is tried again: what its controller says of its line decides. */
  isTried: boolean;
  /** Its controller was gone and has connected again, and has not said since that it reaches it. */
  hasReturned: boolean;
  /** What answers at its address, where that is another printer than its own. */
  otherPrinter: OtherPrinter | undefined;
  /** The device's state as last read; undefined until then. */
  reading: StatusReading | undefined;
  /** When the device last answered; UTC milliseconds. */
  lastSeenAt: number | undefined;
  /** When that was last written to the database. */
  seenStoredAt: number;
  /** When its line was seen to break; UTC milliseconds. */
  downSince: number | undefined;
}

/** A device whose controller has just taken it on. */
export function newLiveDevice(
  { id: deviceId, orgId, managedBy }: Pick<StoredDevice, "id" | "orgId" | "managedBy">,
  owner: ControllerKey,
): LiveDevice {
  return {
    deviceId,
    orgId,
    owner,
    managedBy,
    link: "down",
    reason: undefined,
    told: undefined,
    isToldLater: false,
    isKeptOut: false,
    isTried: false,
    hasReturned: false,
    otherPrinter: undefined,
    reading: undefined,
    lastSeenAt: undefined,
    seenStoredAt: 0,
    downSince: undefined,
  };
}

/** What a status message says, with what it does not say kept from the one before. */
export function readingOf(
  { status, clockDriftMs }: Extract<ToGateway, { type: "device.status" }>,
  before: StatusReading | undefined,
  now: number,
): StatusReading {
  const lastZNumber = status.lastZNumber ?? before?.lastZNumber;
  return {
    status,
    readAt: now,
    clockDriftMs: clockDriftMs ?? before?.clockDriftMs ?? null,
    // The protocols do not tell when the day was opened, so the first sight of it counts.
    fiscalDayOpenSince: daySince(status, before, now),
    ...(lastZNumber === undefined ? {} : { lastZNumber }),
  };
}

/**
 * That nobody knows whether the day is open says nothing of it: it stands as it was. A Z report at the keys
 * shows by its number where the device has no bit for its day, and where a sale follows at once.
 */
function daySince(
  { fiscalDayOpen, lastZNumber }: StatusReading["status"],
  before: StatusReading | undefined,
  now: number,
): number | null {
  if (fiscalDayOpen === false) return null;
  const known = before?.lastZNumber;
  const isOtherDay = lastZNumber !== undefined && known !== undefined && lastZNumber !== known;
  const since = isOtherDay ? null : (before?.fiscalDayOpenSince ?? null);
  return fiscalDayOpen === true ? (since ?? now) : since;
}
