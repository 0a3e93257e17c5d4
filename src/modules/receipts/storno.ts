/** The `print_reversal_receipt` that reverses a stored sale. */

import { amountIssues, checkedMilli, checkedMinor, quantityIssues } from "#core/command/amount.ts";
import { payloadIssues } from "#core/command/catalogue.ts";
import { toReceiptItems } from "#core/command/document-fields.ts";
import {
  type PrintReversalReceiptPayload,
  reversalIssues,
  toReversalPayment,
} from "#core/command/types/print-reversal-receipt.ts";
import { ApiError, type ValidationIssue, validationError } from "#core/errors.ts";
import { isoTime } from "#core/iso-time.ts";
import { formatMinor } from "#core/money.ts";
import type { Payment, PaymentMethod, ReceiptItem } from "#core/receipt.ts";
import {
  type CountedDocument,
  itemsOfParts,
  type Left,
  reversibleLines,
} from "#core/receipt-left.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import { balanceFault, documentTotalMinor, paymentsTotalMinor } from "#core/receipt-total.ts";
import {
  type AskedStorno,
  beyondSale,
  excessOf,
  onlyLeft,
  type Reversing,
  requireOriginal,
  stornoFault,
} from "#core/reversal-fault.ts";
import { itemRecord, paymentRecord } from "./records.ts";
import type { StornoBody } from "./schema.ts";

/** A sale, with what is known of the printer that printed it, and of what would take it back. */
export type Reversible = StoredReceipt & {
  /** In which it pays reversals back; null until it told. */
  readonly reversalTenders: readonly PaymentMethod[] | null;
  readonly by: Reversing;
};

/** A storno that may be queued. */
export interface Storno {
  readonly payload: PrintReversalReceiptPayload;
  /** What it takes from the sale. */
  readonly asked: AskedStorno;
}

/**
 * Makes the storno of a sale, or of what is left of it.
 * @throws ApiError VALIDATION_ERROR for a body that is wrong in itself, UNPROCESSABLE_ENTITY where
 * the sale does not allow it
 */
export function stornoOf(sale: Reversible, left: Left, body: StornoBody): Storno {
  const issues = [...reversalIssues(body), ...choiceIssues(body)];
  if (issues.length > 0) throw validationError(issues);
  requireOriginal(sale, sale.by);
  const items = itemsOf(sale, left, body);
  requireExpected(sale, left, { body, items });
  const payments = body.payments?.map(toReversalPayment) ?? paidBack(sale, left, items);
  requireBalance(body, items, payments);
  const asked = { items, payments, reason: body.reason };
  requireAllowed(sale, left, asked);
  const payload: PrintReversalReceiptPayload = {
    ...namesOf(sale),
    reason: body.reason,
    items: items.map(itemRecord),
    payments: payments.map(paymentRecord),
  };
  // What is wrong now came from the sale: its length, or a number that no storno may name.
  const [fault] = payloadIssues("print_reversal_receipt", payload);
  if (fault !== undefined)
    throw refused(`The storno's ${fault.path || "payload"}: ${fault.message}`);
  return { payload, asked };
}

/** What goes back depends on what went back before: who expects another sum has seen more than is left. */
function requireExpected(
  sale: Reversible,
  left: Left,
  { body, items }: { readonly body: StornoBody; readonly items: readonly ReceiptItem[] },
): void {
  const { expectedAmount } = body;
  if (expectedAmount === undefined) return;
  const expected = checkedMinor(expectedAmount);
  const total = documentTotalMinor(items);
  if (total === expected) return;
  const message = `The storno comes to ${formatMinor(total)}, not to the ${formatMinor(expected)} that was expected`;
  throw beyondSale(sale, { message, lines: reversibleLines(left) });
}

/**
 * Of items the till knows what they come to. Of lines it knows that from what is left: who pays back
 * another sum has seen more of them. What the gateway pays back as it was paid is as balanced as the sale.
 */
function requireBalance(
  { lines, payments: given }: StornoBody,
  items: readonly ReceiptItem[],
  payments: readonly Payment[],
): void {
  const fault = balanceFault(items, [], payments);
  if (lines === undefined || given === undefined) {
    if (fault !== undefined) throw validationError([{ path: "payments", message: fault }]);
    return;
  }
  const total = documentTotalMinor(items);
  const paid = paymentsTotalMinor(payments);
  if (total === paid) return;
  throw refused(`The lines come to ${formatMinor(total)}, the payments to ${formatMinor(paid)}`);
}

/** @throws ApiError UNPROCESSABLE_ENTITY when that is more than what is left of the sale */
export function requireLeft(sale: StoredReceipt, left: Left, counted: CountedDocument): void {
  const excess = excessOf(left, counted, true);
  if (excess !== undefined) throw beyondSale(sale, excess);
}

/** @throws ApiError UNPROCESSABLE_ENTITY when the sale does not have that, or not any more */
export function requireAllowed(sale: StoredReceipt, left: Left, asked: AskedStorno): void {
  const fault = stornoFault(sale, left, asked);
  if (fault !== undefined) throw beyondSale(sale, fault);
}

/** What of the sale the printer has to be told. */
function namesOf(sale: Reversible) {
  // Printers that take sales without a number take their stornos without one; others refuse them.
  const { zReportNumber } = sale;
  const uniqueSaleNumber = sale.uniqueSaleNumber ?? "";
  // Some devices tell no number of their fiscal memory, and ask for none.
  const fiscalMemorySerialNumber = sale.fiscalMemorySerialNumber ?? sale.printerSerialNumber;
  const originalReceiptNumber = sale.receiptNumber ?? sale.fiscalId;
  if (originalReceiptNumber === null) throw lacking("number");
  if (fiscalMemorySerialNumber === null) throw lacking("fiscal memory's serial number");
  return {
    uniqueSaleNumber,
    originalReceiptNumber,
    originalReceiptDateTime: isoTime(sale.issuedAt),
    fiscalMemorySerialNumber,
    ...(zReportNumber === null ? {} : { originalZReportNumber: zReportNumber }),
  };
}

/** What goes back: items as the printer is told them, parts of lines of the sale, or all that is left. */
function itemsOf(sale: Reversible, left: Left, { items, lines }: StornoBody) {
  if (items !== undefined) return toReceiptItems(items);
  const whole = () => reversibleLines(left).map((line) => ({ line, ...line }));
  const chosen = itemsOfParts(lines === undefined ? whole() : partsOf(sale, left, lines));
  if (documentTotalMinor(chosen) > 0) return chosen;
  if (chosen.length > 0) throw refused("The storno comes to 0.00, which no printer prints");
  throw refused("Nothing is left of the sale: it is reversed already, or about to be");
}

/** @throws ApiError UNPROCESSABLE_ENTITY for more than is left of a line */
function partsOf(sale: Reversible, left: Left, chosen: NonNullable<StornoBody["lines"]>) {
  return chosen.map(({ line: at, quantity }) => {
    const line = left.lines[at];
    if (line === undefined) throw refused(`The sale has no line ${at}: the first one is 0`);
    const quantityMilli = checkedMilli(quantity);
    if (quantityMilli <= line.quantityMilli) return { line, quantityMilli };
    const what = `"${line.item.name}"`;
    throw beyondSale(sale, { message: onlyLeft(line.quantityMilli, what), lines: [line] });
  });
}

/** Faults of what is chosen and expected, that the schema cannot say. */
function choiceIssues({ items, lines = [], expectedAmount }: StornoBody): ValidationIssue[] {
  const both = items !== undefined && lines.length > 0;
  return [
    ...(expectedAmount === undefined ? [] : amountIssues("expectedAmount", expectedAmount)),
    ...(both ? [{ path: "lines", message: "Expected either items or lines" }] : []),
    ...lines.flatMap(({ line, quantity }, index) => [
      ...quantityIssues(`lines.${index}.quantity`, quantity),
      ...(lines.findIndex((other) => other.line === line) < index
        ? [{ path: `lines.${index}.line`, message: "Expected each line once" }]
        : []),
    ]),
  ];
}

/** As it was paid where that is clear and its printer can do so, else in cash. */
function paidBack(sale: Reversible, left: Left, items: readonly ReceiptItem[]): readonly Payment[] {
  const { reversalTenders: tenders } = sale;
  const asPaid = paidBackAsPaid(sale, left, items);
  if (asPaid?.every(({ method }) => tenders?.includes(method) ?? true)) return asPaid;
  return [{ method: "cash", amountMinor: documentTotalMinor(items) }];
}

/** Undefined where a part may be of any of several tenders: the rest is of what they have left. */
function paidBackAsPaid({ payments }: StoredReceipt, left: Left, items: readonly ReceiptItem[]) {
  const [first, ...others] = payments;
  if (others.length === 0 && first !== undefined) {
    return [{ method: first.method, amountMinor: documentTotalMinor(items) }];
  }
  const leftMinor = paymentsTotalMinor(left.payments);
  const isUntouched = leftMinor === paymentsTotalMinor(payments);
  const isAll = leftMinor <= left.payableMinor && !balanceFault(items, [], left.payments);
  // A cent may be left that nobody paid.
  if (!isAll || leftMinor === 0) return undefined;
  return isUntouched ? payments : left.payments;
}

function lacking(what: string): ApiError {
  return refused(`The sale was stored without its ${what}, which a storno has to name`);
}

function refused(message: string): ApiError {
  return new ApiError("UNPROCESSABLE_ENTITY", message);
}
