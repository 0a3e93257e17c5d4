import { describe, expect, test } from "bun:test";
import { FrameNumbers } from "./frame-numbers.ts";

const RANGE = { min: 0x20, max: 0x7f };

function numbers(remembered: Map<string, string>, drawn = 0): FrameNumbers {
  return new FrameNumbers({ random: () => drawn, remembered }, RANGE);
}

describe("numbers of frames", () => {
  test("begin with the one that was drawn, and go on from the greatest to the least", () => {
    expect(numbers(new Map(), 0).next()).toBe(0x20);
    const last = numbers(new Map(), 0x5f);
    expect([last.next(), last.next()]).toEqual([0x7f, 0x20]);
  });

  test("go on behind the last one on the next line, whatever is drawn there", () => {
    const remembered = new Map<string, string>();
    for (const expected of [0x7f, 0x20, 0x21]) {
      expect(numbers(remembered, 0x5f).next()).toBe(expected);
    }
  });

  test("are drawn from those that follow, where two hosts must not count in step", () => {
    const draws = [0x10, 0, 3, 7];
    const random = (bound: number) => Math.min(bound - 1, draws.shift() ?? 0);
    const drawn = new FrameNumbers({ random, remembered: new Map() }, RANGE);
    drawn.spread(8);
    expect([drawn.next(), drawn.next(), drawn.next()]).toEqual([0x30, 0x34, 0x3c]);
  });

  test("are drawn anew where what is remembered is no number of theirs", () => {
    for (const text of ["", "x", "31", "128", "32.5"]) {
      expect(numbers(new Map([["frameNumber", text]]), 4).next()).toBe(0x24);
    }
  });
});
