import { describe, expect, test } from "bun:test";
import {
  type AutomaticFacts,
  automaticClosing,
  closingDue,
  type DayFacts,
  lastClosingTime,
} from "./closing.ts";

const SOFIA = "Europe/Sofia";
const at = (text: string): number => Date.parse(text);
/** 20:00 in Sofia. */
const CLOSING = at("2026-01-15T18:00:00Z");
const MORNING = at("2026-01-15T07:00:00Z");
const MINUTE_MS = 60_000;

const day: DayFacts = {
  now: CLOSING,
  closingTime: "20:00",
  timezone: SOFIA,
  openSince: MORNING,
  fiscalDayOpen: true,
};
const DUE = { date: "2026-01-15", at: CLOSING };

describe("the last closing time", () => {
  test.each<[string, string, string]>([
    ["20:00", "2026-01-15T18:00:00Z", "2026-01-15T18:00:00.000Z"],
    ["20:00", "2026-01-15T17:59:59Z", "2026-01-14T18:00:00.000Z"],
    ["00:00", "2026-01-14T22:00:00Z", "2026-01-14T22:00:00.000Z"],
    ["02:00", "2026-01-15T01:00:00Z", "2026-01-15T00:00:00.000Z"],
    // Clocks are put forward over 03:30, and back to 03:00.
    ["03:30", "2026-03-29T12:00:00Z", "2026-03-29T01:30:00.000Z"],
    ["03:30", "2026-10-25T12:00:00Z", "2026-10-25T00:30:00.000Z"],
  ])("%s at %s was at %s", (closingTime, now, expected) => {
    const closing = lastClosingTime({ now: at(now), closingTime, timezone: SOFIA });
    expect(closing && new Date(closing.at).toISOString()).toBe(expected);
  });

  test("is none where the shop has none", () => {
    expect(lastClosingTime({ ...day, closingTime: null })).toBeUndefined();
  });
});

describe("a reminder", () => {
  test.each<[string, Partial<DayFacts>, boolean]>([
    ["at the time", {}, true],
    ["a second before it", { now: CLOSING - 1_000 }, false],
    ["until it is done, the next morning too", { now: CLOSING + 14 * 60 * MINUTE_MS }, true],
    ["where the printer does not tell of its day", { fiscalDayOpen: null }, true],
    ["where the day was closed at the printer", { fiscalDayOpen: false }, false],
    ["without a receipt", { openSince: null }, false],
    ["for what was sold after it", { now: CLOSING + 2, openSince: CLOSING + 1 }, false],
    ["without a closing time", { closingTime: null }, false],
  ])("%s", (_name, change, isDue) => {
    expect(closingDue({ ...day, ...change })).toEqual(isDue ? DUE : undefined);
  });
});

describe("a Z report by itself", () => {
  const ready: AutomaticFacts = {
    ...day,
    ...{ isAutomatic: true, setAt: MORNING, isClockSteady: true, isSimulated: false },
    ...{ isOnline: true, isBlocked: false, isBusy: false, isHeld: false, made: null },
  };
  const before = { date: "2026-01-14", openSince: MORNING - 86_400_000 };

  test.each<[string, Partial<AutomaticFacts>, boolean]>([
    ["at the time", {}, true],
    ["after the one of yesterday", { made: before }, true],
    ["within six hours", { now: CLOSING + 360 * MINUTE_MS - 1 }, true],
    ["not later", { now: CLOSING + 360 * MINUTE_MS }, false],
    ["not before", { now: CLOSING - 1 }, false],
    ["not unless asked", { isAutomatic: false }, false],
    ["not for a time that had passed when it was set", { setAt: CLOSING }, false],
    ["not right after the clock was set", { isClockSteady: false }, false],
    ["not on a simulated printer", { isSimulated: true }, false],
    ["not out of reach", { isOnline: false }, false],
    ["not without paper", { isBlocked: true }, false],
    ["not while something waits or runs", { isBusy: true }, false],
    ["not while something is in doubt", { isHeld: true }, false],
    ["not where the printer does not say that its day is open", { fiscalDayOpen: null }, false],
    ["not on a day without receipts", { openSince: null }, false],
    ["once for a closing", { made: { ...before, date: DUE.date } }, false],
    ["once for a fiscal day", { made: { ...before, openSince: MORNING } }, false],
  ])("%s", (_name, change, isMade) => {
    expect(automaticClosing({ ...ready, ...change })).toEqual(isMade ? DUE : undefined);
  });
});
