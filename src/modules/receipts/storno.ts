/** The `print_reversal_receipt` that reverses a stored sale. */

import { payloadIssues } from "#core/command/catalogue.ts";
import { toReceiptItems } from "#core/command/document-fields.ts";
import {
  type PrintReversalReceiptPayload,
  reversalIssues,
  toReversalPayment,
} from "#core/command/types/print-reversal-receipt.ts";
import { ApiError, validationError } from "#core/errors.ts";
import { isoTime } from "#core/iso-time.ts";
import { formatMinor } from "#core/money.ts";
import type { Payment, ReceiptItem } from "#core/receipt.ts";
import {
  ADJUSTED_SALE,
  type AskedStorno,
  type CountedDocument,
  countedAs,
  excessOf,
  type Left,
  stornoFault,
} from "#core/receipt-left.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import { balanceFault, documentTotalMinor } from "#core/receipt-total.ts";
import { itemRecord, paymentRecord } from "./records.ts";
import type { StornoBody } from "./schema.ts";

/** A sale, with what is known of the printer that printed it. */
export type Reversible = StoredReceipt & { readonly printerSerialNumber: string | null };

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
  const issues = reversalIssues(body);
  if (issues.length > 0) throw validationError(issues);
  if (sale.type !== "sale") throw refused(`The receipt is a ${sale.type}: only a sale is reversed`);
  const items = body.items === undefined ? itemsLeft(sale, left) : toReceiptItems(body.items);
  const payments = body.payments?.map(toReversalPayment) ?? paidBack(sale, items);
  const imbalance = balanceFault(items, [], payments);
  if (imbalance !== undefined) throw validationError([{ path: "payments", message: imbalance }]);
  const asked = { ...countedAs({ items, payments }), reason: body.reason };
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

/** @throws ApiError UNPROCESSABLE_ENTITY when that is more than what is left of the sale */
export function requireLeft(left: Left, counted: CountedDocument): void {
  const excess = excessOf(left, counted);
  if (excess !== undefined) throw refused(excess);
}

/** @throws ApiError UNPROCESSABLE_ENTITY when the sale does not have that, or not any more */
export function requireAllowed(sale: StoredReceipt, left: Left, asked: AskedStorno): void {
  const fault = stornoFault(sale, left, asked);
  if (fault !== undefined) throw refused(fault);
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

/** All that is left of the sale. */
function itemsLeft(sale: StoredReceipt, left: Left): readonly ReceiptItem[] {
  if (left.amountMinor <= 0 || left.items.length === 0) {
    throw refused("Nothing is left of the sale: it is reversed already, or about to be");
  }
  const rest = `${formatMinor(left.amountMinor)} is left of the sale`;
  if (sale.subtotalModifiers.length > 0) {
    throw refused(`Say what to reverse in items and payments: ${ADJUSTED_SALE}. ${rest}`);
  }
  if (documentTotalMinor(left.items) > left.amountMinor) {
    const why = "parts of the sale were reversed at other prices";
    throw refused(`Say what to reverse in items and payments: ${why}. ${rest}`);
  }
  return left.items;
}

/** As it was paid where that is clear, else in cash. */
function paidBack(sale: StoredReceipt, items: readonly ReceiptItem[]): readonly Payment[] {
  const amountMinor = documentTotalMinor(items);
  const [first, ...others] = sale.payments;
  if (others.length === 0 && first !== undefined) return [{ method: first.method, amountMinor }];
  if (balanceFault(items, [], sale.payments) === undefined) return sale.payments;
  return [{ method: "cash", amountMinor }];
}

function lacking(what: string): ApiError {
  return refused(`The sale was stored without its ${what}, which a storno has to name`);
}

function refused(message: string): ApiError {
  return new ApiError("UNPROCESSABLE_ENTITY", message);
}
