/** Dates and times as ISL devices write them: local time of the device's place. */

import { instantOf, isDaylightTime, type LocalTime, toLocalTime } from "#core/local-time.ts";
import { clockShown, documentShown } from "../shared/shown-time.ts";
import type { IslDevice } from "./device.ts";

const CLOCK = /^(\d{2})[-.](\d{2})[-.](\d{2}|\d{4})\s+(\d{2}):(\d{2})(?::(\d{2}))?(\s+DST)?$/;
const DAYLIGHT_MARK = " DST";

/** `15-03-24 14:05:09`, with ` DST` behind it in summer where the device wants it. */
export function formatClock(instant: number, timezone: string, marksDaylight: boolean): string {
  const mark = marksDaylight && isDaylightTime(instant, timezone) ? DAYLIGHT_MARK : "";
  return formatDashed(instant, timezone) + mark;
}

/** `15-03-24 14:05:09`. */
export function formatDashed(instant: number, timezone: string): string {
  const time = toLocalTime(instant, timezone);
  const date = [time.day, time.month, time.year % 100].map(two).join("-");
  return `${date} ${[time.hour, time.minute, time.second].map(two).join(":")}`;
}

/** `2024-03-15T14:05:09`. */
export function formatIso(instant: number, timezone: string): string {
  const time = toLocalTime(instant, timezone);
  const date = [String(time.year), two(time.month), two(time.day)].join("-");
  return `${date}T${[time.hour, time.minute, time.second].map(two).join(":")}`;
}

/** `150324140509`. */
export function formatCompact(instant: number, timezone: string): string {
  return formatDashed(instant, timezone).replace(/\D/g, "");
}

/**
 * The instant (UTC milliseconds) that a device's clock text means, the first pass of an hour that
 * comes twice where the device does not mark it.
 * @returns undefined when the text is not a date and time that exists
 */
export function parseClock(
  text: string,
  timezone: string,
  marksDaylight: boolean,
): number | undefined {
  const match = CLOCK.exec(text.trim());
  if (!match) return undefined;
  const [day = 0, month = 0, shortYear = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const year = shortYear < 100 ? 2000 + shortYear : shortYear;
  const time: LocalTime = { year, month, day, hour, minute, second };
  const marked = match[7] !== undefined;
  return instantOf(time, timezone, marked || marksDaylight ? marked : undefined);
}

type Shows = Pick<IslDevice, "dialect" | "environment" | "kept">;

/** What the device's clock shows at the moment (UTC milliseconds); undefined when it is no time. */
export function readClockText({ dialect, environment }: Shows, text: string): number | undefined {
  const { clockMarksDaylight } = dialect;
  const first = parseClock(text, environment.timezone, clockMarksDaylight);
  if (first === undefined || clockMarksDaylight) return first;
  return clockShown(first, environment);
}

/**
 * When a document of the device was made (UTC milliseconds); undefined when it is no time. Where
 * clocks mark summer time, documents may do without.
 */
export function readDocumentTime(device: Shows, text: string): number | undefined {
  const isMarked = text.trimEnd().endsWith(DAYLIGHT_MARK);
  const first = parseClock(text, device.environment.timezone, isMarked);
  return first === undefined || isMarked ? first : documentShown(first, device);
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
