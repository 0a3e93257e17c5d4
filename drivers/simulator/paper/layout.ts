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
import { receiptCodeText } from "./receipt-code.ts";
import { Sheet } from "./sheet.ts";
import { type PaperLanguage, paperWords } from "./words.ts";

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
  /** Of paper that is marked, for those who learn by it; English when absent, and on all other paper. */
  readonly language?: PaperLanguage;
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
  const sheet = sheetOf(layout);
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
  const sheet = sheetOf(layout);
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
  const sheet = sheetOf(layout);
  printOpenBody(sheet, books.open, layout);
  sheet.centred(PLAIN, sheet.words.notFinished);
  return textLines(sheet.lines, layout);
}

function sheetOf({ columns, isMarked = false, language }: PaperLayout): Sheet {
  return new Sheet(columns, paperWords(isMarked ? language : undefined));
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
  sheet.centred(PLAIN, sheet.words.noFiscalDocument);
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
  const { words } = sheet;
  switch (document.document) {
    case "receipt":
      printReceipt(sheet, document.record, printing);
      break;
    case "cancelled":
      printCancelled(sheet, document.record, printing.layout);
      break;
    case "duplicate":
      sheet.centred(TITLE, words.duplicate);
      printReceipt(sheet, document.of, printing);
      sheet.pair(words.serviceNumber, String(document.number));
      break;
    case "text":
      for (const line of document.lines) printServiceLine(sheet, line);
      serviceEnd(sheet, document);
      break;
    case "cash":
      sheet.centred(TITLE, document.amountMinor > 0 ? words.cashIn : words.cashOut);
      sheet.amount(words.amount, Math.abs(document.amountMinor));
      sheet.amount(words.inDrawer, document.cashMinor);
      if (document.text) sheet.wrapped(document.text);
      serviceEnd(sheet, document);
      break;
    case "x_report":
      sheet.centred(TITLE, words.x);
      printTotals(sheet, document.totals, printing);
      serviceEnd(sheet, document);
      break;
    case "z_report":
      sheet.centred(TITLE, `${words.z} ${String(document.record.zNumber).padStart(4, "0")}`);
      printTotals(sheet, document.record, { ...printing, vat: document.record.rates });
      serviceEnd(sheet, document);
      break;
    case "departments":
      sheet.centred(TITLE, words.departments);
      printDepartments(sheet, document.totals);
      serviceEnd(sheet, document);
      break;
    case "memory_report":
      sheet.centred(TITLE, words.memory);
      sheet.pair(sheet.time(document.from), sheet.time(document.to));
      sheet.pair(words.zCount, String(document.zReports));
      sheet.amount(words.sales, document.salesMinor);
      sheet.amount(words.stornos, document.stornosMinor);
      serviceEnd(sheet, document);
      break;
    case "operators":
      sheet.centred(TITLE, words.operators);
      for (const row of document.rows) printOperator(sheet, row);
      serviceEnd(sheet, document);
      break;
    case "diagnostic":
      sheet.centred(TITLE, words.diagnostic);
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
  if (record.changeMinor > 0) sheet.amount(sheet.words.change, record.changeMinor);
  printVat(sheet, record.groups, { vat, layout });
  if (record.invoice !== undefined)
    sheet.pair(sheet.words.invoice, String(record.invoice).padStart(10, "0"));
  for (const line of record.buyer ?? []) if (line !== "") sheet.wrapped(line);
  printNumber(sheet, record.closedAt, record.number);
  if (layout.receiptCode) sheet.code(receiptCodeText(record, layout.fiscalMemory), "qr", CODE_DOTS);
  const title = record.kind === "sale" ? sheet.words.receipt : sheet.words.stornoReceipt;
  // The emblem is what makes paper look fiscal.
  if (layout.isMarked) sheet.centred(TITLE, SIMULATED_MARK);
  else if (layout.fiscalLetters === undefined) sheet.centred(TITLE, title);
  else sheet.fiscalMark(layout.fiscalLetters, title);
}

function printNumber(sheet: Sheet, at: number, number: number): void {
  sheet.pair(sheet.time(at), String(number).padStart(7, "0"), { right: BOLD });
}

function printTotal(sheet: Sheet, totalMinor: number): void {
  sheet.amount(sheet.words.total, totalMinor, TOTAL);
}

function printCancelled(sheet: Sheet, record: CancelledReceipt, layout: PaperLayout): void {
  printHead(sheet, record);
  printParts(sheet, record.parts, { layout, totalMinor: record.totalMinor });
  sheet.centred(TITLE, sheet.words.cancelled);
  printNumber(sheet, record.cancelledAt, record.number);
}

function printHead(sheet: Sheet, head: ReceiptHead): void {
  const { words } = sheet;
  sheet.pair(`${words.operator} ${head.operator}`, `${words.till} ${head.till}`);
  if (head.uniqueSaleNumber) sheet.pair(words.saleNumber, head.uniqueSaleNumber);
  if (head.kind !== "storno") return;
  sheet.centred(TITLE, words.storno);
  sheet.centred(BOLD, sheet.name(head.reason ?? "").toUpperCase());
  if (head.original) {
    sheet.pair(words.ofReceipt, String(head.original.number).padStart(7, "0"));
    sheet.pair(words.memoryNumber, head.original.fiscalMemory);
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
        if (part.printed) sheet.amount(sheet.words.subtotal, part.totalMinor - adjustment);
        if (adjustment !== 0) printAdjustment(sheet, adjustment);
        break;
      }
      case "payment":
        sheet.amount(sheet.name(part.tender), part.amountMinor);
        break;
      default:
        part satisfies never;
    }
  }
}

function printSale(sheet: Sheet, sale: SaleLine, layout: PaperLayout): void {
  if (sale.priceMinor < 0) sheet.wrapped(sheet.words.void, BOLD);
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
  sheet.amount(amountMinor < 0 ? sheet.words.discount : sheet.words.surcharge, amountMinor);
}

function printTotals(sheet: Sheet, totals: Readonly<DayTotals>, printing: Printing): void {
  const { words } = sheet;
  sheet.pair(words.receiptCount, String(totals.saleCount));
  sheet.amount(words.turnover, sumOf(totals.sales));
  printVat(sheet, totals.sales, printing);
  sheet.pair(words.stornoCount, String(totals.stornoCount));
  sheet.amount(words.stornoSum, sumOf(totals.stornos));
  printVat(sheet, totals.stornos, printing);
  for (const [tender, amount] of Object.entries(totals.salePayments))
    sheet.amount(sheet.name(tender), amount);
  sheet.amount(words.cashInSum, totals.cashInMinor);
  sheet.amount(words.cashOutSum, totals.cashOutMinor);
}

function printOperator(sheet: Sheet, row: OperatorRow): void {
  sheet.pair(`${row.operator} ${row.name}`, String(row.receipts), { left: BOLD });
  sheet.amount(sheet.words.sales, row.salesMinor);
  sheet.amount(sheet.words.stornos, row.stornosMinor);
}

function printDepartments(sheet: Sheet, { departments = {} }: Readonly<DayTotals>): void {
  for (const [number, { sale, ...stornos }] of Object.entries(departments)) {
    sheet.pair(`${sheet.words.department} ${number}`, String(sale?.count ?? 0), { left: BOLD });
    sheet.amount(sheet.words.sales, sale?.amountMinor ?? 0);
    sheet.amount(
      sheet.words.stornos,
      sumOf(Object.values(stornos).map((line) => line.amountMinor)),
    );
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
  sheet.centred(BOLD, sheet.words.service);
}
