import { describe, expect, test } from "bun:test";
import { schemaCheckOf } from "../schema-check.ts";
import { INSTANT_RULE, InstantSchema, isInstant } from "./instant.ts";

describe("an instant", () => {
  test.each([
    "2026-01-31T12:00:00Z",
    "2026-01-31T12:00:00.123456789+02:00",
    "2024-02-29T23:59-0330",
    "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59+14:00",
  ])("is %s", (text) => {
    expect(isInstant(text)).toBe(true);
    expect(schemaCheckOf(InstantSchema).accepts(text)).toBe(true);
  });

  test.each([
    ["has no offset", "2026-01-31T12:00:00"],
    ["is not in the calendar", "2026-02-30T12:00:00Z"],
    ["is no time", "tomorrow"],
    ["is before the year 0 in UTC", "0000-01-01T00:00:00+14:00"],
    ["is after the year 9999 in UTC", "9999-12-31T23:59:59-12:00"],
  ])("is none that %s", (_, text) => {
    expect(isInstant(text)).toBe(false);
    const check = schemaCheckOf(InstantSchema);
    expect(check.accepts(text)).toBe(false);
    expect(check.issues(text, "expiresAt")).toEqual([{ path: "expiresAt", message: INSTANT_RULE }]);
  });
});
