import { describe, expect, test } from "bun:test";
import { FakeClock } from "../platform/clock.ts";
import { countedAddress, forwardedAddress, UNKNOWN_ADDRESS } from "./client-address.ts";
import { RateLimiter } from "./rate-limiter.ts";

describe("a rate limiter", () => {
  test("allows exactly its limit in a window and says when the next one begins", () => {
    const clock = new FakeClock();
    const limiter = new RateLimiter({ limit: 2, windowSeconds: 10, clock });
    expect(limiter.peek("a")).toEqual({
      limit: 2,
      remaining: 2,
      resetSeconds: 10,
      isAllowed: true,
    });
    expect([limiter.take("a").isAllowed, limiter.take("a").remaining]).toEqual([true, 0]);
    clock.advance(9_999);
    expect(limiter.take("a")).toMatchObject({ isAllowed: false, remaining: 0, resetSeconds: 1 });
    expect(limiter.take("b").isAllowed).toBe(true);
    clock.advance(1);
    expect(limiter.take("a")).toMatchObject({ isAllowed: true, remaining: 1, resetSeconds: 10 });
  });

  test("does not prolong a window by what it refuses", () => {
    const clock = new FakeClock();
    const limiter = new RateLimiter({ limit: 1, windowSeconds: 10, clock });
    for (let second = 0; second < 10; second++) {
      limiter.take("a");
      clock.advance(1_000);
    }
    expect(limiter.take("a").isAllowed).toBe(true);
  });

  test.each([-86_400_000, -5_000, 5_000, 86_400_000])(
    "keeps to its window when the wall clock is set by %d ms",
    (step) => {
      const clock = new FakeClock();
      const limiter = new RateLimiter({ limit: 1, windowSeconds: 10, clock });
      limiter.take("a");
      clock.advance(8_000);
      clock.jumpTo(clock.now() + step);
      expect(limiter.take("a")).toMatchObject({ isAllowed: false, resetSeconds: 2 });
      clock.advance(2_000);
      expect(limiter.take("a")).toMatchObject({ isAllowed: true, resetSeconds: 10 });
    },
  );

  test("remembers a bounded number of clients and forgets the oldest window first", () => {
    const clock = new FakeClock();
    const limiter = new RateLimiter({ limit: 1, windowSeconds: 10, clock, clientsMax: 3 });
    for (const client of ["a", "b", "c", "d"]) limiter.take(client);
    expect(limiter.size).toBe(3);
    expect(limiter.take("b").isAllowed).toBe(false);
    expect(limiter.take("a").isAllowed).toBe(true);
    for (let i = 0; i < 1_000; i++) limiter.take(`client ${i}`);
    expect(limiter.size).toBe(3);
  });
});

describe("the address that is counted", () => {
  test.each([
    ["10.1.2.3", "10.1.2.3"],
    ["::ffff:10.1.2.3", "10.1.2.3"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
    ["2001:db8::", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["64:ff9b::192.0.2.33", "64:ff9b:0:0::/64"],
    ["::1:2:3:4:5.6.7.8", "0:0:1:2::/64"],
    ["no address", UNKNOWN_ADDRESS],
    [undefined, UNKNOWN_ADDRESS],
  ])("of %p is %p", (address, counted) => {
    expect(countedAddress(address)).toBe(counted);
  });

  test.each([
    ["203.0.113.7", "203.0.113.7"],
    ["1.2.3.4, 203.0.113.7", "203.0.113.7"],
    ["203.0.113.7:4711", "203.0.113.7"],
    ["[2001:db8::1]:4711", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["2001:db8::1", "2001:db8::1"],
    ["", undefined],
  ])("behind a proxy that sent %p is %p", (header, address) => {
    expect(forwardedAddress(new Headers({ "x-forwarded-for": header }))).toBe(address);
  });
});
