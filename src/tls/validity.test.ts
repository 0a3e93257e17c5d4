import { expect, test } from "bun:test";
import { endsSoon } from "./validity.ts";

const DAY_MS = 86_400_000;

test("a certificate ends soon 14 days before, one of few days in the last quarter of them", () => {
  const ends = (days: number, leftDays: number) =>
    endsSoon({ notBefore: 0, notAfter: days * DAY_MS }, (days - leftDays) * DAY_MS);
  expect([ends(397, 14), ends(397, 13.9)]).toEqual([false, true]);
  expect([ends(90, 14), ends(90, 13.9)]).toEqual([false, true]);
  // As authorities have for those who renew by themselves: 6 days, renewed after 4 of them.
  expect([ends(6, 6), ends(6, 2), ends(6, 1.5), ends(6, 1.4)]).toEqual([false, false, false, true]);
});
