/**
 * Commands that search the journal, and read and print what is in it.
 * Sources: Datecs FP-700X protocol manual 2.02 (X), DP-25/DP-35 protocol manual 2.04BG (C).
 * Documents as structured data (options 2, 8 and 9 of X, 2, 4 and 5 of C) are not simulated, nor is
 * what command 119 of P does besides that: checking, reading and printing text.
 */

import { formatMinor } from "#core/money.ts";
import { printCopy } from "../../simulator/books/service-rules.ts";
import { dashedClock, parseCompactClock, parseDashedClock } from "./clock-text.ts";
import { type DeviceCommand, type RefusalWords, Refused, refused } from "./device-command.ts";
import { commaFields, type Fields, tabbedFields } from "./fields.ts";
import {
  findDocument,
  type JournalDocument,
  type JournalKind,
  journalOf,
  linesOf,
} from "./journal.ts";
import { ok } from "./long-answer.ts";

/** What documents are on X. */
const X_TYPES: Readonly<Record<JournalKind, number>> = {
  sale: 1,
  z_report: 2,
  invoice: 3,
  service: 4,
  cash_in: 5,
  cash_out: 5,
  storno: 6,
  credit_note: 7,
  cancelled: 8,
  x_report: 9,
};
/** Asks X for receipts of all kinds. */
const X_RECEIPTS = 10;
const X_RECEIPT_KINDS: readonly JournalKind[] = ["sale", "invoice", "storno", "credit_note"];

/** What documents are on C, whose journal holds no cancelled receipts. */
const C_TYPES: Readonly<Partial<Record<JournalKind, number>>> = {
  sale: 1,
  z_report: 2,
  cash_in: 3,
  cash_out: 4,
  x_report: 5,
  service: 6,
  invoice: 7,
  storno: 8,
  credit_note: 9,
};
/** What C is asked for, in numbers other than it answers. */
const C_WANTED: readonly (readonly JournalKind[])[] = [
  [
    "sale",
    "invoice",
    "storno",
    "credit_note",
    "z_report",
    "x_report",
    "cash_in",
    "cash_out",
    "service",
  ],
  ["sale", "invoice", "storno", "credit_note", "z_report"],
  ["z_report"],
  ["cash_in", "cash_out"],
  ["x_report"],
  ["x_report", "cash_in", "cash_out", "service"],
  ["invoice"],
  ["storno"],
  ["credit_note"],
];

const NUMBER = { least: 1, most: 9_999_999 };
/** `F`, with clean status bits. */
const NOTHING: RefusalWords = { data: "F", bits: false };
const Z_REPORT = 2;
const JOURNAL_CARD = "AC536E00";
const JOURNAL_MEGABYTES = 4_000;

type IsWanted = (document: JournalDocument) => boolean;

/** 124 on X: `Start End Type`, each of which may be empty; the first and last number between. */
export function searchLong(command: DeviceCommand): string {
  const fields = tabbedFields(command, { least: 3, most: 3 });
  const [from, to] = [momentOf(fields, 0), momentOf(fields, 1)];
  const isWanted = wantedLong(fields, 2);
  const found = [...journalOf(command)].filter(
    (document) =>
      isWanted(document) && document.at >= (from ?? 0) && document.at <= (to ?? Infinity),
  );
  const numbers = found.map(({ number, zNumber }) => (fields.text(2) === "2" ? zNumber : number));
  if (found.length === 0) throw refused("nothing_found");
  const moments = found.map(({ at }) => at);
  return ok(
    dashedClock(from ?? Math.min(...moments)),
    dashedClock(to ?? Math.max(...moments)),
    Math.min(...numbers),
    Math.max(...numbers),
  );
}

function momentOf(fields: Fields, index: number): number | undefined {
  const text = fields.text(index);
  return text === "" ? undefined : (parseDashedClock(text)?.at ?? fields.fail(index));
}

function wantedLong(fields: Fields, index: number): IsWanted {
  const type =
    fields.text(index) === "" ? 0 : fields.integer(index, { least: 0, most: X_RECEIPTS });
  if (type === 0) return () => true;
  if (type === X_RECEIPTS) return ({ kind }) => X_RECEIPT_KINDS.includes(kind);
  return ({ kind }) => X_TYPES[kind] === type;
}

/** 125 on X: `0` finds a document, `1` reads its text line by line, `3` prints it. */
export function journalLong(command: DeviceCommand): string {
  const fields = tabbedFields(command, { least: 1, most: 3 });
  const option = fields.choice(0, { "0": "find", "1": "read", "3": "print" } as const);
  const { volatile } = command;
  if (option === "read") {
    const line = volatile.journal?.shift();
    if (line === undefined) throw refused("no_more_data");
    return ok(line);
  }
  const found = findDocument(command, fields.integer(1, NUMBER));
  if (!found || !wantedLong(fields, 2)(found)) throw refused("nothing_found");
  const { number, kind, at, zNumber, document } = found;
  const lines = linesOf(command, document);
  if (option === "print") {
    command.carryOut(printCopy(command.memory.context(), lines));
    return ok();
  }
  volatile.journal = lines;
  const type = X_TYPES[kind];
  return ok(number, type === Z_REPORT ? zNumber : number, dashedClock(at), type, zNumber);
}

/** What receipts are on P. */
const P_TYPES: Readonly<Partial<Record<JournalKind, number>>> = {
  sale: 0,
  invoice: 1,
  storno: 2,
  credit_note: 3,
  cancelled: 4,
};
const P_STORNO_REASONS = { "operator-error": 0, refund: 1, "tax-base-reduction": 2 } as const;

/**
 * 119 on P: `Y,First[,Last]` gives the first line of receipts as data, `y` the next one, `F` behind
 * the last. Documents that are no receipts have no such lines; `u` is what a receipt is, `t` its
 * sums, `s` the receipt that a storno takes back, `*,` its end.
 */
export function journalP(command: DeviceCommand): string {
  if (command.text === "y") return command.volatile.journal?.shift() ?? "F";
  const fields = commaFields(command.text, { least: 2, most: 3 });
  fields.choice(0, { Y: "read" } as const);
  const from = fields.integer(1, NUMBER);
  const to = fields.count > 2 ? fields.integer(2, NUMBER) : from;
  const lines: string[] = [];
  for (let number = from; number <= Math.min(to, command.books.documentNumber); number += 1) {
    lines.push(...dataLinesP(command, number));
  }
  command.volatile.journal = lines;
  return lines.shift() ?? "F";
}

function dataLinesP(command: DeviceCommand, number: number): string[] {
  const found = findDocument(command, number);
  const document = found?.document;
  if (!found || (document?.document !== "receipt" && document?.document !== "cancelled")) return [];
  const { record } = document;
  const { uniqueSaleNumber = "", reason } = record;
  const { serialNumber } = command.model.identity;
  const amounts = [record.totalMinor, ...("groups" in record ? record.groups : [])];
  return [
    ["u", serialNumber, P_TYPES[found.kind] ?? 0, number, uniqueSaleNumber].join(","),
    ["t", ...amounts.map(formatMinor)].join(","),
    ...(reason === undefined ? [] : [`s,${P_STORNO_REASONS[reason]},,,,0`]),
    "*,",
  ];
}

/** 124 on C: `D,Type,Begin,End` by date, `Z,Type,First,Last` by Z report, `I` about the journal. */
export function searchC(command: DeviceCommand): string {
  if (command.text === "I") return aboutJournal(command);
  const fields = commaFields(command.text, { least: 4, most: 4 });
  const by = fields.choice(0, { D: "date", Z: "report" } as const);
  const kinds = wantedC(fields, 1);
  const bounds = by === "date" ? datesOf(fields) : reportsOf(fields);
  const numbers: number[] = [];
  for (const { number, kind, at, zNumber } of journalOf(command)) {
    const place = by === "date" ? at : zNumber;
    if (kinds.includes(kind) && place >= bounds.least && place <= bounds.most) numbers.push(number);
  }
  if (numbers.length === 0) throw new Refused({ refused: "nothing_found" }, NOTHING);
  return `P,${Math.min(...numbers)},${Math.max(...numbers)}`;
}

/** `DDMMYY` or `DDMMYYhhmmss`; the end of a day when only the day is given. */
function datesOf(fields: Fields): { least: number; most: number } {
  const read = (index: number, time: string) => {
    const text = fields.text(index);
    const whole = /^\d{6}$/.test(text) ? `${text}${time}` : text;
    if (whole.length !== 12) fields.fail(index);
    return parseCompactClock(whole) ?? fields.fail(index);
  };
  return { least: read(2, "000000"), most: read(3, "235959") };
}

function reportsOf(fields: Fields): { least: number; most: number } {
  const range = { least: 1, most: 1_825 };
  return { least: fields.integer(2, range), most: fields.integer(3, range) };
}

function aboutJournal({ books, memory, model }: DeviceCommand): string {
  const iso = new Date(books.vatSetAt).toISOString();
  const activated = `${iso.slice(8, 10)}.${iso.slice(5, 7)}.${iso.slice(0, 4)} ${iso.slice(11, 19)}`;
  const used = Math.ceil((books.documentNumber / memory.model.documentsMax) * JOURNAL_MEGABYTES);
  return [
    "P",
    1,
    1,
    model.identity.serialNumber,
    1,
    activated,
    JOURNAL_CARD,
    Math.min(1, books.zNumber),
    books.zNumber,
    Math.min(1, books.documentNumber),
    books.documentNumber,
    JOURNAL_MEGABYTES,
    used,
  ].join(",");
}

function wantedC(fields: Fields, index: number): readonly JournalKind[] {
  return C_WANTED[fields.integer(index, { least: 0, most: C_WANTED.length - 1 })] ?? [];
}

/** 125 on C: `0,Number,Type[,To]` finds a document, `1` reads its next line, `3,...` prints it. */
export function journalC(command: DeviceCommand): string {
  const fields = commaFields(command.text, { least: 1, most: 4 });
  const option = fields.integer(0, { least: 0, most: 5 });
  if (option === 1) {
    const line = command.volatile.journal?.shift();
    return line === undefined ? "F" : `P,${line}`;
  }
  // Structured data: the device has none.
  if (option !== 0 && option !== 3) return "F";
  const found = findWantedC(command, fields);
  if (!found) throw new Refused({ refused: "nothing_found" }, NOTHING);
  const { number, kind, at, zNumber, document } = found;
  const lines = linesOf(command, document);
  if (option === 0) command.volatile.journal = lines;
  else command.carryOut(printCopy(command.memory.context(), lines), NOTHING);
  return `P,${number},${dashedClock(at)},${C_TYPES[kind] ?? 0},${zNumber}`;
}

/** The document of that number, or the first of the wanted kind up to `To`. */
function findWantedC(command: DeviceCommand, fields: Fields) {
  const from = fields.integer(1, NUMBER);
  const kinds = wantedC(fields, 2);
  const to = fields.count > 3 ? fields.integer(3, NUMBER) : from;
  for (let number = from; number <= Math.min(to, command.books.documentNumber); number += 1) {
    const found = findDocument(command, number);
    if (found && kinds.includes(found.kind)) return found;
  }
  return undefined;
}
