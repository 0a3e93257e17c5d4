/** Which names are those of a time zone, and how they are spelled. */

import { expect, test } from "bun:test";
import { timezoneName } from "./place.ts";

test("every zone that the runtime knows is one, spelled as there", () => {
  for (const zone of [
    ...Intl.supportedValuesOf("timeZone"),
    "UTC",
    "GMT+0",
    "Etc/GMT+10",
    "EST5EDT",
  ]) {
    expect(timezoneName(zone)).toBe(zone);
  }
  expect(timezoneName("europe/bucharest")).toBe("Europe/Bucharest");
  expect(timezoneName("Europe/Bucharest")).toBe("Europe/Bucharest");
});

test.each([
  "",
  "{}",
  "[]",
  "+03:00",
  "-03:00",
  "Europe/Nowhere",
  " UTC",
  "UTC\n",
  "Z",
  "03:00",
  "../UTC",
])("%j is none", (given) => {
  expect(timezoneName("Europe/Bucharest")).toBe("Europe/Bucharest");
  expect(timezoneName(given)).toBeUndefined();
});
