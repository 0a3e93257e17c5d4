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
const formats = new Map<string, Intl.DateTimeFormat>();

/** Offsets of the minutes that were asked for last, by zone: reading one of the system takes long. */
const offsets = new Map<string, Map<number, number>>();
const MINUTE_MS = 60_000;
/** Minutes of a zone; zones are few (one per shop), so there it only guards against a defect. */
const KEPT_MAX = 1_000;
/** Since then no zone has been moved but at a full minute. */
const FULL_MINUTES_SINCE = Date.UTC(1973, 0, 1);

/** What a clock in this zone shows at an instant (UTC milliseconds). */
export function toLocalTime(instant: number, timezone: string): LocalTime {
  const shown = new Date(instant + offsetMs(instant, timezone));
  return {
    year: shown.getUTCFullYear(),
    month: shown.getUTCMonth() + 1,
    day: shown.getUTCDate(),
    hour: shown.getUTCHours(),
    minute: shown.getUTCMinutes(),
    second: shown.getUTCSeconds(),
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

/** True for a day and a time of day that a clock can show; false as for 31 February or 14:75. */
export function isTime(time: LocalTime): boolean {
  const shown = new Date(shownAsUtc(time));
  return (
    shown.getUTCFullYear() === time.year &&
    shown.getUTCMonth() + 1 === time.month &&
    shown.getUTCDate() === time.day &&
    shown.getUTCHours() === time.hour &&
    shown.getUTCMinutes() === time.minute &&
    shown.getUTCSeconds() === time.second
  );
}

/** As `fromLocalTime`, of fields that nobody has checked: undefined when no clock shows them. */
export function instantOf(
  time: LocalTime,
  timezone: string,
  daylight?: boolean,
): number | undefined {
  return isTime(time) ? fromLocalTime(time, timezone, daylight) : undefined;
}

/**
 * The instant at which a clock in this zone shows a time. Of the hour that comes twice in autumn
 * the first pass is meant, unless `daylight` says otherwise; a time in the hour that is left out
 * in spring is read as if the clock had not been moved yet.
 */
export function fromLocalTime(time: LocalTime, timezone: string, daylight?: boolean): number {
  const shown = shownAsUtc(time);
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

function shownAsUtc({ year, month, day, hour, minute, second }: LocalTime): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** How far the zone's clocks are ahead of UTC, in milliseconds. */
function offsetMs(instant: number, timezone: string): number {
  if (!(instant >= FULL_MINUTES_SINCE)) return readOffsetMs(instant, timezone);
  const minute = Math.floor(instant / MINUTE_MS);
  const known = kept(offsets, timezone, () => new Map<number, number>());
  return kept(known, minute, () => readOffsetMs(minute * MINUTE_MS, timezone));
}

function readOffsetMs(instant: number, timezone: string): number {
  const whole = Math.floor(instant / 1000) * 1000;
  const parts = new Map(
    formatOf(timezone)
      .formatToParts(whole)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const read = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const shown = Date.UTC(
    read("year"),
    read("month") - 1,
    read("day"),
    read("hour"),
    read("minute"),
    read("second"),
  );
  return shown - whole;
}

function formatOf(timezone: string): Intl.DateTimeFormat {
  return kept(formats, timezone, () => newFormat(timezone));
}

function newFormat(timezone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
}

/** What is kept under a key, made where it is not; too many of them are all forgotten. */
function kept<K, V>(all: Map<K, V>, key: K, make: () => V): V {
  const found = all.get(key);
  if (found !== undefined) return found;
  const made = make();
  if (all.size >= KEPT_MAX) all.clear();
  all.set(key, made);
  return made;
}
