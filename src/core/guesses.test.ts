import { expect, test } from "bun:test";
import { countedGuesses, GUESS_RULES, isWorthTelling, waitAfter } from "./guesses.ts";

const MINUTE_MS = 60_000;

test("the first guesses are free, then each wrong one doubles the wait up to its limit", () => {
  const waits = [4, 5, 6, 7, 8, 9, 10, 5_000].map((failures) => waitAfter("pair", failures));
  expect(waits.map((ms) => ms / MINUTE_MS)).toEqual([0, 1, 2, 4, 8, 15, 15, 15]);
  expect(waitAfter("account", 29)).toBe(0);
  expect(waitAfter("account", 40)).toBe(60 * MINUTE_MS);
});

test("guesses are forgotten in the end, but not because the clock was set back", () => {
  const { forgottenMs } = GUESS_RULES.address;
  const guesses = { failures: 7, lastAt: 1_000_000 };
  const counted = (now: number) => countedGuesses("address", guesses, now);
  expect(counted(guesses.lastAt + forgottenMs - 1)).toBe(7);
  expect(counted(guesses.lastAt + forgottenMs)).toBe(0);
  expect(counted(0)).toBe(7);
  expect(countedGuesses("pair", undefined, 0)).toBe(0);
});

test("a line is written at the first wait, and then as often as the guesses have doubled", () => {
  const told = Array.from({ length: 100 }, (_, n) => n).filter((n) => isWorthTelling("pair", n));
  expect(told).toEqual([5, 10, 20, 40, 80]);
});
