/** When a printer's number says that it has printed what nobody here knows. */

import { describe, expect, test } from "bun:test";
import { roundOf } from "#core/device/numbering.ts";
import {
  dayKnown,
  type EndedCommand,
  moveOf,
  receiptItself,
  unknownDocuments,
} from "./unknown-documents.ts";

const NOTHING = { numbers: 0, receipts: 0, closedDay: false };

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
  const own = { numbers: 2, receipts: 0, closedDay: false };
  const found = unknownDocuments({ known: 7, told, own, countsByDay: false });
  expect(found?.documents).toBe(documents);
});

test.each([
  { when: "ours explains it", receipts: 3, told: 1, documents: undefined },
  { when: "ours does not explain all of it", receipts: 2, told: 1, documents: 3 },
  { when: "it is at the end", receipts: 0, told: 9_999, documents: 1 },
  { when: "it is far from there: a printer that counts anew", receipts: 0, told: 4_000 },
])("a number of receipts that begins anew behind 9999: $when", ({ receipts, told, documents }) => {
  const own = { ...NOTHING, receipts };
  const round = roundOf("vendorF.shtrih");
  const compared = { known: 9_998, told, receipt: told, own, countsByDay: false, round };
  expect(unknownDocuments(compared)?.documents).toBe(documents);
});

test.each([
  { when: "our Z report, and nothing since", told: 0, numbers: 0, closedDay: true },
  { when: "our Z report, and what ours explain", told: 1, numbers: 1, closedDay: true },
  { when: "our Z report, and a document", told: 1, numbers: 0, closedDay: true, documents: 1 },
  {
    when: "somebody else's Z report, and more",
    told: 3,
    numbers: 0,
    closedDay: false,
    documents: 3,
  },
  { when: "the same day", told: 9, numbers: 0, closedDay: false, documents: 2 },
])("a number that begins anew each day: $when", ({ told, numbers, closedDay, documents }) => {
  const own = { numbers, receipts: 0, closedDay };
  const found = unknownDocuments({ known: 7, told, own, countsByDay: true });
  expect(found?.documents).toBe(documents);
});

test.each([
  { when: "is the one known here", told: 4, number: 9, found: { documents: 2 } },
  {
    when: "is behind a Z report that nobody knows",
    told: 5,
    number: 0,
    found: { documents: null },
  },
  { when: "is that, with as many documents", told: 5, number: 7, found: { documents: null } },
  { when: "lies before, as on another printer", told: 3, number: 7, found: undefined },
])("a number of the printer's day, which $when", ({ told, number, found }) => {
  const days = { known: 4, told };
  const compared = { known: 7, told: number, own: NOTHING, countsByDay: true, days };
  expect(unknownDocuments(compared)).toEqual(found);
});

test.each([
  { when: "is ours, and papers follow it", receipt: 7, told: 12, receipts: 0 },
  {
    when: "only other papers of ours would explain",
    receipt: 9,
    told: 9,
    receipts: 0,
    documents: 2,
  },
  { when: "may be one of ours in doubt", receipt: 8, told: 9, receipts: 1 },
  { when: "is above all of ours in doubt", receipt: 9, told: 9, receipts: 1, documents: 2 },
])("a number of the last receipt itself, which $when", ({ receipt, told, receipts, documents }) => {
  const own = { numbers: 2, receipts, closedDay: false };
  const found = unknownDocuments({ known: 7, told, receipt, own, countsByDay: false });
  expect(found?.documents).toBe(documents);
});

const FAILED = { success: false, errorCode: "E306" } as const;
const NOT_PRINTED = { ...FAILED, data: { outcome: "not_printed" } };
const UNKNOWN = { ...FAILED, data: { outcome: "unknown" } };
const ISL = "vendorA.isl";
const ZFP = "vendorE.zfp";
const SHTRIH = "vendorF.shtrih";
const CUSTOM = "custom.serial";
/** Closes over nothing what it cancels. */
const CLOSING = "vendorD.isl";

/** A sale on a controller of ours, unless said otherwise. */
function ended(command: Partial<EndedCommand>): EndedCommand {
  return { type: "print_receipt", mark: null, controllerId: "builtin", result: null, ...command };
}

const SENT = { mark: "committing" } as const;
const DONE = { ...SENT, result: { success: true } } as const;
/** Numbers, and whether a receipt may be among them. */
const [NONE, PAPER, RECEIPT] = [
  [0, false],
  [1, false],
  [1, true],
] as const;

const PRINTED = { seq: 1, id: "cmd_1", processingAt: 0, finishedAt: 0, finishedOrder: 1 } as const;

describe("the day of a printer that numbers anew each day", () => {
  const Z = { type: "z_report", result: { success: true, data: { reportNumber: 6 } } } as const;
  const DOUBTED_Z = { type: "z_report", result: UNKNOWN, mark: "committing" } as const;
  const RAW = { type: "raw_command", result: { success: true } } as const;
  test.each<[what: string, Partial<EndedCommand>[], number | undefined]>([
    ["is that of the last document", [], 5],
    ["is the next one behind our Z report", [Z], 7],
    ["is not known behind one in doubt", [DOUBTED_Z, Z], undefined],
    ["is not known behind what may have been one", [RAW, Z], undefined],
    ["is known by what came behind that", [Z, RAW], 7],
  ])("%s", (...[, commands, day]) => {
    const behind = commands.map((command) => ({ ...PRINTED, ...ended(command) }));
    expect(dayKnown(behind, 5, CUSTOM)).toBe(day as number);
  });
});

describe("a command explains", () => {
  test.each<[what: string, Partial<EndedCommand>, Record<string, readonly [number, boolean]>]>([
    [
      "nothing that failed before anything was sent",
      { result: NOT_PRINTED },
      { [ISL]: NONE, [ZFP]: NONE, [SHTRIH]: NONE, [CUSTOM]: NONE, [CLOSING]: NONE },
    ],
    [
      "of a sale that was cancelled the number that it may have",
      { ...SENT, result: NOT_PRINTED },
      { [ISL]: PAPER, [ZFP]: PAPER, [SHTRIH]: NONE, [CUSTOM]: PAPER, [CLOSING]: RECEIPT },
    ],
    [
      "a receipt by a sale of which nobody knows",
      { ...SENT, result: UNKNOWN },
      { [ISL]: RECEIPT, [ZFP]: RECEIPT, [SHTRIH]: RECEIPT, [CUSTOM]: RECEIPT },
    ],
    [
      "a receipt by a sale of which nobody knows in a state that was put back",
      { result: UNKNOWN },
      { [ISL]: RECEIPT, [ZFP]: RECEIPT, [SHTRIH]: RECEIPT, [CUSTOM]: RECEIPT },
    ],
    [
      "a receipt by what a person says was printed",
      { ...SENT, result: UNKNOWN, said: "printed" },
      { [ISL]: RECEIPT, [ZFP]: RECEIPT, [SHTRIH]: RECEIPT, [CUSTOM]: RECEIPT },
    ],
    [
      "no receipt by what a person says was not printed",
      { ...SENT, result: UNKNOWN, said: "not_printed" },
      { [ISL]: PAPER, [ZFP]: PAPER, [SHTRIH]: NONE, [CUSTOM]: PAPER },
    ],
    [
      "a receipt by one without its number",
      DONE,
      { [ISL]: RECEIPT, [ZFP]: RECEIPT, [SHTRIH]: RECEIPT, [CUSTOM]: RECEIPT },
    ],
    [
      "a receipt by a storno, but where sales are counted alone",
      { ...DONE, type: "print_reversal_receipt" },
      { [ISL]: RECEIPT, [ZFP]: RECEIPT, [SHTRIH]: NONE, [CUSTOM]: RECEIPT },
    ],
    [
      "a paper by a report, but where documents are counted alone",
      { ...DONE, type: "x_report" },
      { [ISL]: PAPER, [ZFP]: PAPER, [SHTRIH]: NONE, [CUSTOM]: NONE, [CLOSING]: PAPER },
    ],
    [
      "a paper by a slip that failed",
      { ...SENT, type: "non_fiscal_receipt", result: FAILED },
      { [ISL]: PAPER, [ZFP]: PAPER, [SHTRIH]: NONE, [CUSTOM]: NONE },
    ],
    [
      "nothing by a slip that failed before anything was sent",
      { type: "non_fiscal_receipt", result: FAILED },
      { [ISL]: NONE, [ZFP]: NONE, [SHTRIH]: NONE, [CUSTOM]: NONE },
    ],
    [
      "a paper by a slip that another controller may have printed without a mark",
      { type: "non_fiscal_receipt", controllerId: "tablet", result: FAILED },
      { [ISL]: PAPER, [ZFP]: PAPER, [SHTRIH]: NONE, [CUSTOM]: NONE },
    ],
    [
      "whatever a command of a maker's own may be",
      { ...SENT, type: "raw_command", result: FAILED },
      { [ISL]: RECEIPT, [ZFP]: RECEIPT, [SHTRIH]: RECEIPT, [CUSTOM]: RECEIPT },
    ],
  ])("%s", (_, command, expected) => {
    const moves = Object.keys(expected).map((driver) => {
      const { numbers, isReceipt } = moveOf(ended(command), driver);
      return [driver, [numbers, isReceipt]];
    });
    expect(Object.fromEntries(moves)).toEqual(expected);
  });
});

test.each([
  ["beside that of the last paper", ISL, { receiptNumber: "7", lastDocumentNumber: "9" }, 7],
  ["not told beside it", ISL, { receiptNumber: null, lastDocumentNumber: "9" }, undefined],
  ["alone, by an older controller", ISL, { receiptNumber: "7" }, undefined],
  ["with its time", ZFP, { receiptNumber: "7", receiptDateTime: "2026-01-02T10:00:00Z" }, 7],
  ["as a count alone", ZFP, { receiptNumber: "7", receiptDateTime: null }, undefined],
  ["of sales", SHTRIH, { receiptNumber: "7", receiptDateTime: null }, 7],
  ["of documents, cancelled ones among them", CUSTOM, { receiptNumber: "7" }, undefined],
])("the number of the last receipt %s, on %s", (...[, driver, told, expected]) => {
  expect(receiptItself(told, driver)).toBe(expected as number);
});
