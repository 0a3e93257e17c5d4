/** Days and hours as people at a place count them; a day has 23 or 25 hours when clocks are moved. */

import { fromLocalTime, toLocalTime } from "./local-time.ts";

/** From an instant (included) to another (not included). UTC milliseconds. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** A day or an hour of an interval, cut off where the interval ends. */
export interface CalendarPart extends Interval {
  /** `2026-10-25`, or `2026-10-25T03:00+02:00`. */
  readonly key: string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Dates outside of these years are no dates of a shop. */
export const YEARS = { first: 1970, last: 2999 } as const;
/** What a date looks like within them; whether it is in the calendar is more. */
export const DATE_PATTERN = "^(19[7-9][0-9]|2[0-9]{3})-[0-9]{2}-[0-9]{2}$";

/** What a month looks like within them. */
export const MONTH_PATTERN = "^(19[7-9][0-9]|2[0-9]{3})-(0[1-9]|1[0-2])$";

/** True for `YYYY-MM-DD` that is in the calendar, within `YEARS`. */
export function isCalendarDate(text: string): boolean {
  const year = Number(DATE.exec(text)?.[1]);
  if (!(year >= YEARS.first && year <= YEARS.last)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** A calendar date of a zone. @param date `YYYY-MM-DD`, in the calendar */
export function dayOf(date: string, timezone: string): Interval {
  return { from: startOf(date, timezone), to: startOf(dateBeside(date, 1), timezone) };
}

/** A month of a zone. @param month `YYYY-MM`, in the calendar */
export function monthOf(month: string, timezone: string): Interval {
  const first = `${month}-01`;
  const next = `${dateBeside(first, 31).slice(0, month.length)}-01`;
  return { from: startOf(first, timezone), to: startOf(next, timezone) };
}

/** The date that a calendar in this zone shows. */
export function localDate(instant: number, timezone: string): string {
  const { year, month, day } = toLocalTime(instant, timezone);
  return `${digits(year, 4)}-${digits(month)}-${digits(day)}`;
}

/** The days of an interval, each as far as it lies in it. */
export function daysOf({ from, to }: Interval, timezone: string): CalendarPart[] {
  const days: CalendarPart[] = [];
  for (let date = localDate(from, timezone); ; date = dateBeside(date, 1)) {
    const day = dayOf(date, timezone);
    if (day.from >= to || from >= to) return days;
    days.push({ key: date, from: Math.max(from, day.from), to: Math.min(to, day.to) });
  }
}

/** The hours of an interval, each as far as it lies in it; an hour that comes twice is two. */
export function hoursOf({ from, to }: Interval, timezone: string): CalendarPart[] {
  const hours: CalendarPart[] = [];
  for (let start = from - sinceHour(from, timezone); start < to; ) {
    const end = nextHour(start, timezone);
    const key = hourText(start, timezone);
    hours.push({ key, from: Math.max(from, start), to: Math.min(to, end) });
    start = end;
  }
  return hours;
}

/** Midnight, or the first instant after it where clocks are put forward over it. */
function startOf(date: string, timezone: string): number {
  const [, year, month, day] = DATE.exec(date) ?? [];
  const midnight = { year: Number(year), month: Number(month), day: Number(day) };
  return fromLocalTime({ ...midnight, hour: 0, minute: 0, second: 0 }, timezone);
}

/** The date so many days after another one, or before it. */
export function dateBeside(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 24 * HOUR_MS).toISOString().slice(0, 10);
}

/** Clocks are moved by half an hour in a few places: the hour after is shorter or longer then. */
function nextHour(start: number, timezone: string): number {
  const next = start + HOUR_MS;
  return next - sinceHour(next, timezone);
}

/** Milliseconds since a clock in this zone showed a full hour. */
function sinceHour(instant: number, timezone: string): number {
  return toLocalTime(instant, timezone).minute * MINUTE_MS + (instant % MINUTE_MS);
}

function hourText(start: number, timezone: string): string {
  const { year, month, day, hour, minute } = toLocalTime(start, timezone);
  const offset = (Date.UTC(year, month - 1, day, hour, minute) - start) / MINUTE_MS;
  const sign = offset < 0 ? "-" : "+";
  const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const time = `${localDate(start, timezone)}T${digits(hour)}:${digits(minute)}`;
  return `${time}${sign}${digits(hours)}:${digits(minutes)}`;
}

function digits(value: number, length = 2): string {
  return String(value).padStart(length, "0");
}
