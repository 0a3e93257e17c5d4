/** ISO 8601 timestamps as they come in. */

import { Type } from "@sinclair/typebox";
import type { ValidationIssue } from "../errors.ts";
import { fromLocalTime } from "../local-time.ts";
import { patternOf } from "../patterns.ts";

/** What a text that is no time of a device is told. */
const DEVICE_TIME_RULE = "an ISO 8601 date and time, as 2026-01-31T12:00:00";
const DEVICE_TIME = patternOf(
  "^(\\d{4})-(\\d{2})-(\\d{2})T(\\d{2}):(\\d{2})(?::(\\d{2})(?:\\.\\d{1,9})?)?(?:Z|[+-]\\d{2}:?\\d{2})?$",
  DEVICE_TIME_RULE,
);
const ISO_8601 = new RegExp(DEVICE_TIME);

const OFFSET = /(Z|[+-]\d{2}:?\d{2})$/;

/** What a text that is no instant is told. */
export const INSTANT_RULE =
  "Expected an ISO 8601 timestamp with an offset, as 2026-01-31T12:00:00Z or +02:00";

/** How schemas name it; `schema-check.ts` checks it by `isInstant`. */
export const INSTANT_FORMAT = "date-time";
/** An instant of a body. */
export const InstantSchema = Type.String({
  format: INSTANT_FORMAT,
  description: "ISO 8601 with an offset",
});

/** A time by the clock of a device; `deviceTimeIssues` checks it. */
export const DeviceTimeSchema = Type.String({
  pattern: DEVICE_TIME,
  description: "ISO 8601; without an offset it is the local time of the device",
});

/** `2026-01-31T12:00:00.000Z`; years beyond four digits have a sign and two more. */
const UTC_CHARACTERS = 24;

/**
 * True for a date and time that exist in the calendar, with the offset that makes them one instant,
 * of which the year has four digits in UTC too: so can it be shown again.
 */
export function isInstant(text: string): boolean {
  if (!OFFSET.test(text) || !isTimestamp(text)) return false;
  return new Date(text).toISOString().length === UTC_CHARACTERS;
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
  const message = `Expected ${DEVICE_TIME_RULE}`;
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
