import { describe, expect, test } from "bun:test";
import { FakeClock } from "./clock.ts";
import { createRandom, ID_KINDS } from "./random.ts";

/** Counts up, so that draws are known. */
function countingSource(): (byteCount: number) => Buffer {
  let next = 0;
  return (byteCount) => Buffer.from(Array.from({ length: byteCount }, () => next++ & 0xff));
}

describe("ids", () => {
  test.each([...ID_KINDS])("of kind %s are the kind and 26 base32 characters", (kind) => {
    const random = createRandom(new FakeClock());
    expect(random.id(kind)).toMatch(new RegExp(`^${kind}_[0-9A-HJKMNP-TV-Z]{26}$`));
  });

  test("sort by the order in which they were made", () => {
    const clock = new FakeClock();
    const random = createRandom(clock);
    const ids: string[] = [];
    for (let made = 0; made < 2_000; made++) {
      if (made % 100 === 0) clock.advance(1);
      ids.push(random.id("cmd"));
    }
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("do not go back when the clock is set back", () => {
    const clock = new FakeClock();
    const random = createRandom(clock);
    const before = random.id("rct");
    clock.jumpTo(clock.now() - 3_600_000);
    expect(random.id("rct") > before).toBe(true);
  });

  test("of organizations are 12 lower-case base32 characters without an underscore", () => {
    const random = createRandom(new FakeClock());
    const ids = new Set(Array.from({ length: 500 }, () => random.orgId()));
    expect(ids.size).toBe(500);
    for (const id of ids) expect(id).toMatch(/^[0-9a-hjkmnp-tv-z]{12}$/);
  });
});

describe("secrets", () => {
  test("come as hex or bytes of the length asked for", () => {
    const random = createRandom(new FakeClock());
    expect(random.hex(16)).toMatch(/^[0-9a-f]{32}$/);
    expect(random.hex(16)).not.toBe(random.hex(16));
    expect(random.bytes(32)).toHaveLength(32);
  });
});

describe("random integers", () => {
  test("stay below the bound and reach all of it", () => {
    const random = createRandom(new FakeClock());
    const seen = new Set(Array.from({ length: 500 }, () => random.integer(7)));
    expect([...seen].sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  test("draw again where a remainder would favour low values", () => {
    const draws = [0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x05];
    const random = createRandom(new FakeClock(), () => Buffer.from(draws));
    expect(random.integer(3)).toBe(2);
  });

  test("follow the source of bytes", () => {
    const random = createRandom(new FakeClock(), countingSource());
    expect(random.integer(2 ** 32)).toBe(0x00010203);
  });

  test.each([0, -1, 1.5, 2 ** 32 + 1])("refuse a bound of %p", (bound) => {
    expect(() => createRandom(new FakeClock()).integer(bound)).toThrow(RangeError);
  });
});
