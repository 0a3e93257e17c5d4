import { describe, expect, test } from "bun:test";
import { inLocalTime, localTime, shortTime, span } from "./local-time.ts";

const NOON = Date.parse("2026-11-22T12:05:00Z");
const ZONE = "Europe/Sofia";

describe("an instant", () => {
  test("is shown as the shop's clock shows it", () => {
    expect(localTime(NOON, ZONE)).toBe("2026-11-22 14:05+02");
    expect(localTime(Date.parse("2026-07-01T22:30:00Z"), ZONE)).toBe("2026-07-02 01:30+03");
    expect(localTime(NOON, "UTC")).toBe("2026-11-22 12:05+00");
    expect(localTime(NOON, "Asia/Kolkata")).toBe("2026-11-22 17:35+05:30");
    expect(localTime(NOON, "America/Sao_Paulo")).toBe("2026-11-22 09:05-03");
  });

  test("within a sentence of the gateway is shown so too", () => {
    const said = "printed after 2026-11-22T12:05:00.000Z, and 2026-11-22T99:05:00Z";
    expect(inLocalTime(said, ZONE)).toBe(
      "printed after 2026-11-22 14:05+02, and 2026-11-22T99:05:00Z",
    );
  });

  test("goes without the year where that is this one, and else without the hour", () => {
    expect(shortTime(NOON, NOON, ZONE)).toBe("11-22 14:05+02");
    expect(shortTime(Date.parse("2025-11-22T12:05:00Z"), NOON, ZONE)).toBe("2025-11-22");
    // In the shop it is the next year already.
    expect(shortTime(NOON, Date.parse("2026-12-31T23:00:00Z"), ZONE)).toBe("2026-11-22");
  });
});

test.each([
  [-5, "0 s"],
  [119_999, "119 s"],
  [120_000, "2 min"],
  [7_200_000, "2 h"],
  [172_800_000, "2 d"],
])("a time of %d ms is %s", (ms, text) => {
  expect(span(ms)).toBe(text);
});
