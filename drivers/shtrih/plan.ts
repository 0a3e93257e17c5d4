/**
 * A fiscal document as the device commands that print it. Pure: whatever is wrong with a document
 * for this device is found here, before a byte is sent.
 */

import { FiscalError } from "#core/errors.ts";
import { toLocalTime } from "#core/local-time.ts";
import { lineTotalMinor } from "#core/money.ts";
import type { FiscalDocument, Payment, ReceiptItem } from "#core/receipt.ts";
import { vatGroupIndex } from "#core/vat.ts";
import { toPrintable } from "../shared/codepage.ts";
import { noSuchGroup, originalNumber, requirePrintable } from "../shared/document-faults.ts";
import { refuseModifiers } from "../shared/modifiers.ts";
import { NO_SUMS, type Sums } from "../shared/sums.ts";
import { balanceTenders, tenderSign, tendersTaken } from "../shared/tenders.ts";
import { FACTORY, TENDERS } from "./dialects/factory.ts";
import { fitText, join, textField, uint } from "./fields.ts";
import { passwordOf } from "./operator.ts";
import type { RequestName } from "./requests.ts";

/** One frame of a document. */
export interface Frame {
  readonly request: RequestName;
  readonly parameters: Uint8Array;
}

/** A text or an item, and what the device must count once it was carried out. */
export interface Step extends Frame {
  readonly after: Sums;
}

export interface DocumentPlan {
  readonly kind: "sale" | "storno";
  /** Goes with each frame. */
  readonly password: number;
  readonly open: Frame;
  /** Texts and items, all of which can still be cancelled. */
  readonly lines: readonly Step[];
  /** None: the closing frame pays. */
  readonly payments: readonly [];
  /** The one frame that pays and prints: after it nothing can be cancelled. */
  readonly close: Frame;
  /** What the closing frame pays by tender 1 to 4, minor units. */
  readonly amounts: readonly number[];
  readonly totalMinor: number;
}

export interface PlanOptions {
  readonly timezone: string;
  readonly lineWidth: number;
  /** Tax groups of the model. */
  readonly taxGroups: number;
}

/** Bytes of the text that goes with items, payments and lines. */
export const TEXT_BYTES = 40;
/** Print on the receipt roll alone. */
export const RECEIPT_ROLL = 0x02;
/** What five bytes of the protocol's decimal amounts hold, in minor units. */
const AMOUNT_MAX = 9_999_999_999;

/** Kinds of documents in the opening frame. */
const OPENING = { sale: 0, storno: 2 } as const;
const ITEM = { sale: "sale", storno: "saleReturn" } as const satisfies Record<string, RequestName>;

/** In which tenders these devices pay reversals back: all that they take. */
export const REVERSAL_TENDERS = tendersTaken(TENDERS);

/**
 * Plans a document.
 * @throws FiscalError E201 for what the protocol lacks, E400 to E403 for what is wrong with it
 */
export function planDocument(document: FiscalDocument, options: PlanOptions): DocumentPlan {
  const { kind } = document;
  refuseModifiers(document);
  const lines = planLines(document, options);
  const totalMinor = lines.at(-1)?.after.amountMinor ?? 0;
  const amounts = amountsByTender(document.payments, totalMinor);
  return {
    kind,
    password: passwordOf(document),
    open: { request: "open", parameters: Uint8Array.of(OPENING[kind]) },
    lines,
    payments: [],
    close: { request: "close", parameters: closing(amounts) },
    amounts,
    totalMinor,
  };
}

/** The device tells the amount of its open receipt, and does not count the lines. */
function planLines(document: FiscalDocument, options: PlanOptions): Step[] {
  const texts = planTexts(document, options).map((frame) => ({ ...frame, after: NO_SUMS }));
  let sums = NO_SUMS;
  const items = document.items.map((item, index) => {
    const total = lineTotalMinor(item.priceMinor, item.quantityMilli);
    sums = { ...sums, amountMinor: sums.amountMinor + total };
    const frame = itemFrame(item, index, { request: ITEM[document.kind], ...options });
    return { ...frame, after: sums };
  });
  return [...texts, ...items];
}

/** A line of text on the receipt roll. */
export function textFrame(text: string): Frame {
  return { request: "textLine", parameters: join(RECEIPT_ROLL, textField(text, TEXT_BYTES)) };
}

/** Of a document's number: longer ones no device of any maker gives. */
const NUMBER_DIGITS_MAX = 10;

/** The protocol has no field for the customer or the original, so both are printed as text. */
function planTexts(document: FiscalDocument, { timezone, lineWidth }: PlanOptions): Frame[] {
  const width = Math.min(lineWidth, TEXT_BYTES);
  if (document.kind === "sale") {
    const customer = toPrintable(document.customerCif ?? "").trim();
    return customer === "" ? [] : [textFrame(fitText(`CIF ${customer}`, width))];
  }
  const { receiptNumber, issuedAt, fiscalMemorySerialNumber } = document.original;
  const time = toLocalTime(issuedAt, timezone);
  const date = [time.day, time.month, time.year].map((part) => String(part).padStart(2, "0"));
  const clock = [time.hour, time.minute].map((part) => String(part).padStart(2, "0"));
  const lines = [
    `#${originalNumber(receiptNumber, NUMBER_DIGITS_MAX)} ${date.join(".")} ${clock.join(":")}`,
    fiscalMemorySerialNumber === "" ? "" : `FM ${fiscalMemorySerialNumber}`,
  ];
  return lines.filter((line) => line !== "").map((line) => textFrame(fitText(line, width)));
}

function itemFrame(
  item: ReceiptItem,
  index: number,
  { request, taxGroups }: Pick<PlanOptions, "taxGroups"> & { readonly request: RequestName },
): Frame {
  const name = toPrintable(item.name).trim();
  requirePrintable(`items.${index}.name`, name);
  const department = item.department ?? 0;
  if (department > FACTORY.departmentMax) {
    throw new FiscalError(
      "E400",
      `items.${index}.department: expected 0 to ${FACTORY.departmentMax}`,
    );
  }
  const parameters = join(
    uint(item.quantityMilli, 5),
    uint(item.priceMinor, 5),
    department,
    Uint8Array.of(taxOf(item.vatGroup, taxGroups), 0, 0, 0),
    textField(name, TEXT_BYTES),
  );
  return { request, parameters };
}

function taxOf(group: string, most: number): number {
  const index = vatGroupIndex(group) ?? 0;
  if (index <= most) return index;
  throw noSuchGroup(most);
}

/** Amounts by tender 1..4. */
function amountsByTender(payments: readonly Payment[], totalMinor: number): number[] {
  if (totalMinor > AMOUNT_MAX) throw new FiscalError("E402", "The document's total is too large");
  const amounts = [0, 0, 0, 0];
  for (const payment of balanceTenders(payments, totalMinor)) {
    const tender = tenderSign(payment, TENDERS);
    amounts[tender - 1] = (amounts[tender - 1] ?? 0) + payment.amountMinor;
  }
  return amounts;
}

/** 85h: the tenders, no discount, no taxes of its own (the items have theirs), no text. */
function closing(amounts: readonly number[]): Uint8Array {
  return join(
    ...amounts.map((amount) => uint(amount, 5)),
    uint(0, 2),
    Uint8Array.of(0, 0, 0, 0),
    textField("", TEXT_BYTES),
  );
}
