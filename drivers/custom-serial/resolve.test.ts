/** The rule by which a document in doubt is judged. */

import { describe, expect, test } from "bun:test";
import type { LastDocument } from "./receipts.ts";
import { type Deed, type DocumentEvidence, judge, type Reading } from "./resolve.ts";

const TOTAL = 900;
const OURS = { items: 2, amountMinor: TOTAL, paidMinor: TOTAL };
const BEFORE: DocumentEvidence = {
  mark: "committing",
  number: 6,
  trace: "6 old",
  zNumber: 3,
  paid: true,
};

const last = (over: Partial<LastDocument> = {}): LastDocument => ({
  number: 7,
  totalMinor: TOTAL,
  cancelled: false,
  issuedAt: null,
  trace: "7 new",
  isBehind: false,
  ...over,
});
/** The minute of the device's last document. */
const CLOSED_AT = Date.UTC(2024, 2, 15, 12, 5);
const UNTOUCHED = last({ number: 6, trace: "6 old", issuedAt: CLOSED_AT });
/** As a device says it that tells neither totals nor cancellations. */
const TACIT = { totalMinor: null, cancelled: null };

function kindOf(mark: DocumentEvidence["mark"], reading: Partial<Reading>): string {
  const whole = {
    isBusy: false,
    isUncut: false,
    last: last(),
    zNumber: 3,
    deed: undefined,
    ...reading,
  };
  return judge({ ...BEFORE, mark, paid: mark === "committing" }, OURS, whole).kind;
}

describe("a document in doubt", () => {
  test("is unknown on a device that tells neither before nor now which Z report was the last", () => {
    const reading = {
      isBusy: false,
      isUncut: false,
      last: UNTOUCHED,
      zNumber: null,
      deed: undefined,
    };
    expect(judge({ ...BEFORE, zNumber: null }, OURS, reading).kind).toBe("unknown");
  });

  test.each([
    ["committed", { isBusy: true }, "stands_open"],
    ["committed", { last: last({ number: 9 }) }, "printed"],
    ["committed", { last: undefined }, "printed"],
    ["baseline", { isBusy: true }, "stands_open"],
    ["baseline", {}, "not_printed"],
    ["baseline", { last: undefined }, "not_printed"],
    ["opened", { last: UNTOUCHED }, "not_printed"],
    // Of another day, as its time to the minute does not tell.
    ["committing", { last: UNTOUCHED, zNumber: 4 }, "unknown"],
    ["committing", { last: { ...UNTOUCHED, issuedAt: null } }, "not_printed"],
    // Within a minute, one of another day may look the same.
    ["committing", { last: UNTOUCHED, zNumber: 4 }, "unknown"],
    ["committing", { last: UNTOUCHED, zNumber: null }, "unknown"],
    // It may tell of a receipt only once that is cut off.
    ["committing", { last: UNTOUCHED, isUncut: true }, "unknown"],
    ["committing", {}, "printed"],
    ["committing", { last: last({ number: 1 }) }, "printed"],
    ["committing", { last: last({ totalMinor: 901 }) }, "unknown"],
    ["committing", { last: last({ cancelled: true }) }, "not_printed"],
    ["committing", { last: last({ number: 8 }) }, "unknown"],
    ["committing", { last: last({ number: 8, cancelled: true }) }, "unknown"],
    ["committing", { zNumber: 4 }, "unknown"],
    ["committing", { last: undefined }, "unknown"],
    // Somebody sold the same for the same.
    ["opened", {}, "unknown"],
    ["opened", { last: last({ number: 8 }) }, "unknown"],
    ["opened", { zNumber: 4 }, "unknown"],
    // Nobody has begun another one since; but whether a line of ours had opened it is not known.
    ["opened", { deed: "ejected" }, "unknown"],
    ["opened", { deed: "finished" }, "unknown"],
    ["opened", { last: last({ cancelled: true }) }, "not_printed"],
  ] as const)("with mark %s and %j is judged %s", (mark, reading, expected) => {
    expect(kindOf(mark, reading)).toBe(expected);
  });

  test.each([
    ["committing", undefined, "unknown"],
    ["committing", "ejected", "printed"],
    ["committing", "finished", "printed"],
    // Its number may be that of ours, which others have finished before theirs was cancelled.
    ["committing", "cancelled", "unknown"],
    ["opened", "cancelled", "unknown"],
    ["opened", "ejected", "unknown"],
  ] as const)(
    "on a device that tells no totals, with mark %s and deed %s, is judged %s",
    (mark, deed: Deed | undefined, expected) => {
      expect(kindOf(mark, { last: last(TACIT), deed })).toBe(expected);
    },
  );

  test.each([
    [{ cancelled: true }, "not_printed"],
    // Some give a cancelled one no number.
    [{ number: 6, cancelled: true }, "not_printed"],
    // Another receipt has come since; which one it counts behind it is not told.
    [{ number: 1, isBehind: true }, "unknown"],
    // It tells of a minute alone, in which others printed a slip.
    [{ ...TACIT, number: 6 }, "not_printed"],
    // Others have finished one meanwhile: ours, where what was cancelled was the next.
    [{ cancelled: false }, "unknown"],
    [{ number: 8, cancelled: true }, "unknown"],
    [{ ...TACIT, number: 8 }, "unknown"],
  ] as const)(
    "that was cancelled, as the device then tells of %j, is judged %s",
    (over, expected) => {
      for (const mark of ["opened", "committing"] as const) {
        const evidence = { ...BEFORE, mark, paid: false };
        const deed = "cancelled" as const;
        const reading = { isBusy: false, isUncut: false, last: last(over), zNumber: 3, deed };
        expect(judge(evidence, OURS, reading).kind).toBe(expected);
      }
    },
  );

  test("that was cancelled is not printed where the one before is still told of, and it is counted", () => {
    const evidence = { ...BEFORE, number: 1, trace: "1 old", paid: false };
    const told = last({ number: 1, trace: "1 old 2", isBehind: true });
    const reading = { isBusy: false, isUncut: false, last: told, zNumber: 3 };
    expect(judge(evidence, OURS, { ...reading, deed: "cancelled" }).kind).toBe("not_printed");
  });

  test("may have been cancelled, and its number be another's, until it was paid", () => {
    const reading = { isBusy: false, isUncut: false, last: last(), zNumber: 3, deed: undefined };
    expect(judge({ ...BEFORE, paid: false }, OURS, reading).kind).toBe("unknown");
  });

  test("is not told by a payment that was seen, where what stood there then was cancelled without", () => {
    const reading = { isBusy: false, isUncut: false, last: last(), zNumber: 3 };
    expect(judge(BEFORE, OURS, { ...reading, deed: "cancelled" }).kind).toBe("unknown");
  });

  test("is numbered after 9999 with 1", () => {
    const evidence = { ...BEFORE, number: 9_999 };
    const reading = {
      isBusy: false,
      isUncut: false,
      last: last({ number: 1 }),
      zNumber: 3,
      deed: undefined,
    };
    expect(judge(evidence, OURS, reading).kind).toBe("printed");
  });

  test("is unknown where nothing was told before it", () => {
    const evidence = { ...BEFORE, number: null, trace: null };
    const reading = { isBusy: false, isUncut: false, last: last(), zNumber: 3, deed: undefined };
    expect(judge(evidence, OURS, reading).kind).toBe("unknown");
  });
});
