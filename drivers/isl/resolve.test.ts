import { describe, expect, test } from "bun:test";
import type { CurrentReceipt } from "./receipts.ts";
import { type DocumentEvidence, judge } from "./resolve.ts";

const EXPECTED = { items: 3, amountMinor: 1_000, paidMinor: 1_000 };
const WHOLE = { open: false, number: 27, ...EXPECTED };
const UNTOUCHED = { open: false, number: 26, items: 1, amountMinor: 500, paidMinor: 500 };
const CANCELLED = { ...WHOLE, paidMinor: 0 };
const SLIP = { number: 26, slip: 27 };
/** As on devices that do not tell the number of a document when it is opened. */
const NO_SLIP = { number: 26, slip: null };

type Row = readonly [string, DocumentEvidence, CurrentReceipt, string];

const ROWS: readonly Row[] = [
  ["nothing was opened", { mark: "baseline", ...NO_SLIP }, UNTOUCHED, "not_printed"],
  ["nothing was left behind", { mark: "opened", ...SLIP }, UNTOUCHED, "not_printed"],
  ["nothing was left behind", { mark: "committing", ...SLIP }, UNTOUCHED, "not_printed"],
  ["it stands open", { mark: "baseline", ...NO_SLIP }, { ...WHOLE, open: true }, "stands_open"],
  ["it stands open", { mark: "opened", ...SLIP }, { ...CANCELLED, open: true }, "stands_open"],
  ["it stands open", { mark: "committing", ...SLIP }, { ...WHOLE, open: true }, "stands_open"],
  // Before its first line it cannot have become a receipt, whatever somebody printed since.
  ["somebody else printed", { mark: "baseline", ...NO_SLIP }, WHOLE, "not_printed"],
  ["others printed", { mark: "baseline", ...NO_SLIP }, { ...WHOLE, number: 29 }, "not_printed"],
  ["it was cancelled", { mark: "opened", ...SLIP }, CANCELLED, "not_printed"],
  ["it was cancelled", { mark: "committing", ...SLIP }, CANCELLED, "not_printed"],
  ["it was cancelled", { mark: "committing", ...NO_SLIP }, CANCELLED, "not_printed"],
  ["it is whole", { mark: "committing", ...SLIP }, WHOLE, "printed"],
  ["it is whole", { mark: "committing", ...NO_SLIP }, WHOLE, "printed"],
  ["somebody finished it", { mark: "opened", ...SLIP }, WHOLE, "printed"],
  ["more was paid", { mark: "committing", ...SLIP }, { ...WHOLE, paidMinor: 2_000 }, "printed"],
  ["a line is missing", { mark: "committing", ...SLIP }, { ...WHOLE, items: 2 }, "unknown"],
  ["a line is doubled", { mark: "committing", ...SLIP }, { ...WHOLE, items: 4 }, "unknown"],
  [
    "the sum differs",
    { mark: "committing", ...SLIP },
    { ...WHOLE, amountMinor: 999, paidMinor: 999 },
    "unknown",
  ],
  ["others printed since", { mark: "opened", ...SLIP }, { ...WHOLE, number: 28 }, "unknown"],
  ["others printed since", { mark: "committing", ...SLIP }, { ...WHOLE, number: 28 }, "unknown"],
  ["others printed since", { mark: "committing", ...NO_SLIP }, { ...WHOLE, number: 28 }, "unknown"],
  ["the counter went back", { mark: "committing", ...SLIP }, { ...WHOLE, number: 3 }, "unknown"],
  ["it was confirmed", { mark: "committed", ...SLIP }, { ...WHOLE, number: 31 }, "printed"],
  ["it was confirmed", { mark: "committed", ...NO_SLIP }, { ...WHOLE, open: true }, "printed"],
];

describe("a document in doubt", () => {
  for (const [what, evidence, reading, verdict] of ROWS) {
    const slip = evidence.slip === null ? "" : " and its number known";
    test(`marked ${evidence.mark}${slip}: ${what}: ${verdict}`, () => {
      expect<string>(judge(evidence, EXPECTED, reading).kind).toBe(verdict);
    });
  }

  test("is known by its own number, or by the next one", () => {
    const committed = { mark: "committed", number: 26 } as const;
    expect(judge({ ...committed, slip: 30 }, EXPECTED, WHOLE)).toMatchObject({ number: 30 });
    expect(judge({ ...committed, slip: null }, EXPECTED, WHOLE)).toMatchObject({ number: 27 });
  });
});
