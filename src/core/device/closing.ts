/**
 * When a printer's fiscal day is to be closed by the shop's own rule, its closing time: whom to
 * remind, and when the gateway makes the Z report by itself.
 */

import { dateBeside, localDate } from "../calendar.ts";
import { fromLocalTime } from "../local-time.ts";

/** What a closing time looks like: `HH:MM`, by the clocks of a device's location. */
export const CLOSING_TIME_PATTERN = "^([01][0-9]|2[0-3]):[0-5][0-9]$";

/** Later than this after its time, a report that nobody asked for would surprise whoever is there. */
export const CLOSING_WINDOW_MS = 6 * 3_600_000;

/** A closing time that came. */
export interface Closing {
  /** The day that it ends, `YYYY-MM-DD` at the device's location. */
  readonly date: string;
  /** UTC milliseconds. */
  readonly at: number;
}

/** What the reminder follows from. Instants are UTC milliseconds. */
export interface DayFacts {
  readonly now: number;
  /** `HH:MM`; null where the shop has none. */
  readonly closingTime: string | null;
  /** IANA name, of the device's location. */
  readonly timezone: string;
  /** When the first receipt was booked that no Z report has closed; null when there is none. */
  readonly openSince: number | null;
  /** Whether the printer says that its day is open; null where it does not tell. */
  readonly fiscalDayOpen: boolean | null;
}

/** What a report by itself depends on besides. Instants are UTC milliseconds. */
export interface AutomaticFacts extends DayFacts {
  readonly isAutomatic: boolean;
  /** When the shop set the time, or set it to be automatic: an earlier closing is not made up for. */
  readonly setAt: number;
  /** The wall clock ran like the machine's own since the last look. */
  readonly isClockSteady: boolean;
  readonly isSimulated: boolean;
  readonly isOnline: boolean;
  /** Out of paper, open, defective and the like; or a receipt stands open on it. */
  readonly isBlocked: boolean;
  /** A command waits for it, or is out on it. */
  readonly isBusy: boolean;
  /** Something of it is in doubt, or it waits for a person. */
  readonly isHeld: boolean;
  /** The last closing for which a report was queued; null before the first one. */
  readonly made: { readonly date: string; readonly openSince: number } | null;
}

/** The last closing time up to now; undefined where there is none. */
export function lastClosingTime({
  now,
  closingTime,
  timezone,
}: Pick<DayFacts, "now" | "closingTime" | "timezone">): Closing | undefined {
  if (closingTime === null) return undefined;
  const today = localDate(now, timezone);
  const [one, other] = [today, dateBeside(today, -1)].map((date) => ({
    date,
    at: instantOf(date, closingTime, timezone),
  }));
  return one !== undefined && one.at <= now ? one : other;
}

/**
 * The closing of which a person is to be reminded: its time has come, and receipts from before it
 * are in no Z report. What was sold after it belongs to the next one.
 */
export function closingDue(facts: DayFacts): Closing | undefined {
  const { openSince, fiscalDayOpen } = facts;
  if (openSince === null || fiscalDayOpen === false) return undefined;
  const closing = lastClosingTime(facts);
  return closing !== undefined && openSince < closing.at ? closing : undefined;
}

/**
 * The closing for which the gateway makes the Z report now, of its own accord. Once for each closing
 * and for each fiscal day, whatever became of it: a second try is a person's decision.
 */
export function automaticClosing(facts: AutomaticFacts): Closing | undefined {
  const closing = closingDue(facts);
  if (closing === undefined || !facts.isAutomatic || facts.isSimulated) return undefined;
  const { now, setAt, made, openSince } = facts;
  const isInTime = closing.at > setAt && now - closing.at < CLOSING_WINDOW_MS;
  const isMade = made !== null && (made.date === closing.date || made.openSince === openSince);
  const isFree = facts.isOnline && !facts.isBlocked && !facts.isBusy && !facts.isHeld;
  const isSure = facts.fiscalDayOpen === true && facts.isClockSteady;
  return isInTime && !isMade && isFree && isSure ? closing : undefined;
}

function instantOf(date: string, time: string, timezone: string): number {
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return fromLocalTime({ year, month, day, hour, minute, second: 0 }, timezone);
}
