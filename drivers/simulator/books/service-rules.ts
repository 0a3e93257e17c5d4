/**
 * What a device allows outside fiscal receipts: service texts, cash, reports, duplicates, and the
 * programming of clock, VAT rates and operators.
 */

import type { TextForm } from "../paper/line.ts";
import type { VatGroup } from "./books.ts";
import { REGISTER_MINOR_MAX } from "./reckoning.ts";
import { type Decision, type Refusal, refuse } from "./refusal.ts";
import {
  type RuleContext,
  refuseClock,
  refuseFullMemory,
  refuseOpenDocument,
  refuseOperator,
  refuseUnprintable,
} from "./rules.ts";

const SERVICE_LINES_MAX = 2_000;

/** Opens a text document that is no receipt. */
export function openServiceText(context: RuleContext): Decision {
  const { books, at } = context;
  return (
    refuseNewDocument(context) ?? {
      entry: { entry: "service_opened", number: books.documentNumber + 1, at },
    }
  );
}

/** Prints a line of it, plain or in another form. */
export function addServiceLine(context: RuleContext, text: string, form?: TextForm): Decision {
  const { books, model } = context;
  if (books.open?.open !== "service") return refuse("no_service_text_open");
  if (books.open.lines.length >= SERVICE_LINES_MAX) return refuse("too_many_lines");
  const line = { entry: "service_line", text, ...(form ? { form } : {}) } as const;
  return refuseUnprintable(books, model) ?? { entry: line };
}

/** Ends it; its end is registered even without paper, as the end of a cancelled receipt is. */
export function closeServiceText({ books, at }: RuleContext): Decision {
  if (books.open?.open !== "service") return refuse("no_service_text_open");
  return { entry: { entry: "service_closed", at } };
}

/**
 * Books cash into the drawer or out of it.
 * @param amountMinor positive in, negative out; not zero, which devices take as a question
 * @param text printed with it
 */
export function moveCash(context: RuleContext, amountMinor: number, text = ""): Decision {
  const { books, at } = context;
  const refusal = refuseNewDocument(context);
  if (refusal) return refusal;
  const cash = books.cashMinor + amountMinor;
  if (cash < 0) return refuse("not_enough_cash");
  if (cash > REGISTER_MINOR_MAX) return refuse("overflow");
  const number = books.documentNumber + 1;
  return { entry: { entry: "cash_moved", number, at, amountMinor, ...(text && { text }) } };
}

/** Prints registers of the day without closing it, or a test page. */
export function printReport(
  context: RuleContext,
  what: "x_report" | "departments" | "diagnostic",
): Decision {
  const { books, at } = context;
  return (
    refuseNewDocument(context) ?? {
      entry: { entry: "printed", what, number: books.documentNumber + 1, at },
    }
  );
}

/** Prints a document of the journal, which may be printed as often as anybody likes. */
export function printCopy(context: RuleContext, lines: readonly string[]): Decision {
  const { books, at } = context;
  const number = books.documentNumber + 1;
  return refuseNewDocument(context) ?? { entry: { entry: "copy_printed", number, at, lines } };
}

/**
 * Prints what the fiscal memory holds of a period.
 * @param period instants, both included
 */
export function printMemory(
  context: RuleContext,
  period: { readonly from: number; readonly to: number },
): Decision {
  const { books, at } = context;
  const number = books.documentNumber + 1;
  return (
    refuseNewDocument(context) ?? { entry: { entry: "memory_printed", number, at, ...period } }
  );
}

/**
 * Prints what operators have sold: one operator, or all that have.
 * @param request `clears` starts their registers again
 */
export function printOperators(
  context: RuleContext,
  request: { readonly operator: number | undefined; readonly clears: boolean },
): Decision {
  const { books, at } = context;
  const number = books.documentNumber + 1;
  return (
    refuseNewDocument(context) ?? { entry: { entry: "operators_printed", number, at, ...request } }
  );
}

/** Closes the fiscal day: a record in fiscal memory, and the registers start again. */
export function closeDay(context: RuleContext): Decision {
  const { books, at } = context;
  const refusal = refuseNewDocument(context) ?? refuseClock(books, at);
  return refusal ?? { entry: { entry: "day_closed", number: books.documentNumber + 1, at } };
}

/** Prints the last receipt once more, which each receipt allows once. */
export function printDuplicate(context: RuleContext): Decision {
  const { books, at } = context;
  const refusal = refuseNewDocument(context);
  if (refusal) return refusal;
  if (books.receipts.count === 0) return refuse("nothing_to_duplicate");
  if (books.lastReceiptDuplicated) return refuse("already_duplicated");
  return {
    entry: { entry: "printed", what: "duplicate", number: books.documentNumber + 1, at },
  };
}

/**
 * Sets the clock.
 * @param to the new reading of the device's clock
 */
export function setClock({ books, at }: RuleContext, to: number, summerTime: boolean): Decision {
  const refusal = refuseOpenDocument(books);
  if (refusal) return refusal;
  if (to < books.lastRecordAt) return refuse("clock_before_last_record");
  const offsetMs = books.clockOffsetMs + books.conditions.clockShiftMs + to - at;
  return { entry: { entry: "clock_set", offsetMs, summerTime } };
}

/** Programs the VAT rates, which only a closed day allows. */
export function setVat({ books, at }: RuleContext, vat: VatGroup[]): Decision {
  const refusal = refuseOpenDocument(books);
  if (refusal) return refusal;
  if (books.day.openedAt !== null) return refuse("day_not_closed");
  if (books.vatChangesLeft <= 0) return refuse("vat_changes_used_up");
  return { entry: { entry: "vat_set", vat, at } };
}

/** Gives an operator another name or password; the old password proves the right to. */
export function setOperator(
  { books }: RuleContext,
  request: {
    readonly operator: number;
    readonly password: string;
    readonly change: { readonly name: string } | { readonly password: string };
  },
): Decision {
  const { operator, password, change } = request;
  const refusal = refuseOpenDocument(books) ?? refuseOperator(books, operator, password);
  return refusal ?? { entry: { entry: "operator_set", operator, ...change } };
}

function refuseNewDocument(context: RuleContext): Refusal | undefined {
  const { books, model } = context;
  return refuseUnprintable(books, model) ?? refuseFullMemory(context) ?? refuseOpenDocument(books);
}
