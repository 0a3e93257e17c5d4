import { describe, expect, test } from "bun:test";
import { dayOf, daysOf, hoursOf, isCalendarDate, localDate } from "./calendar.ts";

const HOUR_MS = 3_600_000;
const utc = (text: string) => Date.parse(`${text}Z`);
const keys = (parts: readonly { key: string }[]) => parts.map(({ key }) => key);

test.each([
  ["2026-02-28", true],
  ["2024-02-29", true],
  ["2026-02-29", false],
  ["2026-13-01", false],
  ["1970-01-01", true],
  ["1969-12-31", false],
  ["2999-12-31", true],
  ["3000-01-01", false],
  ["2026-1-1", false],
  ["2026-01-01T00:00:00Z", false],
  ["", false],
])("%p is a date: %p", (text, expected) => {
  expect(isCalendarDate(text)).toBe(expected);
});

describe("a day", () => {
  test.each([
    ["2026-03-29", "Europe/Sofia", 23],
    ["2026-10-25", "Europe/Sofia", 25],
    ["2026-06-01", "Europe/Sofia", 24],
    ["2026-06-01", "UTC", 24],
    // Clocks are put forward over midnight.
    ["2024-04-26", "Africa/Cairo", 23],
    // Clocks are moved by half an hour.
    ["2026-10-04", "Australia/Lord_Howe", 23.5],
  ])("%s in %s has %p hours", (date, timezone, hours) => {
    const { from, to } = dayOf(date, timezone);
    expect((to - from) / HOUR_MS).toBe(hours);
    expect(localDate(from, timezone)).toBe(date);
    expect(localDate(from - 1, timezone)).not.toBe(date);
    expect(localDate(to - 1, timezone)).toBe(date);
    expect(localDate(to, timezone)).not.toBe(date);
  });
});

describe("the parts of an interval", () => {
  test.each(["UTC", "Europe/Sofia", "Asia/Kolkata", "Australia/Lord_Howe", "America/New_York"])(
    "follow each other without a gap in %s, through a whole year",
    (timezone) => {
      const year = { from: utc("2026-01-01T00:10"), to: utc("2027-01-01T00:20") };
      for (const parts of [daysOf(year, timezone), hoursOf(year, timezone)]) {
        const edges = parts.flatMap(({ from, to }) => [from, to]);
        expect(edges.at(0)).toBe(year.from);
        expect(edges.at(-1)).toBe(year.to);
        expect(edges.toSorted((one, other) => one - other)).toEqual(edges);
        expect(new Set(edges).size).toBe(parts.length + 1);
        expect(new Set(keys(parts)).size).toBe(parts.length);
      }
    },
  );

  test("are cut off at its ends", () => {
    const interval = { from: utc("2026-01-15T21:30"), to: utc("2026-01-15T22:30") };
    expect(daysOf(interval, "Europe/Sofia")).toEqual([
      { key: "2026-01-15", from: interval.from, to: utc("2026-01-15T22:00") },
      { key: "2026-01-16", from: utc("2026-01-15T22:00"), to: interval.to },
    ]);
  });

  test("tell the hour that comes twice from its second pass", () => {
    const interval = { from: utc("2026-10-24T23:00"), to: utc("2026-10-25T03:00") };
    expect(keys(hoursOf(interval, "Europe/Sofia"))).toEqual([
      "2026-10-25T02:00+03:00",
      "2026-10-25T03:00+03:00",
      "2026-10-25T03:00+02:00",
      "2026-10-25T04:00+02:00",
    ]);
  });

  test("leave out the hour that clocks leave out", () => {
    const interval = { from: utc("2026-03-29T00:00"), to: utc("2026-03-29T02:00") };
    expect(keys(hoursOf(interval, "Europe/Sofia"))).toEqual([
      "2026-03-29T02:00+02:00",
      "2026-03-29T04:00+03:00",
    ]);
  });

  test("are none of an empty interval", () => {
    const empty = { from: utc("2026-01-15T10:00"), to: utc("2026-01-15T10:00") };
    expect([...daysOf(empty, "UTC"), ...hoursOf(empty, "UTC")]).toEqual([]);
  });
});
