/** Days as the shop's clock has them, whatever the clock of the browser says. */

/** A day of the calendar, `2026-11-25`. */
export type Day = string;

const DAY_MS = 86_400_000;
const clocks = new Map<string, Intl.DateTimeFormat>();

/** The day of an instant. @param at ISO 8601 or UTC milliseconds @param timezone the browser's unless given */
export function dayOf(at: string | number, timezone: string | undefined): Day {
  return wallClock(new Date(at), timezone).slice(0, 10);
}

/** The first instant of a day, UTC milliseconds. */
export function startOfDay(day: Day, timezone: string | undefined): number {
  const wanted = Date.parse(`${day}T00:00:00Z`);
  const first = wanted - offsetAt(wanted, timezone);
  // Where clocks are changed between the two, the offset is the one of the day's own beginning.
  return wanted - offsetAt(first, timezone);
}

/**
 * The last day before an end that is midnight on the shop's clock; undefined where it is within a day.
 * @param end ISO 8601
 */
export function lastDayBefore(end: string, timezone: string | undefined): Day | undefined {
  const day = dayOf(end, timezone);
  return startOfDay(day, timezone) === Date.parse(end) ? addDays(day, -1) : undefined;
}

/** The day so many days later; earlier where `days` is negative. */
export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The first of a day's month, and of the month after it. */
export function monthAround(day: Day): { readonly from: Day; readonly to: Day } {
  const from = `${day.slice(0, 7)}-01`;
  return { from, to: `${addDays(from, 31).slice(0, 7)}-01` };
}

/** True for a day that there is. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
}

/** Minutes by which a clock in one zone is ahead of one in another, at an instant. */
export function minutesAhead(zone: string | undefined, other: string, at: number): number {
  return Math.round((offsetAt(at, zone) - offsetAt(at, other)) / 60_000);
}

function offsetAt(at: number, timezone: string | undefined): number {
  return Date.parse(`${wallClock(new Date(at), timezone)}Z`) - Math.floor(at / 1_000) * 1_000;
}

/** `2026-11-25T14:05:09`, as a clock on the shop's wall shows it. */
function wallClock(at: Date, timezone: string | undefined): string {
  const name = timezone ?? "";
  const clock = clocks.get(name) ?? clockIn(timezone);
  clocks.set(name, clock);
  return clock.format(at).replace(" ", "T");
}

/** Swedes write dates as ISO 8601 does. */
function clockIn(timezone: string | undefined): Intl.DateTimeFormat {
  const two = "2-digit";
  return new Intl.DateTimeFormat("sv-SE", {
    ...(timezone === undefined ? {} : { timeZone: timezone }),
    ...{ year: "numeric", month: two, day: two, hour: two, minute: two, second: two },
  });
}
