/** A reading of a device's state for tests that are about something else. */

import type { DeviceStatus } from "../device.ts";
import { readingOf, type StatusReading } from "../reading.ts";
import { FINE_STATUS } from "./fine-status.ts";

/**
 * A state that was read whole, with nothing wrong but what is said.
 * @param now UTC milliseconds
 */
export function readAt(
  now: number,
  status: Partial<DeviceStatus> = {},
  beside: Partial<StatusReading> = {},
): StatusReading {
  const message = { status: { ...FINE_STATUS, ...status }, clockDriftMs: 0 };
  return { ...readingOf(message, { known: { fiscalDayOpenSince: null } }, now), ...beside };
}
