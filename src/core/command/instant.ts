/** ISO 8601 timestamps as they come in. */

import type { ValidationIssue } from "../errors.ts";
import { fromLocalTime } from "../local-time.ts";

const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?$/;

const OFFSET = /(Z|[+-]\d{2}:?\d{2})$/;

/** What a text that is no instant is told. */
export const INSTANT_RULE =
  "Expected an ISO 8601 timestamp with an offset, as 2026-01-31T12:00:00Z or +02:00";

/** True for a date and time that exist in the calendar, with the offset that makes them one instant. */
export function isInstant(text: string): boolean {
  return OFFSET.test(text) && isTimestamp(text);
}

/** True for a date and time, with or without an offset, that exist in the calendar. */
function isTimestamp(text: string): boolean {
  if (!ISO_8601.test(text)) return false;
  const instant = Date.parse(text);
  if (Number.isNaN(instant)) return false;
  // Date.parse rolls 31 February over into March; the day of the month then differs.
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return day.toISOString().startsWith(text.slice(0, 10));
}

/** Faults of a time of the device: without an offset it is the device's local time. */
export function deviceTimeIssues(path: string, text: string): ValidationIssue[] {
  const message = "Expected an ISO 8601 date and time, as 2026-01-31T12:00:00";
  return isTimestamp(text) ? [] : [{ path, message }];
}

/**
 * The instant that a time of the device means, whatever zone this machine is in.
 * @param text without faults by `deviceTimeIssues`
 * @param timezone IANA name of the zone of the device's clock, for a text without an offset
 * @returns UTC milliseconds
 */
export function deviceInstant(text: string, timezone: string): number {
  if (OFFSET.test(text)) return Date.parse(text);
  const parts = ISO_8601.exec(text)
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  if (parts === undefined) throw new RangeError("a time of the device was not checked");
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  return fromLocalTime({ year, month, day, hour, minute, second }, timezone);
}
