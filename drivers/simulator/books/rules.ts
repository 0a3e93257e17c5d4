/** What every rule of the books looks at, and the checks that several of them share. */

import {
  type BookModel,
  type BookState,
  type Books,
  isDayOver,
  isMemoryFull,
  openReceiptOf,
} from "./books.ts";
import type { OpenReceipt } from "./receipt.ts";
import { type Refusal, refuse } from "./refusal.ts";

/** The books, what the model allows, and the device's clock at the instant of the command. */
export interface RuleContext {
  readonly books: Books;
  readonly model: BookModel;
  readonly at: number;
}

/** Refuses what cannot print now. */
export function refuseUnprintable(books: BookState, model: BookModel): Refusal | undefined {
  const { broken, paper, cover } = books.conditions;
  if (broken) return refuse("hardware_error");
  // Where no sensor watches the cover, paper that no longer touches the head reads as none.
  if (paper === "out" || (cover === "open" && !model.coverSensor)) return refuse("paper_out");
  return cover === "open" ? refuse("cover_open") : undefined;
}

/** Refuses while any document is open, naming which. */
export function refuseOpenDocument(books: BookState): Refusal | undefined {
  if (!books.open) return undefined;
  if (books.open.open === "service") return refuse("service_text_open");
  return refuse(books.open.head.kind === "storno" ? "storno_receipt_open" : "fiscal_receipt_open");
}

/** Refuses when the clock cannot date a fiscal record. */
export function refuseClock(books: BookState, at: number): Refusal | undefined {
  if (books.conditions.clockLost) return refuse("clock_not_set");
  return at < books.lastRecordAt ? refuse("clock_before_last_record") : undefined;
}

/** Refuses when nothing more can be recorded. */
export function refuseFullMemory(context: RuleContext): Refusal | undefined {
  if (isMemoryFull(context.books, context.model)) return refuse("fiscal_memory_full");
  return context.books.documentNumber >= context.model.documentsMax
    ? refuse("journal_full")
    : undefined;
}

/** Everything that must hold before a new fiscal receipt opens, in the order devices tell it. */
export function refuseNewReceipt(context: RuleContext): Refusal | undefined {
  const { books, model, at } = context;
  return (
    refuseUnprintable(books, model) ??
    refuseFullMemory(context) ??
    refuseOpenDocument(books) ??
    refuseClock(books, at) ??
    (isDayOver(books, at) ? refuse("day_over") : undefined)
  );
}

/** Checks an operator's number and password. */
export function refuseOperator(
  books: BookState,
  operator: number,
  password: string,
): Refusal | undefined {
  const known = books.operators[operator - 1];
  if (!known) return refuse("operator_unknown", 1);
  return known.password === password ? undefined : refuse("operator_password", 2);
}

/** The open receipt, or the refusal of a command that needs one. */
export function requireReceipt(books: BookState): OpenReceipt | Refusal {
  return openReceiptOf(books) ?? refuse("no_receipt_open");
}
