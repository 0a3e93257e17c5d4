/**
 * A fiscal document as the frames that print it. Pure: whatever is wrong with a document for this
 * device is found here, before a byte is sent.
 *
 * Receipts are printed step by step (print option `0`, `@` for a storno): a postponed one is
 * closed by the device itself when the host pauses for some seconds.
 */

import { FiscalError } from "#core/errors.ts";
import { spreadOverLines } from "#core/line-worth.ts";
import { formatMilli, formatMinor, lineTotalMinor } from "#core/money.ts";
import type {
  FiscalDocument,
  Payment,
  PaymentMethod,
  ReceiptItem,
  ReversalReason,
  StornoDocument,
  SubtotalModifier,
} from "#core/receipt.ts";
import { encodeText, toPrintable } from "../shared/codepage.ts";
import {
  noSuchGroup,
  originalNumber,
  originalUnknown,
  requirePrintable,
  unadjustable,
} from "../shared/document-faults.ts";
import type { DocumentStep } from "../shared/document-protocol.ts";
import { adjustmentsOf, modifiersOf } from "../shared/modifiers.ts";
import { NO_SUMS, type Sums } from "../shared/sums.ts";
import { type PaidDocument, payFor, tenderSign, tendersTaken } from "../shared/tenders.ts";
import { uniqueSaleNumberOf } from "../shared/unique-sale-number.ts";
import { groupNumber, type VatRates } from "../shared/vat-groups.ts";
import { formatClock } from "./clock-text.ts";
import type { DeviceCommandName } from "./device-commands.ts";
import { LIMITS, type ZfpDialect } from "./dialect.ts";
import { operatorFields } from "./operator.ts";
import { CODE_PAGE, fitText, textField } from "./text.ts";

/** One frame of a document. */
interface Frame {
  readonly name: DeviceCommandName;
  readonly data: string | Uint8Array;
}

/** The same, and what the device must count once it was carried out. */
export type Step = Frame & DocumentStep;

export interface DocumentPlan extends PaidDocument<Step> {
  /** Data of the opening frame. */
  readonly opening: string;
}

export interface PlanOptions {
  /** The tenders the device has, and their numbers. */
  readonly tenders: ZfpDialect["tenders"];
  readonly timezone: string;
  /** Rates of the groups as programmed, in order; empty when unknown. */
  readonly vatRates: VatRates;
}

const DETAILED_WITH_VAT = "1;1";
const STEP_BY_STEP = { sale: "0", storno: "@" } as const;
const STORNO_REASONS = {
  "operator-error": "0",
  refund: "1",
  "tax-base-reduction": "2",
} as const satisfies Record<ReversalReason, string>;
/** Groups 1 to 8 are Cyrillic letters, one byte each. */
const VAT_LETTERS = "АБВГДЕЖЗ";
const CUSTOMER_TEXT = "ЕИК ";
/** A department is the byte of its number above this one. */
const DEPARTMENT_BASE = 0x80;

/** In which tenders the dialect's devices pay reversals back: all that they take. */
export function reversalTenders(dialect: ZfpDialect): readonly PaymentMethod[] {
  return tendersTaken(dialect.tenders);
}

/**
 * Plans a document.
 * @throws FiscalError E201 for what the device lacks, E400 to E403 for what is wrong with it
 */
export function planDocument(document: FiscalDocument, options: PlanOptions): DocumentPlan {
  const opening = planOpening(document, options);
  const lines = planLines(document, options);
  const paid = payFor<Frame>(lines, document.payments, (payment) => ({
    name: "payment",
    data: paymentData(payment, options.tenders),
  }));
  return { opening, ...paid };
}

function planOpening(document: FiscalDocument, { timezone }: PlanOptions): string {
  const print = STEP_BY_STEP[document.kind];
  const head = `${operatorFields(document)};${DETAILED_WITH_VAT};${print}`;
  const usn = uniqueSaleNumberOf(document);
  if (document.kind === "sale") return usn === undefined ? head : `${head}$${usn}`;
  const original = originalFields(document, timezone);
  return [head, STORNO_REASONS[document.reason], original, ...(usn ? [usn] : [])].join(";");
}

/** Of a document's number. */
const NUMBER_DIGITS = 6;

function originalFields({ original }: StornoDocument, timezone: string): string {
  const { receiptNumber, fiscalMemorySerialNumber: memory, issuedAt } = original;
  const number = String(originalNumber(receiptNumber, NUMBER_DIGITS));
  if (memory === "") throw originalUnknown("fiscal memory");
  if (!/^[A-Za-z0-9]{8}$/.test(memory)) {
    throw new FiscalError("E400", "fiscalMemorySerialNumber: expected 8 letters and digits");
  }
  return [number.padStart(NUMBER_DIGITS, "0"), formatClock(issuedAt, timezone), memory].join(";");
}

function planLines(document: FiscalDocument, options: PlanOptions): Step[] {
  const steps: Step[] = [];
  let sums: Sums = NO_SUMS;
  const customer = document.kind === "sale" ? toPrintable(document.customerCif ?? "").trim() : "";
  if (customer !== "") {
    const text = fitText(CUSTOMER_TEXT + customer, LIMITS.line);
    steps.push({ name: "text", data: text, after: sums });
  }
  const isOfOneGroup = new Set(document.items.map((item) => item.vatGroup)).size <= 1;
  const parts = isOfOneGroup ? [] : adjustmentsOfLines(document.items, modifiersOf(document));
  for (const [index, item] of document.items.entries()) {
    const part = parts[index] ?? 0;
    const total = lineTotalMinor(item.priceMinor, item.quantityMilli) + part;
    sums = { ...sums, items: sums.items + 1, amountMinor: sums.amountMinor + total };
    steps.push({ name: "sale", data: saleData(item, { index, part }, options), after: sums });
  }
  if (!isOfOneGroup) return steps;
  for (const step of adjustmentsOf(document, new Map([["", sums.amountMinor]]))) {
    const signed = step.kind === "discount" ? -step.amountMinor : step.amountMinor;
    sums = { ...sums, amountMinor: step.sumMinor };
    steps.push({ name: "subtotal", data: `1;0:${formatNumber(signed)}`, after: sums });
  }
  return steps;
}

/**
 * What each line of a receipt of several VAT groups gets of the adjustments: the device takes an amount
 * on the subtotal of one group alone, and one on each line of any.
 */
function adjustmentsOfLines(
  items: readonly ReceiptItem[],
  modifiers: readonly SubtotalModifier[],
): readonly number[] {
  const spread = spreadOverLines(items, modifiers);
  if (spread.fault) throw unadjustable(spread.fault);
  return spread.parts;
}

/**
 * Name, VAT group, price and quantity, what is added to the line or taken off it, and the department
 * as a byte of its own.
 */
function saleData(
  item: ReceiptItem,
  { index, part }: { readonly index: number; readonly part: number },
  options: PlanOptions,
): Uint8Array {
  // A bar would break the line, and a semicolon ends a field.
  const name = toPrintable(item.name).replaceAll("|", " ").replaceAll(";", ",").trim();
  requirePrintable(`items.${index}.name`, name);
  const price = formatNumber(item.priceMinor);
  const quantity = formatMilli(item.quantityMilli);
  const adjustment = part === 0 ? "" : `:${formatNumber(part)}`;
  const text = `;${vatLetter(item.vatGroup, options)};${price}*${quantity}${adjustment}`;
  const printed = textField(name, LIMITS.nameField, LIMITS.namePrinted);
  const bytes = Uint8Array.of(...printed, ...encodeText(text, CODE_PAGE));
  if (!item.department) return bytes;
  if (item.department > LIMITS.departments) {
    const most = LIMITS.departments;
    throw new FiscalError("E400", `items.${index}.department: expected 0 to ${most}`);
  }
  return Uint8Array.of(...bytes, 0x21, DEPARTMENT_BASE + item.department);
}

/** An amount with two decimals. @throws FiscalError E402 when it has more digits than fit */
function formatNumber(amountMinor: number): string {
  const text = formatMinor(amountMinor);
  if (text.length > LIMITS.number) {
    throw new FiscalError("E402", "This device takes amounts up to 9999999.99");
  }
  return text;
}

function vatLetter(group: string, { vatRates }: PlanOptions): string {
  const letter = VAT_LETTERS[groupNumber(group, vatRates) - 1];
  if (letter === undefined) throw noSuchGroup(LIMITS.vatGroups);
  return letter;
}

/**
 * The data of one payment frame, without change. The star ends the amount: one revision of the
 * protocol writes a semicolon there, and devices in use take the star.
 * @throws FiscalError E400 for a tender the device lacks
 */
export function paymentData(payment: Payment, tenders: ZfpDialect["tenders"]): string {
  const tender = tenderSign(payment, tenders);
  return `${tender};1;${formatNumber(payment.amountMinor)}*`;
}
