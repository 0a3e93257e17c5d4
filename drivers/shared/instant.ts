/** Instants as devices keep them, to the second. */

import { deviceInstant } from "#core/command/instant.ts";
import type { DriverEnvironment } from "#core/driver.ts";
import { ClockShowsNoTime } from "#core/errors.ts";

/** An instant (UTC milliseconds) as ISO text, to the second as devices print it; null stays null. */
export function toSecond(instant: number): string;
export function toSecond(instant: number | null): string | null;
export function toSecond(instant: number | null): string | null {
  return instant === null ? null : new Date(Math.floor(instant / 1000) * 1000).toISOString();
}

/** The result of `get_date_time`. @throws ClockShowsNoTime when the device's clock told no instant */
export function describeClock(instant: number | undefined): { dateTime: string } {
  if (instant === undefined) {
    throw new ClockShowsNoTime();
  }
  return { dateTime: new Date(instant).toISOString() };
}

/**
 * The instant that `set_datetime` means: the one that is given, or now. Devices count whole seconds
 * and refuse to be set before their last record, if by a fraction, so now is the coming second.
 * @param datetime as in the payload
 */
export function instantToSet(
  datetime: string | undefined,
  environment: Pick<DriverEnvironment, "now" | "timezone">,
): number {
  if (datetime === undefined) return Math.ceil(environment.now() / 1000) * 1000;
  return deviceInstant(datetime, environment.timezone);
}
