/** The paper of a simulated device: documents as text, as wide as the model prints. */

import { formatMilli, formatMinor } from "#core/money.ts";
import type {
  Amounts,
  Books,
  CancelledReceipt,
  DayTotals,
  PrintedDocument,
  ReceiptHead,
  ReceiptPart,
  ReceiptRecord,
  VatGroup,
} from "./books.ts";
import { timeText } from "./books-view.ts";
import { sumOf, taxMinor } from "./reckoning.ts";

/** What a model prints on every document. */
export interface PaperLayout {
  readonly columns: number;
  /** Letter of VAT group 1, 2, ... */
  readonly groupLetters: readonly string[];
  readonly serialNumber: string;
  readonly fiscalMemory: string;
  readonly taxId: string;
}

type PaperBooks = Pick<Books, "header" | "footer" | "vat">;

/** Renders a printed document, one string per line of paper. */
export function renderDocument(
  document: PrintedDocument,
  books: PaperBooks,
  layout: PaperLayout,
): string[] {
  const sheet = new Sheet(layout.columns);
  sheet.centred(...books.header.filter((line) => line !== ""), layout.taxId);
  sheet.rule();
  printBody(sheet, document, { vat: books.vat, layout });
  sheet.rule();
  sheet.centred(...books.footer.filter((line) => line !== ""));
  sheet.pair(layout.serialNumber, layout.fiscalMemory);
  sheet.lines.push("");
  return sheet.lines;
}

/** Renders what is on paper of the document that is open now. */
export function renderOpenDocument(books: Books, layout: PaperLayout): string[] {
  const { open } = books;
  if (!open) return [];
  const sheet = new Sheet(layout.columns);
  if (open.open === "service") {
    sheet.wrapped(...open.lines);
  } else {
    printHead(sheet, open.head);
    printParts(sheet, open.parts, layout);
  }
  sheet.centred("(not finished)");
  return sheet.lines;
}

interface Printing {
  readonly vat: readonly VatGroup[];
  readonly layout: PaperLayout;
}

function printBody(sheet: Sheet, document: PrintedDocument, printing: Printing): void {
  switch (document.document) {
    case "receipt":
      printReceipt(sheet, document.record, printing);
      break;
    case "cancelled":
      printCancelled(sheet, document.record, printing.layout);
      break;
    case "duplicate":
      sheet.centred("DUPLICATE");
      printReceipt(sheet, document.of, printing);
      sheet.pair("Service document", String(document.number));
      break;
    case "text":
      sheet.wrapped(...document.lines);
      serviceEnd(sheet, document);
      break;
    case "cash":
      sheet.centred(document.amountMinor > 0 ? "CASH IN" : "CASH OUT");
      sheet.amount("Amount", Math.abs(document.amountMinor));
      sheet.amount("Cash in drawer", document.cashMinor);
      serviceEnd(sheet, document);
      break;
    case "x_report":
      sheet.centred("X REPORT");
      printTotals(sheet, document.totals, printing);
      serviceEnd(sheet, document);
      break;
    case "z_report":
      sheet.centred(`Z REPORT ${String(document.record.zNumber).padStart(4, "0")}`);
      printTotals(sheet, document.record, { ...printing, vat: document.record.rates });
      serviceEnd(sheet, document);
      break;
    case "diagnostic":
      sheet.centred("DIAGNOSTIC");
      serviceEnd(sheet, document);
      break;
    default:
      document satisfies never;
  }
}

function printReceipt(sheet: Sheet, record: ReceiptRecord, { vat, layout }: Printing): void {
  printHead(sheet, record);
  const firstPayment = record.parts.findIndex(({ part }) => part === "payment");
  printParts(sheet, record.parts.slice(0, firstPayment), layout);
  sheet.amount("TOTAL", record.totalMinor);
  printParts(sheet, record.parts.slice(firstPayment), layout);
  if (record.changeMinor > 0) sheet.amount("Change", record.changeMinor);
  printVat(sheet, record.groups, { vat, layout });
  if (record.invoice !== undefined) sheet.pair("Invoice", String(record.invoice).padStart(10, "0"));
  for (const line of record.buyer ?? []) if (line !== "") sheet.wrapped(line);
  sheet.pair(timeText(record.closedAt) ?? "", String(record.number).padStart(7, "0"));
  sheet.centred(record.kind === "sale" ? "FISCAL RECEIPT" : "STORNO RECEIPT");
}

function printCancelled(sheet: Sheet, record: CancelledReceipt, layout: PaperLayout): void {
  printHead(sheet, record);
  printParts(sheet, record.parts, layout);
  sheet.centred("* CANCELLED *");
  sheet.pair(timeText(record.cancelledAt) ?? "", String(record.number).padStart(7, "0"));
}

function printHead(sheet: Sheet, head: ReceiptHead): void {
  sheet.pair(`Operator ${head.operator}`, `Till ${head.till}`);
  if (head.uniqueSaleNumber) sheet.pair("USN", head.uniqueSaleNumber);
  if (head.kind !== "storno") return;
  sheet.centred("STORNO", (head.reason ?? "").toUpperCase());
  if (head.original) {
    sheet.pair("Of receipt", String(head.original.number).padStart(7, "0"));
    sheet.pair("Fiscal memory", head.original.fiscalMemory);
  }
}

function printParts(sheet: Sheet, parts: readonly ReceiptPart[], layout: PaperLayout): void {
  for (const part of parts) {
    switch (part.part) {
      case "sale":
        if (part.priceMinor < 0) sheet.wrapped("VOID");
        if (part.quantityMilli !== 1000 || part.unit) {
          const quantity = `${formatMilli(part.quantityMilli)}${part.unit ? ` ${part.unit}` : ""}`;
          sheet.pair("", `${quantity} x ${formatMinor(part.priceMinor)}`);
        }
        sheet.pair(
          part.name,
          `${formatMinor(part.totalMinor - part.adjustmentMinor)} ${letterOf(layout, part.group)}`,
        );
        if (part.adjustmentMinor !== 0) printAdjustment(sheet, part.adjustmentMinor);
        break;
      case "text":
        sheet.wrapped(part.text);
        break;
      case "subtotal": {
        const adjustment = sumOf(part.adjustments);
        if (part.printed) sheet.amount("Subtotal", part.totalMinor - adjustment);
        if (adjustment !== 0) printAdjustment(sheet, adjustment);
        break;
      }
      case "payment":
        sheet.amount(part.tender, part.amountMinor);
        break;
      default:
        part satisfies never;
    }
  }
}

function printAdjustment(sheet: Sheet, amountMinor: number): void {
  sheet.amount(amountMinor < 0 ? "Discount" : "Surcharge", amountMinor);
}

function printTotals(sheet: Sheet, totals: Readonly<DayTotals>, printing: Printing): void {
  sheet.pair("Receipts", String(totals.saleCount));
  sheet.amount("Turnover", sumOf(totals.sales));
  printVat(sheet, totals.sales, printing);
  sheet.pair("Storno receipts", String(totals.stornoCount));
  sheet.amount("Storno", sumOf(totals.stornos));
  printVat(sheet, totals.stornos, printing);
  for (const [tender, amount] of Object.entries(totals.salePayments)) sheet.amount(tender, amount);
  sheet.amount("Cash in", totals.cashInMinor);
  sheet.amount("Cash out", totals.cashOutMinor);
}

function printVat(sheet: Sheet, turnover: Amounts, { vat, layout }: Printing): void {
  for (const [index, amount] of turnover.entries()) {
    if (amount === 0) continue;
    const rate = vat[index]?.rateBasisPoints ?? 0;
    const letter = letterOf(layout, index + 1);
    sheet.pair(
      `${letter} ${formatMinor(rate)}% ${formatMinor(amount)}`,
      formatMinor(taxMinor(amount, rate)),
    );
  }
}

function letterOf(layout: PaperLayout, group: number): string {
  return layout.groupLetters[group - 1] ?? "?";
}

function serviceEnd(sheet: Sheet, { number, at }: { number: number; at: number }): void {
  sheet.pair(timeText(at) ?? "", String(number).padStart(7, "0"));
  sheet.centred("SERVICE DOCUMENT");
}

/** Lines of a fixed width. */
class Sheet {
  readonly lines: string[] = [];
  readonly #columns: number;

  constructor(columns: number) {
    this.#columns = columns;
  }

  centred(...texts: readonly string[]): void {
    for (const text of texts) {
      const cut = text.slice(0, this.#columns);
      this.lines.push(" ".repeat((this.#columns - cut.length) >> 1) + cut);
    }
  }

  /** Left and right on one line; on two when both do not fit. */
  pair(left: string, right: string): void {
    const gap = this.#columns - left.length - right.length;
    if (gap >= 1) {
      this.lines.push(left + " ".repeat(gap) + right);
      return;
    }
    this.wrapped(left);
    this.lines.push(right.slice(0, this.#columns).padStart(this.#columns));
  }

  amount(label: string, amountMinor: number): void {
    this.pair(label, formatMinor(amountMinor));
  }

  wrapped(...texts: readonly string[]): void {
    for (const text of texts) {
      let rest = text;
      do {
        this.lines.push(rest.slice(0, this.#columns));
        rest = rest.slice(this.#columns);
      } while (rest !== "");
    }
  }

  rule(): void {
    this.lines.push("-".repeat(this.#columns));
  }
}
