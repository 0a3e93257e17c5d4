/** What a gateway that was ended without notice has left behind it of connections. */

import type { Stores } from "#db/stores/index.ts";

const REASON = "The gateway was ended without notice";

/**
 * Nothing is connected after a start: whatever is stored as online is offline, and its history says
 * so. To be called inside a transaction.
 * @param now UTC milliseconds; when it ended, nobody knows
 */
export function endLeftOnline(
  { devices, connectionEvents }: Pick<Stores, "devices" | "connectionEvents">,
  now: number,
): void {
  for (const { id: deviceId } of devices.listAll()) {
    const [last] = connectionEvents.latest(deviceId, 1);
    if (last?.type !== "connected") continue;
    const { deviceModel, appVersion, osVersion } = last;
    const software = { deviceModel, appVersion, osVersion };
    const end = { type: "disconnected", at: now, code: null, reason: REASON } as const;
    connectionEvents.append({ deviceId, ...software, ...end });
  }
  devices.resetConnectivity();
}
