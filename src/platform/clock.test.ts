import { describe, expect, test } from "bun:test";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { FakeClock, systemClock } from "./clock.ts";

describe("the fake clock", () => {
  test("fires timers in order of time, then of setting", () => {
    const clock = new FakeClock(1_000);
    const fired: string[] = [];
    clock.setTimer(20, () => fired.push(`late at ${clock.now()}`));
    clock.setTimer(10, () => fired.push(`first at ${clock.now()}`));
    clock.setTimer(10, () => fired.push(`second at ${clock.now()}`));
    clock.advance(19);
    expect(fired).toEqual(["first at 1010", "second at 1010"]);
    expect(clock.now()).toBe(1_019);
    clock.advance(1);
    expect(fired.at(-1)).toBe("late at 1020");
    expect(clock.pendingTimers).toBe(0);
  });

  test("fires what a callback sets within the span, and nothing beyond it", () => {
    const clock = new FakeClock(0);
    const fired: number[] = [];
    const tick = (): void => {
      fired.push(clock.now());
      clock.setTimer(10, tick);
    };
    clock.setTimer(10, tick);
    clock.advance(35);
    expect(fired).toEqual([10, 20, 30]);
  });

  test("does not fire a cancelled timer", () => {
    const clock = new FakeClock();
    let isFired = false;
    const cancel = clock.setTimer(5, () => {
      isFired = true;
    });
    cancel();
    cancel();
    clock.advance(100);
    expect(isFired).toBe(false);
  });

  test("lets promises run between timers when asked to", async () => {
    const clock = new FakeClock(0);
    const fired: number[] = [];
    const wait = (ms: number) => new Promise<void>((resolve) => clock.setTimer(ms, resolve));
    const chain = (async () => {
      await wait(10);
      fired.push(clock.now());
      await wait(10);
      fired.push(clock.now());
    })();
    await clock.advanceAsync(20);
    await chain;
    expect(fired).toEqual([10, 20]);
  });

  test("tells how long it is until the next timer", () => {
    const clock = new FakeClock(0);
    expect(clock.nextTimerMs).toBeUndefined();
    clock.setTimer(30, () => {});
    const cancel = clock.setTimer(10, () => {});
    clock.advance(4);
    expect(clock.nextTimerMs).toBe(6);
    cancel();
    expect(clock.nextTimerMs).toBe(26);
    clock.advance(26);
    expect(clock.nextTimerMs).toBeUndefined();
  });

  test("keeps a timer's delay when the wall clock jumps", () => {
    const clock = new FakeClock(0);
    let firedAt = -1;
    clock.setTimer(10, () => {
      firedAt = clock.now();
    });
    clock.jumpTo(1_000);
    clock.advance(9);
    expect(firedAt).toBe(-1);
    clock.advance(1);
    expect(firedAt).toBe(1_010);
  });
});

describe("the system clock", () => {
  test("fires, and does not fire when cancelled", async () => {
    let isCancelledFired = false;
    const cancel = systemClock.setTimer(0, () => {
      isCancelledFired = true;
    });
    cancel();
    await new Promise<void>((resolve) => systemClock.setTimer(1, resolve));
    expect(isCancelledFired).toBe(false);
  });

  test("does not fire a delay beyond the platform's limit at once", async () => {
    let isFired = false;
    const cancel = systemClock.setTimer(2 ** 31 + 5, () => {
      isFired = true;
    });
    await new Promise<void>((resolve) => systemClock.setTimer(5, resolve));
    cancel();
    expect(isFired).toBe(false);
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])("refuses a delay of %p", (ms) => {
    expect(() => systemClock.setTimer(ms, () => {})).toThrow(RangeError);
    expect(() => new FakeClock().setTimer(ms, () => {})).toThrow(RangeError);
  });
});

test("what came while the process stood still is taken before the timers that became due", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const accepted = once(server, "connection") as Promise<[Socket]>;
  const line = connect((server.address() as AddressInfo).port, "127.0.0.1");
  await once(line, "connect");
  const [device] = await accepted;
  let isHeard = false;
  line.on("data", () => {
    isHeard = true;
  });
  const heard: boolean[] = [];
  for (let time = 0; time < 20; time += 1) {
    isHeard = false;
    await new Promise<void>((resolve) => {
      systemClock.setTimer(1, () => {
        heard.push(isHeard);
        resolve();
      });
      device.write("answer");
      const begun = performance.now();
      while (performance.now() - begun < 5);
    });
  }
  expect(new Set(heard)).toEqual(new Set([true]));
  line.destroy();
  device.destroy();
  server.close();
});
