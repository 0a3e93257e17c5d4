/** When a printer's number says that it has printed what nobody here knows. */

import { expect, test } from "bun:test";
import { numberOf, unknownDocuments } from "./known-documents.ts";

const NOTHING = { numbers: 0, closedDay: false, documents: true };

test.each([
  { when: "it stands still", known: 7, told: 7, documents: undefined },
  { when: "it has gone on", known: 7, told: 10, documents: 3 },
  {
    when: "it is that of another printer, or of a new memory",
    known: 7,
    told: 2,
    documents: undefined,
  },
  { when: "the printer has none", known: 7, told: 0, documents: undefined },
])("a number that is counted through: $when", ({ known, told, documents }) => {
  const found = unknownDocuments({ known, told, own: NOTHING, countsByDay: false });
  expect(found?.documents).toBe(documents);
});

test.each([
  { when: "no more than papers of ours explain", told: 9, documents: undefined },
  { when: "more than papers of ours explain", told: 10, documents: 3 },
])("a number that papers of ours may have moved: $when", ({ told, documents }) => {
  const own = { numbers: 2, closedDay: false, documents: true };
  const found = unknownDocuments({ known: 7, told, own, countsByDay: false });
  expect(found?.documents).toBe(documents);
});

test.each([
  { when: "our Z report, and nothing since", told: 0, closedDay: true, documents: undefined },
  { when: "our Z report, and more than it explains", told: 4, closedDay: true, documents: 4 },
  {
    when: "somebody else's Z report, and documents since",
    told: 3,
    closedDay: false,
    documents: 3,
  },
  { when: "the same day", told: 9, closedDay: false, documents: 2 },
])("a number that begins anew each day: $when", ({ told, closedDay, documents }) => {
  const own = { numbers: closedDay ? 1 : 0, closedDay, documents: true };
  const found = unknownDocuments({ known: 7, told, own, countsByDay: true });
  expect(found?.documents).toBe(documents);
});

test.each([
  {
    when: "the last receipt is ours, and papers follow it",
    receipt: 7,
    told: 12,
    documents: undefined,
  },
  {
    when: "papers of ours would explain a receipt that is none",
    receipt: 9,
    told: 9,
    documents: 2,
  },
])("a number of the receipt itself: $when", ({ receipt, told, documents }) => {
  const own = { numbers: 2, closedDay: false, documents: false };
  const found = unknownDocuments({ known: 7, told, receipt, own, countsByDay: false });
  expect(found?.documents).toBe(documents);
});

test("only digits are a number that can be compared", () => {
  expect(["0012", "12-45", "", null, 12].map(numberOf)).toEqual([
    12,
    ...[undefined, undefined, undefined, undefined],
  ]);
});
