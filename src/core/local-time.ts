/** Wall-clock time of a place: what its clocks show, devices and people alike. */

/** A wall-clock reading; `month` is 1..12. */
export interface LocalTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const HOUR_MS = 3_600_000;
/** Zones are few (one per shop); the bound only guards against a defect. */
const FORMATS_MAX = 64;
const formats = new Map<string, Intl.DateTimeFormat>();

/** What a clock in this zone shows at an instant (UTC milliseconds). */
export function toLocalTime(instant: number, timezone: string): LocalTime {
  const parts = new Map(
    formatOf(timezone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const read = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return {
    year: read("year"),
    month: read("month"),
    day: read("day"),
    hour: read("hour"),
    minute: read("minute"),
    second: read("second"),
  };
}

/** True while daylight saving time holds in this zone. */
export function isDaylightTime(instant: number, timezone: string): boolean {
  const year = toLocalTime(instant, timezone).year;
  const winter = Math.min(
    offsetMs(Date.UTC(year, 0, 1), timezone),
    offsetMs(Date.UTC(year, 6, 1), timezone),
  );
  return offsetMs(instant, timezone) > winter;
}

/**
 * The instant at which a clock in this zone shows a time. Of the hour that comes twice in autumn
 * the first pass is meant, unless `daylight` says otherwise; a time in the hour that is left out
 * in spring is read as if the clock had not been moved yet.
 */
export function fromLocalTime(time: LocalTime, timezone: string, daylight?: boolean): number {
  const shown = Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second);
  // The zone's offset near that time is one of at most two, found half a day to either side.
  const offsets = [
    offsetMs(shown - 12 * HOUR_MS, timezone),
    offsetMs(shown + 12 * HOUR_MS, timezone),
  ];
  const instants = offsets
    .map((offset) => shown - offset)
    .filter((instant) => instant + offsetMs(instant, timezone) === shown);
  const [first = shown - (offsets[0] ?? 0)] = instants;
  if (daylight === undefined) return Math.min(first, ...instants);
  return instants.find((instant) => isDaylightTime(instant, timezone) === daylight) ?? first;
}

/**
 * The last pass that a time may mean which does not say which pass of the hour that comes twice it
 * is of.
 * @param instant to the second, as `fromLocalTime` reads it: the first pass
 * @param until what is later is not meant; the second pass always is, unless given
 * @returns UTC milliseconds; `instant` where the hour comes once
 */
export function lastPass(
  instant: number,
  timezone: string,
  until = Number.POSITIVE_INFINITY,
): number {
  const second = fromLocalTime(toLocalTime(instant, timezone), timezone, false);
  return second <= until ? second : instant;
}

function offsetMs(instant: number, timezone: string): number {
  const whole = Math.floor(instant / 1000) * 1000;
  const time = toLocalTime(whole, timezone);
  return Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second) - whole;
}

function formatOf(timezone: string): Intl.DateTimeFormat {
  let format = formats.get(timezone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: timezone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    if (formats.size >= FORMATS_MAX) formats.clear();
    formats.set(timezone, format);
  }
  return format;
}
