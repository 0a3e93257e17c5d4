/** The paper of a simulated device: documents laid out into lines, as wide as the model prints. */

import { formatMilli, formatMinor } from "#core/money.ts";
import type {
  Books,
  DayTotals,
  OperatorRow,
  PaperTop,
  PrintedDocument,
  ServiceLine,
  VatGroup,
} from "../books/books.ts";
import { timeText } from "../books/books-view.ts";
import { begunOf, endOf, lastBegun, topOf } from "../books/editions.ts";
import type {
  Amounts,
  CancelledReceipt,
  ReceiptHead,
  ReceiptPart,
  ReceiptRecord,
  SaleLine,
} from "../books/receipt.ts";
import { sumOf, taxMinor } from "../books/reckoning.ts";
import { pictureOfRows } from "./dots.ts";
import { type Look, type PaperLine, PLAIN, plainText, type TextForm } from "./line.ts";
import { Sheet } from "./sheet.ts";

/** What a model prints on every document. */
export interface PaperLayout {
  readonly columns: number;
  /** Dots across the columns, 8 to the millimetre; 12 for each column when absent. */
  readonly printDots?: number;
  /** Letter of VAT group 1, 2, ... */
  readonly groupLetters: readonly string[];
  readonly serialNumber: string;
  readonly fiscalMemory: string;
  readonly taxId: string;
  /** Letters of the emblem on fiscal documents; without, their last line is text alone. */
  readonly fiscalLetters?: string;
  /** The QR code that fiscal receipts carry. */
  readonly receiptCode?: "bulgaria";
  /** Name of the setting that holds 0 while the logo is not printed. */
  readonly logoSetting?: string;
  /** Says above and below each document that it is none, so that no customer is handed one. */
  readonly isMarked?: boolean;
}

type PaperBooks = Pick<
  Books,
  "header" | "footer" | "vat" | "logo" | "settings" | "pastTops" | "pastEnds"
>;

const BOLD: Look = { bold: true };
const TITLE: Look = { bold: true, doubleHeight: true, doubleWidth: true };
const TOTAL: Look = { bold: true, doubleHeight: true };
const CODE_DOTS = 4;
/** Stands on paper that is no receipt. */
const SIMULATED_MARK = "SIMULATED";

/** Lays a printed document out. */
export function layDocument(
  document: PrintedDocument,
  books: PaperBooks,
  layout: PaperLayout,
): readonly PaperLine[] {
  const sheet = new Sheet(layout.columns);
  const begun = begunOf(document);
  // A duplicate repeats the amounts of its receipt, at the rates of that day.
  const isDuplicate = document.document === "duplicate";
  const taxed = isDuplicate ? (document.ofBegun ?? document.of.number) : begun;
  printTop(sheet, topOf(books, begun), layout);
  printBody(sheet, document, { vat: endOf(books, taxed).vat, layout });
  sheet.rule();
  for (const line of endOf(books, begun).footer.filter(isPrinted)) placeLine(sheet, line);
  sheet.pair(layout.serialNumber, layout.fiscalMemory);
  if (layout.isMarked) printMark(sheet);
  return sheet.lines;
}

/**
 * Lays out what is on paper of the document that is open now: the lines that the finished
 * document will begin with.
 */
export function layOpenDocument(books: Books, layout: PaperLayout): readonly PaperLine[] {
  const sheet = new Sheet(layout.columns);
  const { open } = books;
  if (!open) return sheet.lines;
  printTop(sheet, topOf(books, lastBegun(books)), layout);
  printOpenBody(sheet, open, layout);
  return sheet.lines;
}

/** Renders a printed document as text, one string per line of paper. */
export function renderDocument(
  document: PrintedDocument,
  books: PaperBooks,
  layout: PaperLayout,
): string[] {
  return [...textLines(layDocument(document, books, layout), layout), ""];
}

/** Renders what is on paper of the document that is open now, less its header, as text. */
export function renderOpenDocument(books: Books, layout: PaperLayout): string[] {
  if (!books.open) return [];
  const sheet = new Sheet(layout.columns);
  printOpenBody(sheet, books.open, layout);
  sheet.centred(PLAIN, "(not finished)");
  return textLines(sheet.lines, layout);
}

function textLines(lines: readonly PaperLine[], { columns }: PaperLayout): string[] {
  return lines.flatMap((line) => plainText(line, columns) ?? []);
}

/** Lines that were programmed to nothing take no paper; some hosts write a blank for nothing. */
function isPrinted(line: string): boolean {
  return line.trim() !== "";
}

/** In the middle, but where blanks in front of it say where it stands. */
function placeLine(sheet: Sheet, line: string, look: Look = PLAIN): void {
  if (line.startsWith(" ")) sheet.cut(line, look);
  else sheet.centred(look, line);
}

interface Printing {
  readonly vat: readonly VatGroup[];
  readonly layout: PaperLayout;
}

/** No setting of the device takes it away: it is not of the device. */
function printMark(sheet: Sheet): void {
  sheet.centred(TITLE, SIMULATED_MARK);
  sheet.centred(PLAIN, "NO FISCAL DOCUMENT");
}

function printTop(sheet: Sheet, top: PaperTop, layout: PaperLayout): void {
  if (layout.isMarked) printMark(sheet);
  const isLogoOn = layout.logoSetting === undefined || top.settings[layout.logoSetting] !== "0";
  const logo = isLogoOn ? pictureOfRows(top.logo ?? []) : undefined;
  if (logo) sheet.picture(logo);
  const [first, ...others] = top.header.filter(isPrinted);
  if (first !== undefined) placeLine(sheet, first, BOLD);
  for (const line of others) placeLine(sheet, line);
  sheet.centred(PLAIN, layout.taxId);
  sheet.rule();
}

function printOpenBody(sheet: Sheet, open: NonNullable<Books["open"]>, layout: PaperLayout): void {
  if (open.open === "service") {
    for (const line of open.lines) printServiceLine(sheet, line);
    return;
  }
  printHead(sheet, open.head);
  printParts(sheet, open.parts, { layout, totalMinor: open.totalMinor });
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
      sheet.centred(TITLE, "DUPLICATE");
      printReceipt(sheet, document.of, printing);
      sheet.pair("Service document", String(document.number));
      break;
    case "text":
      for (const line of document.lines) printServiceLine(sheet, line);
      serviceEnd(sheet, document);
      break;
    case "cash":
      sheet.centred(TITLE, document.amountMinor > 0 ? "CASH IN" : "CASH OUT");
      sheet.amount("Amount", Math.abs(document.amountMinor));
      sheet.amount("Cash in drawer", document.cashMinor);
      if (document.text) sheet.wrapped(document.text);
      serviceEnd(sheet, document);
      break;
    case "x_report":
      sheet.centred(TITLE, "X REPORT");
      printTotals(sheet, document.totals, printing);
      serviceEnd(sheet, document);
      break;
    case "z_report":
      sheet.centred(TITLE, `Z REPORT ${String(document.record.zNumber).padStart(4, "0")}`);
      printTotals(sheet, document.record, { ...printing, vat: document.record.rates });
      serviceEnd(sheet, document);
      break;
    case "departments":
      sheet.centred(TITLE, "DEPARTMENTS");
      printDepartments(sheet, document.totals);
      serviceEnd(sheet, document);
      break;
    case "memory_report":
      sheet.centred(TITLE, "FISCAL MEMORY");
      sheet.pair(timeText(document.from) ?? "", timeText(document.to) ?? "");
      sheet.pair("Z reports", String(document.zReports));
      sheet.amount("Sales", document.salesMinor);
      sheet.amount("Stornos", document.stornosMinor);
      serviceEnd(sheet, document);
      break;
    case "operators":
      sheet.centred(TITLE, "OPERATORS");
      for (const row of document.rows) printOperator(sheet, row);
      serviceEnd(sheet, document);
      break;
    case "diagnostic":
      sheet.centred(TITLE, "DIAGNOSTIC");
      serviceEnd(sheet, document);
      break;
    default:
      document satisfies never;
  }
}

function printReceipt(sheet: Sheet, record: ReceiptRecord, { vat, layout }: Printing): void {
  printHead(sheet, record);
  printParts(sheet, record.parts, { layout, totalMinor: record.totalMinor });
  if (!record.parts.some(({ part }) => part === "payment")) printTotal(sheet, record.totalMinor);
  if (record.changeMinor > 0) sheet.amount("Change", record.changeMinor);
  printVat(sheet, record.groups, { vat, layout });
  if (record.invoice !== undefined) sheet.pair("Invoice", String(record.invoice).padStart(10, "0"));
  for (const line of record.buyer ?? []) if (line !== "") sheet.wrapped(line);
  printNumber(sheet, record.closedAt, record.number);
  if (layout.receiptCode) sheet.code(receiptCodeText(record, layout), "qr", CODE_DOTS);
  const title = record.kind === "sale" ? "FISCAL RECEIPT" : "STORNO RECEIPT";
  // The emblem is what makes paper look fiscal.
  if (layout.isMarked) sheet.centred(TITLE, SIMULATED_MARK);
  else if (layout.fiscalLetters === undefined) sheet.centred(TITLE, title);
  else sheet.fiscalMark(layout.fiscalLetters, title);
}

/**
 * What the code on a Bulgarian receipt says: number of the fiscal memory, of the receipt, date,
 * time, amount. Source: Ordinance H-18 of the Bulgarian Ministry of Finance, annex 1.
 */
function receiptCodeText(record: ReceiptRecord, { fiscalMemory }: PaperLayout): string {
  const [date = "", time = ""] = (timeText(record.closedAt) ?? "").split("T");
  const number = String(record.number).padStart(7, "0");
  return [fiscalMemory, number, date, time, formatMinor(record.totalMinor)].join("*");
}

function printNumber(sheet: Sheet, at: number, number: number): void {
  sheet.pair(timeText(at) ?? "", String(number).padStart(7, "0"), { right: BOLD });
}

function printTotal(sheet: Sheet, totalMinor: number): void {
  sheet.amount("TOTAL", totalMinor, TOTAL);
}

function printCancelled(sheet: Sheet, record: CancelledReceipt, layout: PaperLayout): void {
  printHead(sheet, record);
  printParts(sheet, record.parts, { layout, totalMinor: record.totalMinor });
  sheet.centred(TITLE, "* CANCELLED *");
  printNumber(sheet, record.cancelledAt, record.number);
}

function printHead(sheet: Sheet, head: ReceiptHead): void {
  sheet.pair(`Operator ${head.operator}`, `Till ${head.till}`);
  if (head.uniqueSaleNumber) sheet.pair("USN", head.uniqueSaleNumber);
  if (head.kind !== "storno") return;
  sheet.centred(TITLE, "STORNO");
  sheet.centred(BOLD, (head.reason ?? "").toUpperCase());
  if (head.original) {
    sheet.pair("Of receipt", String(head.original.number).padStart(7, "0"));
    sheet.pair("Fiscal memory", head.original.fiscalMemory);
  }
}

function printParts(
  sheet: Sheet,
  parts: readonly ReceiptPart[],
  { layout, totalMinor }: { readonly layout: PaperLayout; readonly totalMinor: number },
): void {
  const firstPayment = parts.findIndex(({ part }) => part === "payment");
  for (const [index, part] of parts.entries()) {
    if (index === firstPayment) printTotal(sheet, totalMinor);
    switch (part.part) {
      case "sale":
        printSale(sheet, part, layout);
        break;
      case "adjustment":
        printAdjustment(sheet, part.amountMinor);
        break;
      case "text":
        printText(sheet, part.text, part.form);
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

function printSale(sheet: Sheet, sale: SaleLine, layout: PaperLayout): void {
  if (sale.priceMinor < 0) sheet.wrapped("VOID", BOLD);
  if (sale.quantityMilli !== 1000 || sale.unit) {
    const quantity = `${formatMilli(sale.quantityMilli)}${sale.unit ? ` ${sale.unit}` : ""}`;
    sheet.pair("", `${quantity} x ${formatMinor(sale.priceMinor)}`);
  }
  const amount = formatMinor(sale.totalMinor - sale.adjustmentMinor);
  sheet.pair(sale.name, `${amount} ${letterOf(layout, sale.group)}`);
  if (sale.adjustmentMinor !== 0) printAdjustment(sheet, sale.adjustmentMinor);
}

function printServiceLine(sheet: Sheet, line: ServiceLine): void {
  if (typeof line === "string") sheet.wrapped(line);
  else printText(sheet, line.text, line.form);
}

function printText(sheet: Sheet, text: string, form: TextForm | undefined): void {
  switch (form?.form) {
    case undefined:
      sheet.wrapped(text);
      break;
    case "styled":
      sheet.wrapped(text, form.look, form.align);
      break;
    case "rule":
      sheet.rule(form.pattern);
      break;
    case "code":
      sheet.code(text, form.symbology, form.moduleDots);
      if (form.symbology !== "qr") sheet.centred(PLAIN, text);
      break;
    default:
      form satisfies never;
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

function printOperator(sheet: Sheet, row: OperatorRow): void {
  sheet.pair(`${row.operator} ${row.name}`, String(row.receipts), { left: BOLD });
  sheet.amount("Sales", row.salesMinor);
  sheet.amount("Stornos", row.stornosMinor);
}

function printDepartments(sheet: Sheet, { departments = {} }: Readonly<DayTotals>): void {
  for (const [number, { sale, ...stornos }] of Object.entries(departments)) {
    sheet.pair(`Department ${number}`, String(sale?.count ?? 0), { left: BOLD });
    sheet.amount("Sales", sale?.amountMinor ?? 0);
    sheet.amount("Stornos", sumOf(Object.values(stornos).map((line) => line.amountMinor)));
  }
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
  printNumber(sheet, at, number);
  sheet.centred(BOLD, "SERVICE DOCUMENT");
}
