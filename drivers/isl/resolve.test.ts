import { describe, expect, test } from "bun:test";
import { isOursOpen, type Reading } from "./receipts.ts";
import { type DocumentEvidence, judge } from "./resolve.ts";

const EXPECTED = { items: 3, amountMinor: 1_000, paidMinor: 1_000 };
/** As it is registered, line by line. */
const PLANNED = {
  lines: [
    { after: { items: 1, amountMinor: 300, paidMinor: 0 } },
    { after: { items: 2, amountMinor: 600, paidMinor: 0 } },
    { after: { items: 3, amountMinor: 1_000, paidMinor: 0 } },
  ],
  paid: EXPECTED,
};
const WHOLE = { open: false, number: 27, ...EXPECTED, isCancelledInJournal: false };
const UNTOUCHED = { ...WHOLE, number: 26, items: 1, amountMinor: 500, paidMinor: 500 };
const CANCELLED = { ...WHOLE, paidMinor: 0 };
/** As a device tells of a receipt that it has forgotten with its power. */
const FORGOTTEN = { ...WHOLE, items: 0, amountMinor: 0, paidMinor: 0 };
const TOLD_NUMBER = { number: 26, ownNumber: 27, whileOpen: null };
/** As on devices that do not tell the number of a document when it is opened. */
const UNTOLD_NUMBER = { number: 26, ownNumber: null, whileOpen: null };

type Row = readonly [string, DocumentEvidence, Reading, string];

const ROWS: readonly Row[] = [
  ["nothing was opened", { mark: "baseline", ...UNTOLD_NUMBER }, UNTOUCHED, "not_printed"],
  ["nothing was left behind", { mark: "opened", ...TOLD_NUMBER }, UNTOUCHED, "not_printed"],
  ["nothing was left behind", { mark: "committing", ...TOLD_NUMBER }, UNTOUCHED, "not_printed"],
  [
    "it stands open",
    { mark: "baseline", ...UNTOLD_NUMBER },
    { ...CANCELLED, open: true },
    "stands_open",
  ],
  [
    "somebody's stands open, and holds a payment",
    { mark: "baseline", ...UNTOLD_NUMBER },
    { ...WHOLE, open: true },
    "not_printed",
  ],
  [
    "another one stands open in its place",
    { mark: "committing", ...TOLD_NUMBER },
    { ...WHOLE, number: 28, open: true },
    "unknown",
  ],
  [
    "it stands open",
    { mark: "opened", ...TOLD_NUMBER },
    { ...CANCELLED, open: true },
    "stands_open",
  ],
  [
    "it stands open",
    { mark: "committing", ...TOLD_NUMBER },
    { ...WHOLE, open: true },
    "stands_open",
  ],
  // Before its first line it cannot have become a receipt, whatever somebody printed since.
  ["somebody else printed", { mark: "baseline", ...UNTOLD_NUMBER }, WHOLE, "not_printed"],
  [
    "others printed",
    { mark: "baseline", ...UNTOLD_NUMBER },
    { ...WHOLE, number: 29 },
    "not_printed",
  ],
  // The process ended, and with it whatever it had not stored.
  [
    "somebody else printed",
    { mark: "baseline", mayBeFurther: true, ...UNTOLD_NUMBER },
    WHOLE,
    "unknown",
  ],
  [
    "it was cancelled",
    { mark: "baseline", mayBeFurther: true, ...UNTOLD_NUMBER },
    CANCELLED,
    "not_printed",
  ],
  ["it was cancelled", { mark: "opened", ...TOLD_NUMBER }, CANCELLED, "not_printed"],
  ["it was cancelled", { mark: "committing", ...TOLD_NUMBER }, CANCELLED, "not_printed"],
  ["it was cancelled", { mark: "committing", ...UNTOLD_NUMBER }, CANCELLED, "not_printed"],
  ["it was forgotten", { mark: "opened", ...TOLD_NUMBER }, FORGOTTEN, "not_printed"],
  ["it was forgotten", { mark: "committing", ...TOLD_NUMBER }, FORGOTTEN, "unknown"],
  ["it was forgotten", { mark: "committing", ...UNTOLD_NUMBER }, FORGOTTEN, "unknown"],
  [
    "it was forgotten, with its number",
    { mark: "committing", ...TOLD_NUMBER, number: 0 },
    { ...FORGOTTEN, number: 0 },
    "unknown",
  ],
  [
    "it was to be the device's first, which has none",
    { mark: "committing", number: 0, ownNumber: 1, whileOpen: null },
    { ...FORGOTTEN, number: 0 },
    "not_printed",
  ],
  [
    "it was to be the first of a device that counts them apart",
    { mark: "committing", ...UNTOLD_NUMBER, number: 0 },
    { ...FORGOTTEN, number: 0 },
    "not_printed",
  ],
  [
    "it was forgotten, and the journal has it as cancelled",
    { mark: "committing", ...TOLD_NUMBER },
    { ...FORGOTTEN, isCancelledInJournal: true },
    "not_printed",
  ],
  [
    "it was forgotten, and cancelled right before",
    { mark: "committing", isCancelled: true, ...TOLD_NUMBER },
    FORGOTTEN,
    "not_printed",
  ],
  ["it is whole", { mark: "committing", ...TOLD_NUMBER }, WHOLE, "printed"],
  ["it is whole", { mark: "committing", ...UNTOLD_NUMBER }, WHOLE, "printed"],
  ["somebody finished it", { mark: "opened", ...TOLD_NUMBER }, WHOLE, "printed"],
  [
    "more was paid",
    { mark: "committing", ...TOLD_NUMBER },
    { ...WHOLE, paidMinor: 2_000 },
    "printed",
  ],
  ["a line is missing", { mark: "committing", ...TOLD_NUMBER }, { ...WHOLE, items: 2 }, "unknown"],
  ["a line is doubled", { mark: "committing", ...TOLD_NUMBER }, { ...WHOLE, items: 4 }, "unknown"],
  [
    "the sum differs",
    { mark: "committing", ...TOLD_NUMBER },
    { ...WHOLE, amountMinor: 999, paidMinor: 999 },
    "unknown",
  ],
  ["others printed since", { mark: "opened", ...TOLD_NUMBER }, { ...WHOLE, number: 28 }, "unknown"],
  [
    "others printed since",
    { mark: "opened", ...UNTOLD_NUMBER },
    { ...WHOLE, number: 28 },
    "unknown",
  ],
  [
    "somebody finished part of it",
    { mark: "opened", ...TOLD_NUMBER },
    { ...WHOLE, items: 1, amountMinor: 300 },
    "unknown",
  ],
  [
    "others printed since",
    { mark: "committing", ...TOLD_NUMBER },
    { ...WHOLE, number: 28 },
    "unknown",
  ],
  [
    "others printed since",
    { mark: "committing", ...UNTOLD_NUMBER },
    { ...WHOLE, number: 28 },
    "unknown",
  ],
  [
    "others printed since, and the journal has it as cancelled",
    { mark: "committing", ...TOLD_NUMBER },
    { ...WHOLE, number: 29, open: true, isCancelledInJournal: true },
    "not_printed",
  ],
  [
    "the counter went back",
    { mark: "committing", ...TOLD_NUMBER },
    { ...WHOLE, number: 3 },
    "unknown",
  ],
  ["it was confirmed", { mark: "committed", ...TOLD_NUMBER }, { ...WHOLE, number: 31 }, "printed"],
  [
    "it was confirmed",
    { mark: "committed", ...UNTOLD_NUMBER },
    { ...WHOLE, open: true },
    "printed",
  ],
];

describe("a document in doubt", () => {
  for (const [what, evidence, reading, verdict] of ROWS) {
    const told = evidence.ownNumber === null ? "" : " and its number known";
    test(`marked ${evidence.mark}${told}: ${what}: ${verdict}`, () => {
      expect<string>(judge(evidence, PLANNED, reading).kind).toBe(verdict);
    });
  }

  test("is known by its own number, or by the next one while nobody else has printed", () => {
    const committed = { mark: "committed", number: 26 } as const;
    const told = (ownNumber: number | null, number = 27) =>
      judge({ ...committed, ownNumber, whileOpen: null }, PLANNED, { ...WHOLE, number });
    expect(told(30)).toMatchObject({ number: 30 });
    expect(told(null)).toMatchObject({ number: 27 });
    expect(told(null, 28)).toMatchObject({ kind: "printed", number: null });
  });
});

describe("what stands open under a number of ours that nothing else proves", () => {
  const judged = (
    mark: "baseline" | "opened" | "committing",
    sums: readonly [items: number, amountMinor: number, paidMinor?: number],
    number: number,
  ) => {
    const [items, amountMinor, paidMinor = 0] = sums;
    const reading = { ...CANCELLED, open: true, number, items, amountMinor, paidMinor };
    const evidence = { mark, mayBeFurther: true, ...UNTOLD_NUMBER };
    return judge(evidence, PLANNED, reading);
  };
  const ours = { kind: "stands_open" };
  const theirs = { kind: "unknown" };
  for (const number of [26, 27]) {
    test.each([
      ["opened", [0, 0], ours],
      ["opened", [1, 300], ours],
      ["opened", [3, 1_000], ours],
      ["opened", [1, 777], theirs],
      ["opened", [1, 300, 300], theirs],
      ["committing", [3, 1_000], ours],
      ["committing", [2, 600], ours],
      ["committing", [3, 1_000, 400], ours],
      ["committing", [1, 300], theirs],
      ["committing", [0, 0], theirs],
      ["committing", [3, 999], theirs],
      ["committing", [2, 600, 600], theirs],
      ["baseline", [1, 300], ours],
      // It is put away in any case, because the next document could not begin beside it.
      ["baseline", [1, 777], ours],
    ] as const)(`marked %s: %j under number ${number}: %j`, (mark, sums, verdict) => {
      expect(judged(mark, sums, number)).toMatchObject(verdict);
    });
  }

  test.each([
    [26, "not_printed"],
    [27, "unknown"],
  ] as const)(
    "proves nothing of ours once it is cancelled, but with number %i: %s",
    (number, kind) => {
      const evidence = { mark: "baseline", mayBeFurther: true, ...UNTOLD_NUMBER } as const;
      const told = { ...evidence, hasEndedTheirs: true };
      expect(judge(told, PLANNED, { ...CANCELLED, number })).toMatchObject({ kind });
    },
  );

  test("is told by its sums, where these are not ours", () => {
    expect(judged("opened", [1, 777], 27)).toMatchObject({ doubt: { code: "other_sums" } });
  });
});

describe("a receipt that is open", () => {
  test.each([
    // Whether the device counts when it opens or closes is not known.
    [UNTOLD_NUMBER, [26, 27]],
    [{ ...UNTOLD_NUMBER, whileOpen: 26 }, [26]],
    [{ ...UNTOLD_NUMBER, whileOpen: 27 }, [27]],
    [TOLD_NUMBER, [27]],
  ])("of %j is ours with number %j", (own, numbers) => {
    const ours = [25, 26, 27, 28].filter((number) => isOursOpen(own, { open: true, number }));
    expect(ours).toEqual(numbers);
    expect(isOursOpen(own, { open: false, number: 27 })).toBe(false);
  });
});
