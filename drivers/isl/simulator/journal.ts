/** What a device can read back of documents it printed. */

import type { Books, PrintedDocument } from "../../simulator/books/books.ts";
import type { ReceiptRecord } from "../../simulator/books/receipt.ts";
import { renderDocument } from "../../simulator/paper/layout.ts";
import type { DeviceCommand } from "./device-command.ts";

/** Receipts looked through backwards for the last one of a kind. */
const SEARCHED_MAX = 1_000;

/** What a document in the journal is; each dialect has numbers of its own for these. */
export type JournalKind =
  | "sale"
  | "invoice"
  | "storno"
  | "credit_note"
  | "cancelled"
  | "z_report"
  | "x_report"
  | "cash_in"
  | "cash_out"
  | "service";

/** A document in the journal. */
export interface JournalDocument {
  readonly number: number;
  readonly kind: JournalKind;
  readonly at: number;
  /** The Z report of the day that it belongs to. */
  readonly zNumber: number;
}

/** The last finished receipt of a kind, if it is among the recent ones. */
export function lastReceiptOfKind(
  { books }: DeviceCommand,
  kind: ReceiptRecord["kind"],
): ReceiptRecord | undefined {
  const from = Math.max(0, books.receipts.lastNumber - SEARCHED_MAX);
  let found: ReceiptRecord | undefined;
  for (const record of books.receipts.after(from)) if (record.kind === kind) found = record;
  return found;
}

/** Looks a document up by its number: any fiscal receipt, and other documents among the recent. */
export function findDocument(
  { books }: DeviceCommand,
  number: number,
): (JournalDocument & { readonly document: PrintedDocument }) | undefined {
  const record = books.receipts.find(number);
  const document = record
    ? ({ document: "receipt", number, record } as const)
    : books.recent.find((recent) => recent.number === number);
  return document && { ...entryOf(books, document), document };
}

/** Every document of the journal: all fiscal receipts, and the others among the recent. */
export function* journalOf({ books }: DeviceCommand): Generator<JournalDocument> {
  for (const record of books.receipts.after(0)) {
    yield entryOf(books, { document: "receipt", number: record.number, record });
  }
  for (const document of books.recent) {
    if (document.document !== "receipt") yield entryOf(books, document);
  }
}

/** The document as text, a line of paper each. */
export function linesOf({ books, model }: DeviceCommand, document: PrintedDocument): string[] {
  return renderDocument(document, books, model.layout);
}

function entryOf(books: Books, document: PrintedDocument): JournalDocument {
  const { number } = document;
  const closed = books.zRecords.findIndex(({ documentNumber }) => documentNumber >= number);
  const zNumber = closed < 0 ? books.zNumber + 1 : closed + 1;
  return { number, kind: kindOf(document), at: momentOf(document), zNumber };
}

function momentOf(document: PrintedDocument): number {
  if (document.document === "receipt") return document.record.closedAt;
  return document.document === "cancelled" ? document.record.cancelledAt : document.at;
}

function kindOf(document: PrintedDocument): JournalKind {
  switch (document.document) {
    case "receipt": {
      const { kind, invoice } = document.record;
      if (kind === "sale") return invoice === undefined ? "sale" : "invoice";
      return invoice === undefined ? "storno" : "credit_note";
    }
    case "cash":
      return document.amountMinor > 0 ? "cash_in" : "cash_out";
    case "cancelled":
    case "x_report":
    case "z_report":
      return document.document;
    case "text":
    case "duplicate":
    case "diagnostic":
    case "departments":
    case "operators":
    case "memory_report":
      return "service";
    default:
      return document satisfies never;
  }
}
