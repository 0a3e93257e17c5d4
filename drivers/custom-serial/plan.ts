/**
 * A fiscal document as the actions that print it. Pure: whatever is wrong with a document for this
 * device is found here, before a byte is sent.
 */

import type { AdjustmentStep } from "#core/adjustments.ts";
import { FiscalError } from "#core/errors.ts";
import { toLocalTime } from "#core/local-time.ts";
import { lineTotalMinor } from "#core/money.ts";
import type {
  FiscalDocument,
  Payment,
  PaymentMethod,
  ReceiptItem,
  StornoDocument,
} from "#core/receipt.ts";
import { documentTotalMinor } from "#core/receipt-total.ts";
import { noZeroRate, originalNumber, requirePrintable } from "../shared/document-faults.ts";
import type { DocumentStep } from "../shared/document-protocol.ts";
import { adjustmentsOf, modifiersOf } from "../shared/modifiers.ts";
import { NO_SUMS, type Sums } from "../shared/sums.ts";
import {
  balanceTenders,
  type PaidDocument,
  payFor,
  tenderSign,
  tendersTaken,
} from "../shared/tenders.ts";
import type { ActionName } from "./actions.ts";
import { lacks, type Profile } from "./compile-profile.ts";
import { render, type Values } from "./template.ts";
import { deviceText, fitText } from "./text.ts";

/** One action of a document. */
interface Frame {
  readonly name: ActionName;
  readonly values: Values;
}

/** The same, and what the device must count once it was carried out. */
export type Step = Frame & DocumentStep;

export interface DocumentPlan extends PaidDocument<Step> {
  /** What opens a storno; a sale is opened by its first line. */
  readonly opening: Values | undefined;
}

export interface PlanOptions {
  readonly profile: Profile;
  readonly timezone: string;
  /** The device's own serial number; an original of another device is named with its number. */
  readonly serialNumber: string | null;
  /** Code of the VAT group for exempt articles; undefined while it is not known. */
  readonly exemptGroup: string | undefined;
}

/** `ZZZZ-NNNN`: the Z report that closed the day, and the number within that day. */
const FISCAL_ID = /^(\d{4})-(\d{4})$/;
/** Of a document's number within its day. */
const NUMBER_DIGITS_MAX = 4;
const SERIAL = /^[A-Za-z0-9]{9,11}$/;

/** In which tenders a device of the profile pays reversals back; none where it prints none. */
export function reversalTenders({ commands, tenders }: Profile): readonly PaymentMethod[] {
  return commands.has("stornoOpen") ? tendersTaken(tenders) : [];
}

/**
 * Plans a document.
 * @throws FiscalError E201 for what the device lacks, E400 to E403 for what is wrong with it
 */
export function planDocument(document: FiscalDocument, options: PlanOptions): DocumentPlan {
  const opening = document.kind === "storno" ? originalOf(document, options) : undefined;
  const lines = planLines(document, options);
  const paid = payFor<Frame>(lines, document.payments, (payment) => ({
    name: "payment",
    values: paymentValues(payment, options.profile),
  }));
  const plan = { opening, ...paid };
  requireFit(plan, options.profile);
  return plan;
}

/** What a document comes to and is paid with, whatever device is to print it. */
export type DocumentSums = Pick<DocumentPlan, "tenders" | "paid">;

/**
 * The sums of a document in doubt: its frames are not sent, and the profile may have been another one
 * when they were.
 */
export function sumsOf(document: FiscalDocument): DocumentSums {
  const amountMinor = documentTotalMinor(document.items, modifiersOf(document));
  const tenders = balanceTenders(document.payments, amountMinor);
  return { tenders, paid: { ...NO_SUMS, amountMinor, paidMinor: amountMinor } };
}

/** Writes each command once, so that a value that does not fit is found before any is sent. */
function requireFit({ opening, lines, payments }: DocumentPlan, profile: Profile): void {
  const steps = [
    ...lines,
    ...payments,
    ...(opening ? [{ name: "stornoOpen", values: opening } as const] : []),
  ];
  for (const { name, values } of steps) {
    const command = profile.commands.get(name);
    if (!command) throw lacks(profile, name);
    const body = render(command.template, values);
    if (body.length > profile.format.bodyBytesMax) {
      throw new FiscalError("E400", `A line is longer than ${profile.format.bodyBytesMax} bytes`);
    }
  }
}

function originalOf({ original }: StornoDocument, options: PlanOptions): Values {
  const { receiptNumber, zReportNumber, fiscalMemorySerialNumber: serial } = original;
  const [, idZ, idNumber] = FISCAL_ID.exec(receiptNumber) ?? [];
  const zText = zReportNumber ?? idZ;
  if (zText === undefined) {
    throw new FiscalError("E401", "originalZReportNumber: this device finds receipts by it");
  }
  const number = originalNumber(idNumber ?? receiptNumber, NUMBER_DIGITS_MAX);
  if (!/^\d{1,4}$/.test(zText)) {
    throw new FiscalError("E400", "originalZReportNumber: expected 1 to 4 digits");
  }
  const zNumber = Number(zText);
  if (idZ !== undefined && zNumber !== Number(idZ)) {
    throw new FiscalError("E400", "originalZReportNumber: the receipt's number names another one");
  }
  return {
    ...{ zNumber, number },
    date: toLocalTime(original.issuedAt, options.timezone),
    serial: foreignSerial(serial, options),
  };
}

/** Empty for an original of this device. */
function foreignSerial(serial: string, { serialNumber }: PlanOptions): string {
  if (serial === "" || serial === serialNumber) return "";
  if (!SERIAL.test(serial)) {
    throw new FiscalError("E400", "fiscalMemorySerialNumber: expected 9 to 11 letters and digits");
  }
  return serial;
}

/** Texts stand behind the first sale: it is what opens the receipt. */
function planLines(document: FiscalDocument, options: PlanOptions): Step[] {
  const steps: Step[] = [];
  let sums: Sums = NO_SUMS;
  const totals = new Map<string, number>();
  for (const [index, item] of document.items.entries()) {
    const total = lineTotalMinor(item.priceMinor, item.quantityMilli);
    const vat = vatCode(item.vatGroup, options);
    totals.set(vat, (totals.get(vat) ?? 0) + total);
    sums = { ...sums, amountMinor: sums.amountMinor + total };
    const values = saleValues(item, { index, vat, total }, options.profile);
    steps.push({ name: "sale", values, after: sums });
    if (index === 0) steps.push(...planTexts(document, sums, options.profile));
  }
  for (const adjustment of adjustmentsOf(document, totals)) {
    steps.push(...planAdjustment(adjustment, sums, options.profile));
    sums = { ...sums, amountMinor: adjustment.sumMinor };
  }
  return steps;
}

function planTexts(document: FiscalDocument, after: Sums, profile: Profile): Step[] {
  const { saleNumber, customer } = profile.text;
  const texts = [
    // The protocol has no field for either: they are printed, where a text can be.
    ["uniqueSaleNumber", saleNumber, document.uniqueSaleNumber],
    ["customerCif", customer, document.kind === "sale" ? document.customerCif : undefined],
  ] as const;
  if (!profile.commands.has("text")) return [];
  return texts.flatMap(([field, before, text]): Step[] => {
    if (text === undefined || text.trim() === "") return [];
    const width = profile.limits.receiptText;
    const line = fitText(before + text, { field, width }, profile);
    return [{ name: "text", values: { text: line }, after }];
  });
}

function saleValues(
  item: ReceiptItem,
  line: { readonly index: number; readonly vat: string; readonly total: number },
  profile: Profile,
): Values {
  const { limits } = profile;
  const path = `items.${line.index}`;
  const text = fitText(
    item.name.trim(),
    { field: `${path}.name`, width: limits.itemText },
    profile,
  );
  requirePrintable(`${path}.name`, text.trim());
  if (item.department !== undefined && item.department > limits.departments) {
    throw new FiscalError("E400", `${path}.department: expected 0 to ${limits.departments}`);
  }
  return {
    text,
    quantity: item.quantityMilli,
    price: fits(item.priceMinor, `${path}.price`, profile),
    total: fits(line.total, `${path}.price`, profile),
    department: item.department || limits.department,
    vat: line.vat,
  };
}

function fits(amountMinor: number, path: string, { limits }: Profile): number {
  if (amountMinor <= limits.amountMinor) return amountMinor;
  throw new FiscalError("E402", `${path}: larger than this device takes`);
}

/**
 * An adjustment of the whole receipt. Devices that adjust only the subtotal of one VAT group get
 * a part for each group, in proportion to what the receipt holds of it: the tax is then the same as
 * if each line had been reduced, which is what a discount on the whole receipt means.
 */
function planAdjustment(
  { kind, amountMinor, parts, sumMinor }: AdjustmentStep,
  before: Sums,
  profile: Profile,
): Step[] {
  const sign = kind === "discount" ? -1 : 1;
  const whole = kind === "discount" ? "receiptDiscount" : "receiptSurcharge";
  if (profile.commands.has(whole)) {
    const after = { ...before, amountMinor: sumMinor };
    const amount = fits(amountMinor, "subtotalModifiers", profile);
    return [{ name: whole, values: { amount }, after }];
  }
  let after = before;
  return parts.map(([vat, part]) => {
    after = { ...after, amountMinor: after.amountMinor + sign * part };
    const values = {
      vat,
      amount: fits(part, "subtotalModifiers", profile),
      department: profile.limits.department,
      text: profile.text[kind],
    };
    return { name: kind === "discount" ? "groupDiscount" : "groupSurcharge", values, after };
  });
}

function vatCode(group: string, { profile, exemptGroup }: PlanOptions): string {
  if (group === "exempt") {
    const code = profile.vat.exempt ?? exemptGroup;
    if (code !== undefined) return code;
    throw noZeroRate();
  }
  const code = profile.vat.groups[group];
  if (code !== undefined) return code;
  const known = Object.keys(profile.vat.groups).join(", ");
  throw new FiscalError("E403", `This device has the VAT groups ${known}`);
}

/** The values of one payment. @throws FiscalError E400 for a tender the device lacks */
export function paymentValues(payment: Payment, profile: Profile): Values {
  return {
    tender: tenderSign(payment, profile.tenders),
    text: deviceText(profile.text.payment, "payment", profile),
    amount: fits(payment.amountMinor, "payments", profile),
  };
}
