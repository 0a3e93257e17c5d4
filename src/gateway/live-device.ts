/** What is known of a device right now; nothing of this survives the process. */

import type { LinkState } from "#core/controller/messages.ts";
import type { StatusReading } from "#core/device/alerts.ts";

export interface LiveDevice {
  readonly deviceId: string;
  readonly orgId: string;
  controllerId: string;
  link: LinkState;
  /** Why the link is down, in words for a person. */
  reason: string | undefined;
  /** The device's state as last read; undefined until then. */
  reading: StatusReading | undefined;
  /** When the device last answered; UTC milliseconds. */
  lastSeenAt: number | undefined;
  /** When that was last written to the database. */
  seenStoredAt: number;
}

/** A device whose controller has just taken it on. */
export function newLiveDevice(deviceId: string, orgId: string, controllerId: string): LiveDevice {
  return {
    deviceId,
    orgId,
    controllerId,
    link: "down",
    reason: undefined,
    reading: undefined,
    lastSeenAt: undefined,
    seenStoredAt: 0,
  };
}
