import { expect, test } from "bun:test";
import { hasLength } from "./text.ts";

const EMOJI = "😀";

test.each([
  ["", 0],
  ["abc", 3],
  [EMOJI, 1],
  [EMOJI.repeat(128), 128],
  [`${EMOJI.repeat(4)}x`, 5],
  ["x".repeat(300), 300],
])("%p has %d characters", (text, count) => {
  expect(hasLength(text, count, count)).toBe(true);
  expect(hasLength(text, 0, count + 1)).toBe(true);
  expect(hasLength(text, count + 1, 1_000)).toBe(false);
  expect(hasLength(text, 0, count - 1)).toBe(false);
});
