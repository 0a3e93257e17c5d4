/** Days by the shop's clock, and the periods that lists are narrowed to. */

import { describe, expect, test } from "bun:test";
import { areDays, areTurned, daysOf, instantsOf } from "./period.ts";
import { addDays, dayOf, isDay, lastDayBefore, monthAround, startOfDay } from "./shop-days.ts";

const SOFIA = "Europe/Sofia";

describe("a day of the shop", () => {
  test.each([
    ["2026-11-24T21:59:59Z", "2026-11-24"],
    ["2026-11-24T22:00:00Z", "2026-11-25"],
    ["2026-07-24T21:00:00Z", "2026-07-25"],
  ])("at %s is %s", (at, day) => {
    expect(dayOf(at, SOFIA)).toBe(day);
  });

  test.each([
    ["2026-11-25", SOFIA, "2026-11-24T22:00:00.000Z"],
    ["2026-03-29", SOFIA, "2026-03-28T22:00:00.000Z"],
    ["2026-03-30", SOFIA, "2026-03-29T21:00:00.000Z"],
    ["2026-10-25", SOFIA, "2026-10-24T21:00:00.000Z"],
    ["2026-10-26", SOFIA, "2026-10-25T22:00:00.000Z"],
    ["2026-11-25", "America/New_York", "2026-11-25T05:00:00.000Z"],
  ])("%s in %s begins at %s, also where clocks are changed", (day, zone, at) => {
    expect(new Date(startOfDay(day, zone)).toISOString()).toBe(at);
  });

  test.each([
    ["2026-01-13T22:00:00.000Z", SOFIA, "2026-01-13"],
    ["2026-03-29T21:00:00.000Z", SOFIA, "2026-03-29"],
    ["2026-01-13T21:59:59.999Z", SOFIA, undefined],
    ["2026-01-14T00:00:00.000Z", SOFIA, undefined],
  ])("that ends at %s in %s is %s, for what is good until then", (end, zone, day) => {
    expect(lastDayBefore(end, zone)).toBe(day as string);
  });

  test("has days before and after it, and a month around it", () => {
    expect([addDays("2026-03-01", -1), addDays("2026-12-31", 1)]).toEqual([
      "2026-02-28",
      "2027-01-01",
    ]);
    expect(monthAround("2026-12-25")).toEqual({ from: "2026-12-01", to: "2027-01-01" });
    expect(["2026-02-28", "2026-13-01", "today", ""].map(isDay)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe("a period of the address", () => {
  test("from day to day has both days in it", () => {
    const days = daysOf("2026-11-01..2026-11-02", SOFIA);
    expect(instantsOf(days, SOFIA)).toEqual({
      from: "2026-10-31T22:00:00.000Z",
      to: "2026-11-02T22:00:00.000Z",
    });
  });

  test.each([null, "", "nonsense", "2026-11-02..2026-11-01", "2026-99-01..2026-99-02"])(
    "%p is all of time",
    (period) => {
      expect(daysOf(period, SOFIA)).toBeUndefined();
    },
  );

  test("is asked for once both its days are typed, the first of them first", () => {
    const last = "2026-11-30";
    expect(areDays({ first: "2026-11-30", last })).toBe(true);
    const typed = ["0202-11-01", "", "2026-12-01"].map((first) => ({ first, last }));
    expect(typed.map(areDays)).toEqual([false, false, false]);
    expect(typed.map(areTurned)).toEqual([false, false, true]);
  });

  test("by name ends today", () => {
    const today = dayOf(Date.now(), SOFIA);
    expect(daysOf("week", SOFIA)).toEqual({ first: addDays(today, -6), last: today });
    expect(daysOf("yesterday", SOFIA)?.last).toBe(addDays(today, -1));
  });
});
