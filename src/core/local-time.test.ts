import { describe, expect, test } from "bun:test";
import { fromLocalTime, instantOf, isDaylightTime, toLocalTime } from "./local-time.ts";

describe("local time", () => {
  test("is told with the zone's offset at that instant", () => {
    expect(toLocalTime(Date.UTC(2024, 11, 31, 22, 30), "Europe/Sofia")).toEqual({
      year: 2025,
      month: 1,
      day: 1,
      hour: 0,
      minute: 30,
      second: 0,
    });
  });

  test("is moved in the very minute in which the zone's clocks are", () => {
    const zone = "America/St_Johns";
    // One minute past midnight it became one minute past one.
    const moved = Date.UTC(2007, 2, 11, 3, 31);
    const shownAt = (instant: number) => {
      const { hour, minute, second } = toLocalTime(instant, zone);
      return [hour, minute, second];
    };
    expect(shownAt(moved - 60_000)).toEqual([0, 0, 0]);
    expect(shownAt(moved - 1)).toEqual([0, 0, 59]);
    expect(shownAt(moved)).toEqual([1, 1, 0]);
    expect(shownAt(moved + 59_999)).toEqual([1, 1, 59]);
  });

  test("knows daylight time on both halves of the earth", () => {
    const july = Date.UTC(2024, 6, 1);
    const january = Date.UTC(2024, 0, 1);
    expect(isDaylightTime(july, "Europe/Sofia")).toBe(true);
    expect(isDaylightTime(january, "Europe/Sofia")).toBe(false);
    expect(isDaylightTime(january, "Australia/Sydney")).toBe(true);
    expect(isDaylightTime(july, "UTC")).toBe(false);
  });

  test("comes back to the same instant everywhere", () => {
    for (const zone of ["Europe/Sofia", "UTC", "America/St_Johns", "Pacific/Auckland"]) {
      for (let month = 0; month < 12; month += 1) {
        const instant = Date.UTC(2024, month, 10, 10, 11, 12);
        expect(fromLocalTime(toLocalTime(instant, zone), zone)).toBe(instant);
      }
    }
  });

  test.each([
    ["31 February", { month: 2, day: 31 }],
    ["29 February of a common year", { year: 2023, month: 2, day: 29 }],
    ["day 0", { day: 0 }],
    ["month 13", { month: 13 }],
    ["a year of two digits", { year: 24 }],
    ["24:00", { hour: 24 }],
    ["14:75", { minute: 75 }],
    ["second 60", { second: 60 }],
    ["half a minute", { minute: 0.5 }],
  ])("is no instant where no clock shows it: %s", (_, wrong) => {
    const time = { year: 2024, month: 3, day: 15, hour: 14, minute: 5, second: 9 };
    expect(instantOf(time, "Europe/Sofia")).toBe(Date.UTC(2024, 2, 15, 12, 5, 9));
    expect(instantOf({ ...time, ...wrong }, "Europe/Sofia")).toBeUndefined();
  });

  test("in the hour left out in spring is read as if the clock had not been moved yet", () => {
    const missing = { year: 2024, month: 3, day: 31, hour: 3, minute: 30, second: 0 };
    expect(fromLocalTime(missing, "Europe/Sofia")).toBe(Date.UTC(2024, 2, 31, 1, 30));
  });
});
