import { expect, test } from "bun:test";
import { ageingTime, BELIEVED_AFTER_MS, type ClockStanding, standingOf } from "./ageing-time.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;
const NOW = Date.UTC(2026, 10, 25);

/** Looked at one after the other. @returns the ageing time at each */
function looks(...at: readonly (readonly [wall: number, counted: number])[]): number[] {
  let standing: ClockStanding | undefined;
  return at.map(([wall, counted]) => {
    standing = standingOf(standing, wall, counted);
    return ageingTime(standing, wall, counted);
  });
}

test("goes with a clock that nobody sets", () => {
  expect(looks([NOW, NOW], [NOW + YEAR_MS, NOW + YEAR_MS])).toEqual([NOW, NOW + YEAR_MS]);
});

test("does not follow a clock that is years ahead for a while", () => {
  const later = NOW + HOUR_MS;
  const end = later + HOUR_MS;
  expect(looks([NOW, NOW], [later + 5 * YEAR_MS, later], [end, end])).toEqual([NOW, later, end]);
});

test("goes back with a clock that lost the time, and is right when that is", () => {
  const later = NOW + HOUR_MS;
  expect(looks([NOW, NOW], [60_000, NOW + 60_000], [later, later])).toEqual([NOW, 60_000, later]);
});

test("believes a clock that has stayed as it was set, from thirty days on", () => {
  const counted = 60_000;
  const just = BELIEVED_AFTER_MS - 1;
  expect(
    looks(
      [counted, counted],
      [NOW, counted],
      [NOW + just, counted + just],
      [NOW + BELIEVED_AFTER_MS, counted + BELIEVED_AFTER_MS],
    ),
  ).toEqual([counted, counted, counted + just, NOW + BELIEVED_AFTER_MS]);
});

test("begins the thirty days anew when the clock is set again, but not for its small steps", () => {
  const day = (days: number, ahead: number) =>
    [NOW + days * DAY_MS + ahead, NOW + days * DAY_MS] as const;
  const until = (days: number) => NOW + days * DAY_MS;
  expect(looks(day(0, 0), day(1, YEAR_MS), day(29, 0), day(40, YEAR_MS), day(69, YEAR_MS))).toEqual(
    [0, 1, 29, 40, 69].map(until),
  );
  expect(looks(day(0, YEAR_MS), day(15, YEAR_MS + HOUR_MS), day(30, YEAR_MS)).at(-1)).toBe(
    until(30) + YEAR_MS,
  );
});
