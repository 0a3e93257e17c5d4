/** What a gateway that was ended without notice has left behind it of connections. */

import { type GoingParts, goOffline } from "#db/stores/out-of-reach.ts";

const REASON = "The gateway was ended without notice";

/**
 * Nothing is connected after a start: whatever is stored as online has gone. To be called inside an
 * operation, once the start is counted: its events are none of the run before.
 * @param now UTC milliseconds; when it ended, nobody knows
 */
export function endLeftOnline(parts: GoingParts, now: number): void {
  for (const device of parts.stores.devices.listAll()) {
    if (device.storedStatus === "offline") continue;
    // What it ran on then stands in its history; this may be another version.
    goOffline(parts, device, { at: now, software: undefined, reason: REASON });
  }
}
