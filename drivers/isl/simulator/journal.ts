/** What a device can read back of documents it printed. */

import type { PrintedDocument } from "../../simulator/books/books.ts";
import type { ReceiptRecord } from "../../simulator/books/receipt.ts";
import { renderDocument } from "../../simulator/paper/layout.ts";
import type { DeviceCommand } from "./device-command.ts";

/** Receipts looked through backwards for the last one of a kind. */
const SEARCHED_MAX = 1_000;

/** A document in the journal. */
export interface JournalDocument {
  readonly number: number;
  /** Fiscal receipts only: the number of the receipt. */
  readonly receipt: number;
  readonly at: number;
  /** 1 receipt, 2 Z report, 3 cash, 4 X report, 5 service text, 7 storno. */
  readonly type: number;
  readonly zNumber: number;
  readonly lines: readonly string[];
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

/**
 * Looks a document up by its number: any fiscal receipt, and other documents among the recent.
 * Cancelled receipts are not in the journal of fiscal documents.
 */
export function findDocument(command: DeviceCommand, number: number): JournalDocument | undefined {
  const record = command.books.receipts.find(number);
  if (record) {
    const document: PrintedDocument = { document: "receipt", number, record };
    return {
      number,
      receipt: number,
      at: record.closedAt,
      type: record.kind === "sale" ? 1 : 7,
      zNumber: record.zNumber,
      lines: linesOf(command, document),
    };
  }
  const document = command.books.recent.find((recent) => recent.number === number);
  if (!document || document.document === "receipt" || document.document === "cancelled") {
    return undefined;
  }
  return {
    number,
    receipt: 0,
    at: document.at,
    type: TYPES[document.document],
    zNumber: command.books.zNumber,
    lines: linesOf(command, document),
  };
}

const TYPES = {
  text: 5,
  cash: 3,
  x_report: 4,
  z_report: 2,
  operators: 5,
  duplicate: 5,
  diagnostic: 5,
} as const satisfies Record<Exclude<PrintedDocument["document"], "receipt" | "cancelled">, number>;

function linesOf({ books, model }: DeviceCommand, document: PrintedDocument): string[] {
  return renderDocument(document, books, model.layout);
}
