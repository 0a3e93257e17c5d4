/**
 * The books as the control port shows them. Amounts are integers in minor units, quantities in
 * thousandths, rates in hundredths of a percent, times the device's local time without a zone.
 */

import type { Books, VatGroup, ZRecord } from "./books.ts";
import type { Amounts, CancelledReceipt, ReceiptPart, ReceiptRecord } from "./receipt.ts";
import { sumOf, taxMinor } from "./reckoning.ts";

export interface ViewOptions {
  /** The device's clock, in milliseconds of its local time. */
  readonly clock: number;
  /** Frames received since the simulator started. */
  readonly frames: number;
  /** Those of them that a host had sent before. */
  readonly repeats: number;
  /** True while an answer is held until it is released. */
  readonly isHolding: boolean;
  /** Show only receipts with a document number above this. */
  readonly after: number;
  readonly device: Readonly<Record<string, string>>;
}

/** Everything `GET /books` answers. */
export function viewBooks(books: Books, options: ViewOptions): Record<string, unknown> {
  const { conditions, day } = books;
  return {
    device: options.device,
    receipts: Array.from(books.receipts.after(options.after), (record) =>
      viewReceipt(record, ratesOf(books, record.zNumber)),
    ),
    receiptCount: books.receipts.count,
    lastReceiptNumber: books.receipts.lastNumber,
    cancelled: cancelledAfter(books, options.after).map(viewCancelled),
    documentNumber: books.documentNumber,
    zNumber: books.zNumber,
    zReports: books.zRecords.map(shownZ),
    day: {
      openedAt: timeText(day.openedAt),
      documents: day.documentCount,
      sales: day.saleCount,
      stornos: day.stornoCount,
      vat: viewVat(day.sales, books.vat),
      stornoVat: viewVat(day.stornos, books.vat),
      payments: viewTenders(day.salePayments),
      stornoPayments: viewTenders(day.stornoPayments),
      cashIn: day.cashInMinor,
      cashOut: day.cashOutMinor,
    },
    cash: books.cashMinor,
    openDocument: viewOpen(books),
    clock: {
      time: timeText(options.clock),
      offsetMs: books.clockOffsetMs + conditions.clockShiftMs,
      set: !conditions.clockLost,
    },
    conditions,
    header: books.header,
    footer: books.footer,
    vatRates: books.vat.map(({ rateBasisPoints, enabled }, index) => ({
      group: index + 1,
      rateBasisPoints,
      enabled,
    })),
    operators: books.operators.map(({ name }, index) => ({ number: index + 1, name })),
    settings: books.settings,
    frames: options.frames,
    repeats: options.repeats,
    holding: options.isHolding,
  };
}

/** The rates that were in force when the receipts of this fiscal day were printed. */
function ratesOf(books: Books, zNumber: number): readonly VatGroup[] {
  return books.zRecords[zNumber - 1]?.rates ?? books.vat;
}

function viewReceipt(record: ReceiptRecord, rates: readonly VatGroup[]): Record<string, unknown> {
  return {
    number: record.number,
    dayNumber: record.dayNumber ?? null,
    kind: record.kind,
    total: record.totalMinor,
    paid: record.paidMinor,
    change: record.changeMinor,
    vat: viewVat(record.groups, rates),
    payments: viewPayments(record.parts),
    items: viewItems(record.parts),
    texts: record.parts.flatMap((part) => (part.part === "text" ? [part.text] : [])),
    subtotalAdjustment: sumOf(
      record.parts.map((part) => (part.part === "subtotal" ? sumOf(part.adjustments) : 0)),
    ),
    usn: record.uniqueSaleNumber ?? null,
    time: timeText(record.closedAt),
    openedAt: timeText(record.openedAt),
    operator: record.operator,
    till: record.till,
    zNumber: record.zNumber,
    invoice: record.invoice ?? null,
    buyer: record.buyer ?? null,
    ...(record.kind === "storno"
      ? { reason: record.reason, original: viewOriginal(record.original) }
      : {}),
  };
}

function viewOriginal(original: ReceiptRecord["original"]): Record<string, unknown> | null {
  if (!original) return null;
  return {
    number: original.number,
    time: timeText(original.issuedAt),
    fiscalMemory: original.fiscalMemory,
    usn: original.uniqueSaleNumber ?? null,
  };
}

/** They stand in the order of their numbers, so that those looked for are the last ones. */
function cancelledAfter({ cancelled }: Books, after: number): readonly CancelledReceipt[] {
  return cancelled.slice(cancelled.findLastIndex(({ number }) => number <= after) + 1);
}

function viewCancelled(record: CancelledReceipt): Record<string, unknown> {
  return {
    number: record.number,
    kind: record.kind,
    total: record.totalMinor,
    items: viewItems(record.parts),
    usn: record.uniqueSaleNumber ?? null,
    time: timeText(record.cancelledAt),
  };
}

function viewOpen(books: Books): Record<string, unknown> | null {
  const { open } = books;
  if (!open) return null;
  if (open.open === "service") {
    const lines = open.lines.map((line) => (typeof line === "string" ? line : line.text));
    return { number: open.number, kind: "text", lines };
  }
  return {
    number: open.head.number,
    dayNumber: open.head.dayNumber ?? null,
    kind: open.head.kind,
    total: open.totalMinor,
    paid: open.paidMinor,
    paymentStarted: open.paymentStarted,
    vat: viewVat(open.groups, books.vat),
    payments: viewPayments(open.parts),
    items: viewItems(open.parts),
    usn: open.head.uniqueSaleNumber ?? null,
  };
}

/** Views of Z reports, each made once: what is in fiscal memory stays as it was written. */
const SHOWN_Z = new WeakMap<ZRecord, Readonly<Record<string, unknown>>>();

function shownZ(record: ZRecord): Readonly<Record<string, unknown>> {
  const shown = SHOWN_Z.get(record);
  if (shown) return shown;
  const view = viewZ(record);
  SHOWN_Z.set(record, view);
  return view;
}

function viewZ(record: ZRecord): Record<string, unknown> {
  return {
    zNumber: record.zNumber,
    documentNumber: record.documentNumber,
    openedAt: timeText(record.openedAt),
    closedAt: timeText(record.closedAt),
    sales: record.saleCount,
    stornos: record.stornoCount,
    total: sumOf(record.sales),
    stornoTotal: sumOf(record.stornos),
    vat: viewVat(record.sales, record.rates),
    stornoVat: viewVat(record.stornos, record.rates),
    payments: viewTenders(record.salePayments),
    stornoPayments: viewTenders(record.stornoPayments),
    cashIn: record.cashInMinor,
    cashOut: record.cashOutMinor,
  };
}

function viewVat(turnover: Amounts, rates: readonly VatGroup[]): Record<string, unknown>[] {
  return turnover.flatMap((amount, index) => {
    if (amount === 0) return [];
    const rateBasisPoints = rates[index]?.rateBasisPoints ?? 0;
    return [
      {
        group: index + 1,
        rateBasisPoints,
        turnover: amount,
        tax: taxMinor(amount, rateBasisPoints),
      },
    ];
  });
}

function viewPayments(parts: readonly ReceiptPart[]): Record<string, unknown>[] {
  return parts.flatMap((part) =>
    part.part === "payment"
      ? [{ method: part.tender, amount: part.amountMinor, change: part.changeMinor }]
      : [],
  );
}

function viewTenders(tenders: Readonly<Record<string, number>>): Record<string, unknown>[] {
  return Object.entries(tenders).map(([method, amount]) => ({ method, amount }));
}

function viewItems(parts: readonly ReceiptPart[]): Record<string, unknown>[] {
  return parts.flatMap((part, index) => {
    if (part.part !== "sale") return [];
    const laterMinor = adjustedLaterMinor(parts, index);
    return [
      {
        name: part.name,
        group: part.group,
        price: part.priceMinor,
        quantity: part.quantityMilli,
        adjustment: part.adjustmentMinor + laterMinor,
        total: part.totalMinor + laterMinor,
        department: part.department ?? null,
        unit: part.unit ?? null,
      },
    ];
  });
}

/** What adjustments of their own changed in the line at `index`: those before the next line. */
function adjustedLaterMinor(parts: readonly ReceiptPart[], index: number): number {
  let sum = 0;
  for (const part of parts.slice(index + 1)) {
    if (part.part === "sale") break;
    if (part.part === "adjustment") sum += part.amountMinor;
  }
  return sum;
}

/** A device instant as `2024-03-15T14:05:09`; null for none. */
export function timeText(at: number | null | undefined): string | null {
  return at === null || at === undefined ? null : new Date(at).toISOString().slice(0, 19);
}
