/** What is known of a device right now; nothing of this survives the process. */

import type { ControllerKey } from "#core/controller/controller.ts";
import type { LinkState } from "#core/controller/messages.ts";
import type { OtherPrinter } from "#core/device/connectivity.ts";
import type { DeviceConfig, ManagedBy, StoredDevice } from "#core/device/device.ts";
import type { StatusReading } from "#core/device/reading.ts";

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
  /** What is known of the device's state; undefined until something is told of it. */
  reading: StatusReading | undefined;
  /** That its state was read is told, or about to be. */
  isReadTold: boolean;
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
    isReadTold: false,
    lastSeenAt: undefined,
    seenStoredAt: 0,
    downSince: undefined,
  };
}
