/** The rule that judges a document in doubt. */

import { expect, test } from "bun:test";
import { judge } from "./resolve.ts";

const TOTAL = 925;
const BY_CASH = { totalMinor: TOTAL, amounts: [TOTAL, 0, 0, 0] };
const BEFORE = { document: 41, receipt: 7, cancelled: 2, taken: [5_000, 0, null, 70] };
const SAME = { ...BEFORE, open: false };
const DONE = {
  open: false,
  document: 42,
  receipt: 8,
  cancelled: 2,
  taken: [5_000 + TOTAL, 0, null, 70],
};

function verdict(mark: "baseline" | "opened" | "committing" | "committed", now: typeof SAME) {
  return judge({ mark, before: BEFORE, wasOpen: mark !== "baseline" }, BY_CASH, now).kind;
}

test("what stands open is cancelled, whatever was stored but the end", () => {
  const open = { ...SAME, open: true };
  expect(verdict("baseline", open)).toBe("stands_open");
  expect(verdict("committing", open)).toBe("stands_open");
  expect(verdict("committed", open)).toBe("printed");
});

test("before its first line nothing can be printed, whatever others printed since", () => {
  const others = { ...DONE, document: 43, cancelled: 3 };
  expect(verdict("baseline", DONE)).toBe("not_printed");
  expect(verdict("opened", others)).toBe("unknown");
  // Nothing was cancelled, and ours was open: somebody has finished it.
  expect(verdict("opened", DONE)).toBe("unknown");
  // A model that opens receipts with their first line may have had none open yet, or that one.
  expect(judge({ mark: "opened", before: BEFORE, wasOpen: false }, BY_CASH, DONE).kind).toBe(
    "unknown",
  );
  const restored = {
    mark: "baseline",
    mayBeFurther: true,
    before: BEFORE,
    wasOpen: false,
  } as const;
  expect(judge(restored, BY_CASH, DONE).kind).toBe("unknown");
  expect(judge(restored, BY_CASH, SAME).kind).toBe("not_printed");
});

test("is known by its number while nobody else has printed", () => {
  const told = (now: typeof SAME) =>
    judge({ mark: "committed", before: BEFORE, wasOpen: true }, BY_CASH, now);
  expect(told(DONE)).toEqual({ kind: "printed", document: 42 });
  expect(told({ ...DONE, document: 43 })).toEqual({ kind: "printed", document: null });
});

test("the counters tell whether the closing frame was carried out", () => {
  expect(verdict("committing", DONE)).toBe("printed");
  expect(verdict("committing", SAME)).toBe("not_printed");
  expect(verdict("committing", { ...SAME, document: 42, cancelled: 3 })).toBe("not_printed");
});

test("what was taken tells whether it was finished as it was sent", () => {
  const told = (...taken: (number | null)[]) => verdict("committing", { ...DONE, taken });
  expect(told(5_000 + TOTAL - 200, 0, null, 70)).toBe("unknown");
  expect(told(...BEFORE.taken)).toBe("unknown");
  // Others have added to it, or paid it, by another tender.
  expect(told(5_000 + TOTAL, 200, null, 70)).toBe("unknown");
  expect(told(5_000, 0, null, 70 + TOTAL)).toBe("unknown");
  expect(told(null, 0, null, 70)).toBe("unknown");
  // What was told before and is not now may have been paid by.
  expect(told(5_000 + TOTAL, null, null, 70)).toBe("unknown");
});

test("counters that others have moved as well tell nothing", () => {
  expect(verdict("committing", { ...DONE, document: 43 })).toBe("unknown");
  expect(verdict("committing", { ...DONE, receipt: 9 })).toBe("unknown");
  expect(verdict("committing", { ...DONE, cancelled: 3 })).toBe("unknown");
});

test("counters that begin anew are followed", () => {
  const before = { document: 9_999, receipt: 9_999, cancelled: 0, taken: [0, 0, 0, 0] };
  const now = { open: false, document: 0, receipt: 1, cancelled: 0, taken: [TOTAL, 0, 0, 0] };
  const evidence = { mark: "committing", before, wasOpen: true } as const;
  expect(judge(evidence, BY_CASH, now)).toEqual({ kind: "printed", document: 0 });
});
