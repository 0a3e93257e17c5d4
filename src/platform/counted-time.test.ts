import { beforeEach, describe, expect, test } from "bun:test";
import { FakeClock } from "./clock.ts";
import { CountedTime } from "./counted-time.ts";

const START = Date.UTC(2026, 0, 15, 10);
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let clock: FakeClock;
let time: CountedTime;
beforeEach(() => {
  clock = new FakeClock(START);
  time = new CountedTime(clock);
});

describe("while it runs", () => {
  test("time counts as it passes", () => {
    clock.advance(DAY_MS);
    expect(time.now()).toBe(START + DAY_MS);
    expect(time.takeSteps()).toBe(0);
  });

  test("a clock that is put right by little counts", () => {
    clock.jumpTo(START + MINUTE_MS);
    expect(time.now()).toBe(START + MINUTE_MS);
  });

  test.each([2 * DAY_MS, -DAY_MS, MINUTE_MS + 1])("a step of %d ms does not", (step) => {
    clock.advance(1_000);
    clock.jumpTo(clock.now() + step);
    clock.advance(500);
    expect(time.now()).toBe(START + 1_500);
    expect([time.takeSteps(), time.takeSteps()]).toEqual([step, 0]);
  });
});

describe("after a start", () => {
  const startedAt = (now: number): CountedTime => {
    const kept = time.record();
    clock = new FakeClock(now);
    return new CountedTime(clock, kept);
  };

  test.each([0, 1_000, 7 * DAY_MS])("%d ms off count", (off) => {
    const next = startedAt(START + off);
    expect([next.now(), next.takeSteps()]).toEqual([START + off, 0]);
  });

  test.each([-1, -DAY_MS, 7 * DAY_MS + 1])("a clock that differs by %d ms does not", (off) => {
    const next = startedAt(START + off);
    expect([next.now(), next.takeSteps()]).toEqual([START, off]);
  });

  test("a step that nobody has taken is one then too, and what is stored stays before it", () => {
    clock.jumpTo(START - DAY_MS);
    clock.advance(MINUTE_MS);
    expect([time.asStored(), time.record().wall]).toEqual([START + MINUTE_MS, START + MINUTE_MS]);
    const next = startedAt(clock.now());
    expect([next.asStored(), next.takeSteps()]).toEqual([START + MINUTE_MS, -DAY_MS]);
    expect([next.asStored(), next.now()]).toEqual([START - DAY_MS + MINUTE_MS, START + MINUTE_MS]);
  });

  test("a clock that was behind and is put right does not count either", () => {
    const next = startedAt(START - DAY_MS);
    clock.advance(MINUTE_MS);
    clock.jumpTo(START + MINUTE_MS);
    expect(next.now()).toBe(START + MINUTE_MS);
    expect(next.takeSteps()).toBe(0);
  });
});

describe("after a start within one boot", () => {
  test.each([2 * DAY_MS, 31 * DAY_MS, -DAY_MS])(
    "a clock that was set by %d ms meanwhile does not count, and what passed does",
    (step) => {
      let uptime = 5_000;
      const boot = { id: "a".repeat(32), uptime: () => uptime };
      const kept = new CountedTime(clock, undefined, boot).record();
      uptime += 4_000;
      clock = new FakeClock(START + 4_000 + step);
      const next = new CountedTime(clock, kept, boot);
      expect([next.now(), next.takeSteps()]).toEqual([START + 4_000, step]);
      const other = new CountedTime(clock, kept, { id: "b".repeat(32), uptime: () => 9_000 });
      expect(other.now()).toBe(step === 2 * DAY_MS ? START + 4_000 + step : START);
    },
  );

  test.each([MINUTE_MS, -MINUTE_MS])("one that is put right by %d ms counts by itself", (step) => {
    const boot = { id: "a".repeat(32), uptime: () => 5_000 };
    const kept = new CountedTime(clock, undefined, boot).record();
    clock = new FakeClock(START + step);
    const next = new CountedTime(clock, kept, boot);
    expect([next.now(), next.takeSteps()]).toEqual([START + step, 0]);
  });

  test("all of it counts, also when the gateway stood still for more than a week", () => {
    let uptime = 5_000;
    const boot = { id: "a".repeat(32), uptime: () => uptime };
    const kept = new CountedTime(clock, undefined, boot).record();
    uptime += 10 * DAY_MS;
    clock = new FakeClock(START + 10 * DAY_MS);
    const next = new CountedTime(clock, kept, boot);
    expect([next.now(), next.takeSteps()]).toEqual([START + 10 * DAY_MS, 0]);
  });
});
