/** A period that a list is narrowed to, as its address has it: `today`, or `2026-11-01..2026-11-25`. */

import { boxNow } from "../api/box-clock.ts";
import { addDays, type Day, dayOf, isDay, monthAround, startOfDay } from "./shop-days.ts";

/** Periods with a name. */
export const PERIODS = ["today", "yesterday", "week", "month"] as const;
type Named = (typeof PERIODS)[number];

/** From the first day to the last, both in it. */
export interface Days {
  readonly first: Day;
  readonly last: Day;
}

/** The days of a period; undefined for what is none, which stands for all of time. */
export function daysOf(period: string | null, timezone: string | undefined): Days | undefined {
  const today = dayOf(boxNow(), timezone);
  if (isNamed(period)) {
    const days: Record<Named, Days> = {
      today: { first: today, last: today },
      yesterday: { first: addDays(today, -1), last: addDays(today, -1) },
      week: { first: addDays(today, -6), last: today },
      month: { first: monthAround(today).from, last: today },
    };
    return days[period];
  }
  const [first = "", last = ""] = period?.split("..") ?? [];
  return isDay(first) && isDay(last) && first <= last ? { first, last } : undefined;
}

/**
 * True for days that a list can be narrowed to. One that is still typed has the year 202 on its way to
 * 2026, and the last day may be typed before the first is changed.
 */
export function areDays({ first, last }: Days): boolean {
  return isWhole(first) && isWhole(last) && first <= last;
}

/** True for days that are typed to their end, the last of them before the first. */
export function areTurned({ first, last }: Days): boolean {
  return isWhole(first) && isWhole(last) && first > last;
}

const isWhole = (day: Day): boolean => isDay(day) && day >= "1900";

/** The instants that a list is asked for. */
export function instantsOf(days: Days | undefined, timezone: string | undefined) {
  if (days === undefined) return {};
  const at = (day: Day) => new Date(startOfDay(day, timezone)).toISOString();
  return { from: at(days.first), to: at(addDays(days.last, 1)) };
}

/** True for a period with a name. */
export function isNamed(period: string | null): period is Named {
  return PERIODS.some((name) => name === period);
}
