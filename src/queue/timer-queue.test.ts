import { expect, test } from "bun:test";
import { FakeClock } from "../platform/clock.ts";
import { TimerQueue } from "./timer-queue.ts";

function setUp() {
  const clock = new FakeClock(1_000);
  const timers = new TimerQueue(clock);
  const fired: string[] = [];
  const set = (key: string, dueAt: number) => timers.set(key, dueAt, () => fired.push(key));
  return { clock, timers, fired, set };
}

test("fires in order of time, whatever the order of setting", () => {
  const { clock, fired, set } = setUp();
  for (const dueAt of [1_500, 1_200, 1_900, 1_100, 1_300]) set(`t${dueAt}`, dueAt);
  clock.advance(300);
  expect(fired).toEqual(["t1100", "t1200", "t1300"]);
  clock.advance(1_000);
  expect(fired).toEqual(["t1100", "t1200", "t1300", "t1500", "t1900"]);
});

test("fires what is already due at once", () => {
  const { clock, fired, set } = setUp();
  set("past", 10);
  clock.advance(0);
  expect(fired).toEqual(["past"]);
});

test("does not fire a cancelled deadline, and a replaced one only at its new time", () => {
  const { clock, timers, fired, set } = setUp();
  set("cancelled", 1_100);
  set("moved", 1_100);
  timers.cancel("cancelled");
  set("moved", 1_500);
  clock.advance(400);
  expect(fired).toEqual([]);
  clock.advance(100);
  expect(fired).toEqual(["moved"]);
  expect(timers.size).toBe(0);
});

test("keeps the order of thousands of deadlines, half of them cancelled", () => {
  const { clock, timers, set, fired } = setUp();
  for (let index = 0; index < 5_000; index++) set(`k${index}`, 1_000 + ((index * 7_919) % 5_000));
  for (let index = 0; index < 5_000; index += 2) timers.cancel(`k${index}`);
  set("trigger", 9_000);
  clock.advance(10_000);
  const expected = Array.from({ length: 2_500 }, (_, index) => 2 * index + 1)
    .sort((a, b) => ((a * 7_919) % 5_000) - ((b * 7_919) % 5_000))
    .map((index) => `k${index}`);
  expect(fired).toEqual([...expected, "trigger"]);
});

test("lets a deadline set another one while it fires", () => {
  const { clock, timers, fired, set } = setUp();
  timers.set("first", 1_100, () => set("second", 1_100));
  clock.advance(100);
  expect(fired).toEqual(["second"]);
});

test("leaves no timer behind when a deadline is cancelled, replaced or cleared", () => {
  const { clock, timers, set } = setUp();
  set("a", 2_000);
  set("a", 3_000);
  set("b", 2_000);
  expect(clock.pendingTimers).toBe(2);
  timers.cancel("b");
  timers.cancel("unknown");
  expect(clock.pendingTimers).toBe(1);
  timers.clear();
  expect(clock.pendingTimers).toBe(0);
  clock.advance(10_000);
  expect(timers.size).toBe(0);
});

test("cancels what is due at the same instant and has not fired", () => {
  const { clock, timers, fired, set } = setUp();
  timers.set("first", 1_100, () => timers.cancel("second"));
  set("second", 1_100);
  clock.advance(100);
  expect(fired).toEqual([]);
});

test("fires the other deadlines though one of them throws", () => {
  const { clock, timers, fired, set } = setUp();
  timers.set("broken", 1_100, () => {
    throw new Error("broken");
  });
  set("whole", 1_100);
  expect(() => clock.advance(100)).toThrow("broken");
  clock.advance(0);
  expect(fired).toEqual(["whole"]);
  expect(timers.size).toBe(0);
});

test("deadlines count the time that passes, not what is done to the wall clock", () => {
  const clock = new FakeClock();
  const timers = new TimerQueue(clock);
  const fired: string[] = [];
  timers.set("before", clock.now() + 1_000, () => fired.push("before"));
  clock.jumpTo(clock.now() - 86_400_000);
  timers.set("after", clock.now() + 2_000, () => fired.push("after"));
  clock.advance(999);
  expect(fired).toEqual([]);
  clock.advance(1);
  expect(fired).toEqual(["before"]);
  clock.jumpTo(clock.now() + 86_400_000);
  clock.advance(999);
  expect(fired).toEqual(["before"]);
  clock.advance(1);
  expect(fired).toEqual(["before", "after"]);
});
