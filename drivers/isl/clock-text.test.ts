import { describe, expect, test } from "bun:test";
import { formatClock, formatCompact, formatDashed, parseClock } from "./clock-text.ts";

const ZONE = "Europe/Bucharest";
/** The clocks of Romania go back from 04:00 to 03:00 at this instant. */
const AUTUMN = Date.UTC(2024, 9, 27, 1);

describe("a device's clock", () => {
  test("shows the local time of its place", () => {
    const instant = Date.UTC(2024, 2, 15, 12, 5, 9);
    expect(formatDashed(instant, ZONE)).toBe("15-03-24 14:05:09");
    expect(formatCompact(instant, ZONE)).toBe("150324140509");
  });

  test("marks summer time where the device wants it", () => {
    const summer = Date.UTC(2024, 6, 1, 7, 20);
    expect(formatClock(summer, ZONE, true)).toBe("01-07-24 10:20:00 DST");
    expect(formatClock(summer, ZONE, false)).toBe("01-07-24 10:20:00");
    expect(formatClock(Date.UTC(2024, 0, 1), ZONE, true)).toBe("01-01-24 02:00:00");
  });

  test("is read back to the same instant in every hour of the year's two changes", () => {
    for (const change of [AUTUMN, Date.UTC(2024, 2, 31, 1)]) {
      for (let minutes = -180; minutes <= 180; minutes += 30) {
        const instant = change + minutes * 60_000;
        expect(parseClock(formatClock(instant, ZONE, true), ZONE, true)).toBe(instant);
      }
    }
  });

  test("means the first pass of the double hour where it has no mark", () => {
    expect(parseClock("27-10-24 03:30:00", ZONE, false)).toBe(AUTUMN - 1_800_000);
    expect(parseClock("27-10-24 03:30:00", ZONE, true)).toBe(AUTUMN + 1_800_000);
  });

  test("is read with dots, with four digits of the year, and without seconds", () => {
    const instant = Date.UTC(2024, 2, 15, 12, 5);
    expect(parseClock("15.03.2024 14:05", ZONE, false)).toBe(instant);
  });

  test("that shows no date that exists is not read", () => {
    for (const text of ["", "31-02-24 10:00:00", "00-00-00 00:00:00", "15-03-24 25:00:00", "x"]) {
      expect(parseClock(text, ZONE, false)).toBeUndefined();
    }
  });
});
