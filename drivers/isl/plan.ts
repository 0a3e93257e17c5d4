/**
 * A fiscal document as the device commands that print it. Pure: whatever is wrong with a document
 * for this device is found here, before a byte is sent.
 */

import { FiscalError } from "#core/errors.ts";
import { formatMilli, formatMinor, lineTotalMinor } from "#core/money.ts";
import type { FiscalDocument, Payment, PaymentMethod, ReceiptItem } from "#core/receipt.ts";
import { documentTotalMinor } from "#core/receipt-total.ts";
import { cutText, toPrintable, writtenText } from "../shared/codepage.ts";
import {
  noSuchGroup,
  originalNumber,
  originalUnknown,
  requirePrintable,
} from "../shared/document-faults.ts";
import type { DocumentStep } from "../shared/document-protocol.ts";
import { adjustmentsOf, modifiersOf, refuseModifiers } from "../shared/modifiers.ts";
import { NO_SUMS, type Sums } from "../shared/sums.ts";
import { type PaidDocument, payFor, tenderSign, tendersTaken } from "../shared/tenders.ts";
import { uniqueSaleNumberOf } from "../shared/unique-sale-number.ts";
import { groupNumber, type VatRates } from "../shared/vat-groups.ts";
import { formatCompact, formatDashed, formatIso } from "./clock-text.ts";
import type { ActionName, IslDialect } from "./dialect.ts";
import { operatorValues } from "./operator.ts";
import type { TemplateValues } from "./template.ts";

/** One frame of a document. */
interface Frame {
  readonly action: ActionName;
  readonly values: TemplateValues;
}

/** The same, and what the device must count once it was carried out. */
export type Step = Frame & DocumentStep;

export interface DocumentPlan extends PaidDocument<Step> {
  readonly open: { readonly action: "openSale" | "openStorno"; readonly values: TemplateValues };
}

export interface PlanOptions {
  readonly dialect: IslDialect;
  readonly timezone: string;
  readonly model: string | null;
  readonly lineWidth: number;
  /** Characters of each line of an item's name. */
  readonly nameWidth: number;
  readonly vatRates: VatRates;
}

/** The checkout number that the protocol wants; this gateway is one. */
const TILL = "1";

/**
 * Plans a document.
 * @throws FiscalError E201 for what the device lacks, E400 to E403 for what is wrong with it
 */
export function planDocument(document: FiscalDocument, options: PlanOptions): DocumentPlan {
  const { dialect } = options;
  if (!dialect.adjustments) refuseModifiers(document);
  const usn = demandedSaleNumber(document, dialect);
  requireStornoTenders(document, dialect);
  const lines = planLines(document, options);
  const paid = payFor<Frame>(lines, document.payments, (payment) => ({
    action: "payment",
    values: paymentValues(payment, dialect),
  }));
  return { open: planOpening(document, options, usn ?? ""), ...paid };
}

function demandedSaleNumber(document: FiscalDocument, dialect: IslDialect): string | undefined {
  if (!dialect.wantsUniqueSaleNumber) return undefined;
  const usn = uniqueSaleNumberOf(document);
  if (usn === undefined) throw new FiscalError("E401", "This device demands a uniqueSaleNumber");
  return usn;
}

/** In which tenders the dialect's devices pay reversals back; none where they print none. */
export function reversalTenders(dialect: IslDialect): readonly PaymentMethod[] {
  if (!dialect.stornoReasons || !dialect.actions.openStorno) return [];
  return dialect.stornoTenders ?? tendersTaken(dialect.tenders);
}

function requireStornoTenders(document: FiscalDocument, dialect: IslDialect): void {
  if (document.kind !== "storno") return;
  const tenders = reversalTenders(dialect);
  if (tenders.length === 0) {
    throw new FiscalError("E201", dialect.noStorno ?? "These devices have no storno");
  }
  if (document.payments.every(({ method }) => tenders.includes(method))) return;
  const known = tenders.join(", ");
  throw new FiscalError("E400", `payments: this device pays a reversal back in ${known} only`);
}

function planOpening(document: FiscalDocument, options: PlanOptions, usn: string) {
  const { dialect, timezone } = options;
  const shared = {
    ...operatorValues(document, dialect, options.model),
    usn,
    till: TILL,
  };
  if (document.kind === "sale") {
    const customer = cleanCustomer(document.customerCif);
    return { action: "openSale" as const, values: { ...shared, customer } };
  }
  const { receiptNumber, fiscalMemorySerialNumber, issuedAt } = document.original;
  return {
    action: "openStorno" as const,
    values: {
      ...shared,
      reason: dialect.stornoReasons?.[document.reason] ?? "",
      number: String(originalNumber(receiptNumber, NUMBER_DIGITS_MAX)),
      memory: requireSerial(fiscalMemorySerialNumber),
      date: formatDashed(issuedAt, timezone),
      compactDate: formatCompact(issuedAt, timezone),
      isoDate: formatIso(issuedAt, timezone),
    },
  };
}

/** Of a document's number, on any of these devices. */
const NUMBER_DIGITS_MAX = 10;

function requireSerial(serial: string): string {
  if (serial === "") throw originalUnknown("fiscal memory");
  if (!/^[A-Za-z0-9]{1,16}$/.test(serial)) {
    throw new FiscalError("E400", "fiscalMemorySerialNumber: expected letters and digits");
  }
  return serial;
}

function cleanCustomer(customerCif: string | undefined): string {
  const customer = toPrintable(customerCif ?? "").trim();
  if (/[,\t]/.test(customer)) throw new FiscalError("E400", "customerCif: no commas, please");
  return customer;
}

function planLines(document: FiscalDocument, options: PlanOptions): Step[] {
  const { dialect, lineWidth } = options;
  if (document.items.length > dialect.salesMax) {
    throw new FiscalError("E400", `items: this device takes ${dialect.salesMax} lines`);
  }
  const steps: Step[] = [];
  let sums: Sums = NO_SUMS;
  const customer = document.kind === "sale" ? cleanCustomer(document.customerCif) : "";
  if (customer !== "" && dialect.customerText !== undefined) {
    const text = cutText(dialect.customerText + customer, lineWidth, dialect.codePage);
    steps.push({ action: "text", values: { text }, after: sums });
  }
  for (const [index, item] of document.items.entries()) {
    const total = lineTotalMinor(item.priceMinor, item.quantityMilli);
    sums = { ...sums, items: sums.items + 1, amountMinor: sums.amountMinor + total };
    steps.push({ action: "sale", values: saleValues(item, index, options), after: sums });
  }
  // The device shares each out among its VAT groups.
  for (const step of adjustmentsOf(document, new Map([["", sums.amountMinor]]))) {
    sums = { ...sums, amountMinor: step.sumMinor };
    const amount = formatMinor(step.amountMinor);
    const adjustment = dialect.adjustments?.[step.kind] ?? "";
    steps.push({ action: "adjustment", values: { adjustment, amount }, after: sums });
  }
  if (sums.amountMinor !== documentTotalMinor(document.items, modifiersOf(document))) {
    throw new RangeError("the planned lines do not add up");
  }
  return steps;
}

function saleValues(item: ReceiptItem, index: number, options: PlanOptions): TemplateValues {
  const { codePage, widths, defaultUnit } = options.dialect;
  const written = writtenText(item.name, codePage);
  const name = nameLines(written, options.nameWidth, widths.nameLines);
  requirePrintable(`items.${index}.name`, name);
  const unit = cutText(cleanUnit(item.unit), widths.unit, codePage).trim() || defaultUnit;
  const fullQuantity = formatMilli(item.quantityMilli);
  return {
    name,
    vat: vatOf(item.vatGroup, options),
    price: formatMinor(item.priceMinor),
    fullQuantity,
    // One piece is left out, but not where a unit follows it.
    quantity: item.quantityMilli === 1000 && unit === "" ? "" : fullQuantity,
    department: item.department === undefined ? "" : departmentOf(item.department, index),
    unit,
  };
}

/** A unit without the signs with which a discount, a department or the next field begins. */
function cleanUnit(unit: string | undefined): string {
  return toPrintable(unit ?? "").replace(/[,;#@*$]/g, " ");
}

function departmentOf(department: number, index: number): string {
  if (department > 99) throw new FiscalError("E400", `items.${index}.department: expected 0 to 99`);
  return String(department);
}

/** A name as it is written, on its one or two lines; what does not fit is cut. */
function nameLines(name: string, width: number, lines: 1 | 2): string {
  const letters = Array.from(name.trim());
  const first = letters.slice(0, width).join("");
  const second =
    lines === 2
      ? letters
          .slice(width, 2 * width)
          .join("")
          .trim()
      : "";
  return second === "" ? first : `${first}\n${second}`;
}

function vatOf(group: string, options: PlanOptions): string {
  const { dialect, vatRates } = options;
  const index = groupNumber(group, vatRates);
  const letter = dialect.vatGroups[index - 1];
  if (letter === undefined) throw noSuchGroup(dialect.vatGroups.length);
  if (index <= vatRates.length && vatRates[index - 1] === undefined) {
    throw new FiscalError("E403", `VAT group ${index} is switched off on the device`);
  }
  return letter;
}

/** The values of one payment frame. @throws FiscalError E400 for a tender the device lacks */
export function paymentValues(payment: Payment, dialect: IslDialect): TemplateValues {
  const tender = tenderSign(payment, dialect.tenders);
  return { tender, amount: formatMinor(payment.amountMinor) };
}
