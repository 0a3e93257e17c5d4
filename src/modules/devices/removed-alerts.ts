/** What stood at a device is over with it. */

import type { Stores } from "#db/stores/index.ts";

/**
 * Ends the alerts of a device that is no longer registered.
 * @param endedAt UTC milliseconds
 */
export function endAlertsOfRemoved(
  { alertHistory, toldAlerts }: Pick<Stores, "alertHistory" | "toldAlerts">,
  deviceId: string,
  endedAt: number,
): void {
  const ending = { end: "device_removed", endedBy: null, endedAt } as const;
  for (const alert of toldAlerts.of(deviceId)) alertHistory.end(deviceId, alert, ending);
  toldAlerts.remove(deviceId);
}
