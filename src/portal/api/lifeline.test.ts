/** How soon a connection is given up that brings nothing more. */

import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { lifeline } from "./lifeline.ts";

/** The gateway says something at least so often. */
const BEAT_MS = 15_000;
const A_LITTLE_MS = 5_000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test("one on which the gateway's beat is missing is dead a little later", () => {
  const dead = jest.fn();
  const line = lifeline(dead);
  for (const _ of ["opened", "first beat", "second beat"]) {
    line.heard();
    jest.advanceTimersByTime(BEAT_MS);
  }
  expect(dead).not.toHaveBeenCalled();
  jest.advanceTimersByTime(A_LITTLE_MS);
  expect(dead).toHaveBeenCalledTimes(1);
});

test("one that is over is no more", () => {
  const dead = jest.fn();
  const line = lifeline(dead);
  line.heard();
  line.over();
  jest.advanceTimersByTime(4 * BEAT_MS);
  expect(dead).not.toHaveBeenCalled();
});
