/**
 * The changes a device's books can undergo. An entry holds everything it needs, so that replaying
 * the entries of a state file gives the same books whatever the clock says by then.
 */

import type { TextForm } from "../paper/line.ts";
import {
  type Books,
  CANCELLED_DOCUMENTS_MAX,
  type Conditions,
  type DayTotals,
  newDay,
  noAmounts,
  type PrintedDocument,
  RECENT_DOCUMENTS_MAX,
  type VatGroup,
  type ZRecord,
} from "./books.ts";
import { keepEnd, keepTop } from "./editions.ts";
import type { OpenReceipt, ReceiptHead, ReceiptPart, ReceiptRecord, SaleLine } from "./receipt.ts";
import { sumOf } from "./reckoning.ts";

export type BookEntry =
  /** `parts` are lines that the device takes over from its journal. */
  | { readonly entry: "receipt_opened"; readonly head: ReceiptHead; readonly parts?: SaleLine[] }
  | { readonly entry: "part"; readonly part: ReceiptPart }
  | { readonly entry: "buyer"; readonly buyer: readonly string[] }
  /** `parts` are payments and the like that one command registers together with the closing. */
  | {
      readonly entry: "receipt_closed";
      readonly at: number;
      readonly parts?: readonly ReceiptPart[];
    }
  | { readonly entry: "receipt_cancelled"; readonly at: number }
  | { readonly entry: "service_opened"; readonly number: number; readonly at: number }
  | { readonly entry: "service_line"; readonly text: string; readonly form?: TextForm }
  | { readonly entry: "service_closed"; readonly at: number }
  | {
      readonly entry: "cash_moved";
      readonly number: number;
      readonly at: number;
      readonly amountMinor: number;
    }
  | {
      readonly entry: "printed";
      readonly what: "x_report" | "duplicate" | "diagnostic";
      readonly number: number;
      readonly at: number;
    }
  | { readonly entry: "day_closed"; readonly number: number; readonly at: number }
  | { readonly entry: "clock_set"; readonly offsetMs: number; readonly summerTime: boolean }
  | { readonly entry: "vat_set"; readonly vat: VatGroup[]; readonly at: number }
  | {
      readonly entry: "operator_set";
      readonly operator: number;
      readonly name?: string;
      readonly password?: string;
    }
  | {
      readonly entry: "line_set";
      readonly place: "header" | "footer";
      readonly index: number;
      readonly text: string;
    }
  | { readonly entry: "setting"; readonly name: string; readonly value: string }
  /** The whole logo; none without rows. */
  | { readonly entry: "logo_set"; readonly rows: readonly string[] }
  | { readonly entry: "logo_row"; readonly row: number; readonly dots: string }
  | { readonly entry: "conditions"; readonly conditions: Conditions };

/** Makes the change. The rules have checked that it is allowed. */
export function applyEntry(books: Books, entry: BookEntry): void {
  switch (entry.entry) {
    case "receipt_opened":
      openReceipt(books, entry.head, entry.parts ?? []);
      break;
    case "part":
      addPart(receiptOf(books), entry.part);
      break;
    case "buyer":
      receiptOf(books).buyer = entry.buyer;
      break;
    case "receipt_closed":
      for (const part of entry.parts ?? []) addPart(receiptOf(books), part);
      closeReceipt(books, entry.at);
      break;
    case "receipt_cancelled":
      cancelReceipt(books, entry.at);
      break;
    case "cash_moved":
      moveCash(books, entry);
      break;
    case "printed":
      printService(books, entry);
      break;
    case "day_closed":
      closeDay(books, entry);
      break;
    case "service_opened":
    case "service_line":
    case "service_closed":
      applyServiceText(books, entry);
      break;
    default:
      applySetting(books, entry);
      break;
  }
}

type ServiceTextEntry = Extract<
  BookEntry,
  { entry: "service_opened" | "service_line" | "service_closed" }
>;
type SettingEntry = Extract<
  BookEntry,
  {
    entry:
      | "clock_set"
      | "vat_set"
      | "operator_set"
      | "line_set"
      | "setting"
      | "logo_set"
      | "logo_row"
      | "conditions";
  }
>;

function receiptOf(books: Books): OpenReceipt {
  if (books.open?.open !== "receipt") throw new Error("the entry needs an open receipt");
  return books.open;
}

function openReceipt(books: Books, head: ReceiptHead, parts: readonly SaleLine[]): void {
  const receipt: OpenReceipt = {
    open: "receipt",
    head,
    parts: [],
    groups: noAmounts(),
    totalMinor: 0,
    paidMinor: 0,
    changeMinor: 0,
    saleCount: 0,
    paymentStarted: false,
    buyer: undefined,
  };
  for (const part of parts) addPart(receipt, part);
  books.open = receipt;
  books.documentNumber = head.number;
  books.day.openedAt ??= head.openedAt;
  if (head.invoice !== undefined) books.invoiceNumber = head.invoice;
}

function addPart(receipt: OpenReceipt, part: ReceiptPart): void {
  receipt.parts.push(part);
  switch (part.part) {
    case "sale":
      receipt.groups[part.group - 1] = (receipt.groups[part.group - 1] ?? 0) + part.totalMinor;
      receipt.totalMinor += part.totalMinor;
      receipt.saleCount += 1;
      return;
    case "adjustment":
      receipt.groups[part.group - 1] = (receipt.groups[part.group - 1] ?? 0) + part.amountMinor;
      receipt.totalMinor += part.amountMinor;
      return;
    case "subtotal":
      for (const [index, amount] of part.adjustments.entries()) {
        receipt.groups[index] = (receipt.groups[index] ?? 0) + amount;
      }
      receipt.totalMinor += sumOf(part.adjustments);
      return;
    case "payment":
      receipt.paymentStarted = true;
      receipt.paidMinor += part.amountMinor;
      receipt.changeMinor += part.changeMinor;
      return;
    case "text":
      return;
    default:
      part satisfies never;
  }
}

function closeReceipt(books: Books, at: number): void {
  const { head, parts, groups, totalMinor, paidMinor, changeMinor, saleCount, buyer } =
    receiptOf(books);
  const record: ReceiptRecord = {
    ...head,
    closedAt: at,
    zNumber: books.zNumber + 1,
    parts,
    groups,
    totalMinor,
    paidMinor,
    changeMinor,
    ...(buyer ? { buyer } : {}),
  };
  books.receipts.append(record);
  countReceipt(books, record);
  books.open = null;
  books.lastRecordAt = at;
  books.lastReceiptDuplicated = false;
  books.lastTransaction = { kind: head.kind, saleCount, totalMinor, paidMinor };
  print(books, { document: "receipt", number: head.number, record });
}

function countReceipt(books: Books, record: ReceiptRecord): void {
  const { day } = books;
  const isSale = record.kind === "sale";
  const turnover = isSale ? day.sales : day.stornos;
  const payments = isSale ? day.salePayments : day.stornoPayments;
  for (const [index, amount] of record.groups.entries()) {
    turnover[index] = (turnover[index] ?? 0) + amount;
  }
  if (isSale) day.saleCount += 1;
  else day.stornoCount += 1;
  for (const part of record.parts) {
    if (part.part === "payment") {
      const kept = part.amountMinor - part.changeMinor;
      payments[part.tender] = (payments[part.tender] ?? 0) + kept;
      // Change is always given in cash, whatever was paid with.
      const cash = (part.tender === "cash" ? part.amountMinor : 0) - part.changeMinor;
      books.cashMinor += isSale ? cash : -cash;
    } else if (part.part === "sale") {
      countAdjustment(day, part.adjustmentMinor);
      if (part.priceMinor < 0) {
        day.voidCount += 1;
        day.voidMinor -= part.totalMinor;
      }
    } else if (part.part === "adjustment") {
      countAdjustment(day, part.amountMinor);
    } else if (part.part === "subtotal") {
      countAdjustment(day, sumOf(part.adjustments));
    }
  }
  books.turnoverMinor += isSale ? record.totalMinor : -record.totalMinor;
}

function countAdjustment(day: DayTotals, amountMinor: number): void {
  if (amountMinor < 0) {
    day.discountCount += 1;
    day.discountMinor -= amountMinor;
  } else if (amountMinor > 0) {
    day.surchargeCount += 1;
    day.surchargeMinor += amountMinor;
  }
}

function cancelReceipt(books: Books, at: number): void {
  const { head, parts, totalMinor, saleCount } = receiptOf(books);
  const record = { ...head, parts, totalMinor, cancelledAt: at };
  pushBounded(books.cancelled, record, CANCELLED_DOCUMENTS_MAX);
  books.open = null;
  books.lastTransaction = { kind: head.kind, saleCount, totalMinor, paidMinor: 0 };
  books.day.cancelledCount += 1;
  books.day.cancelledMinor += totalMinor;
  print(books, { document: "cancelled", number: head.number, record });
}

function applyServiceText(books: Books, entry: ServiceTextEntry): void {
  if (entry.entry === "service_opened") {
    books.open = { open: "service", number: entry.number, openedAt: entry.at, lines: [] };
    books.documentNumber = entry.number;
    return;
  }
  if (books.open?.open !== "service") throw new Error("the entry needs an open service receipt");
  const { lines, number } = books.open;
  if (entry.entry === "service_line") {
    const { text, form } = entry;
    lines.push(form === undefined ? text : { text, form });
    return;
  }
  books.open = null;
  print(books, { document: "text", number, at: entry.at, lines });
}

function moveCash(books: Books, entry: Extract<BookEntry, { entry: "cash_moved" }>): void {
  const { day } = books;
  const { amountMinor, number, at } = entry;
  if (amountMinor > 0) {
    day.cashInCount += 1;
    day.cashInMinor += amountMinor;
  } else {
    day.cashOutCount += 1;
    day.cashOutMinor -= amountMinor;
  }
  books.cashMinor += amountMinor;
  books.documentNumber = number;
  print(books, { document: "cash", number, at, amountMinor, cashMinor: books.cashMinor });
}

function printService(books: Books, entry: Extract<BookEntry, { entry: "printed" }>): void {
  const { number, at } = entry;
  books.documentNumber = number;
  if (entry.what === "x_report") {
    const totals = structuredClone(books.day);
    print(books, { document: "x_report", number, at, totals, zNumber: books.zNumber + 1 });
  } else if (entry.what === "duplicate") {
    const of = books.receipts.last();
    if (!of) throw new Error("the entry needs a finished receipt");
    books.lastReceiptDuplicated = true;
    print(books, { document: "duplicate", number, at, of });
  } else {
    print(books, { document: "diagnostic", number, at });
  }
}

function closeDay(books: Books, entry: Extract<BookEntry, { entry: "day_closed" }>): void {
  const { number, at } = entry;
  books.zNumber += 1;
  books.documentNumber = number;
  // The cash stays in the drawer, so its balance is carried into the next day; only the day's
  // registers start again.
  const record: ZRecord = {
    ...books.day,
    documentCount: books.day.documentCount + 1,
    zNumber: books.zNumber,
    documentNumber: number,
    closedAt: at,
    rates: [...books.vat],
  };
  books.zRecords.push(record);
  print(books, { document: "z_report", number, at, record });
  books.day = newDay();
  books.lastRecordAt = at;
  books.conditions = { ...books.conditions, dayOver: false };
}

function applySetting(books: Books, entry: SettingEntry): void {
  switch (entry.entry) {
    case "clock_set":
      books.clockOffsetMs = entry.offsetMs;
      books.summerTime = entry.summerTime;
      books.conditions = { ...books.conditions, clockShiftMs: 0, clockLost: false };
      return;
    case "vat_set":
      keepEnd(books);
      books.vat = entry.vat;
      books.vatSetAt = entry.at;
      books.vatChangesLeft -= 1;
      return;
    case "operator_set": {
      const before = books.operators[entry.operator - 1];
      if (!before) throw new Error("the entry needs an existing operator");
      const { name = before.name, password = before.password } = entry;
      books.operators[entry.operator - 1] = { name, password };
      return;
    }
    case "line_set":
      if (entry.place === "header") keepTop(books);
      else keepEnd(books);
      books[entry.place][entry.index] = entry.text;
      return;
    case "setting":
      keepTop(books);
      books.settings[entry.name] = entry.value;
      return;
    case "logo_set":
      keepTop(books);
      books.logo = [...entry.rows];
      return;
    case "logo_row":
      keepTop(books);
      setLogoRow(books, entry);
      return;
    case "conditions":
      books.conditions = entry.conditions;
      return;
    default:
      entry satisfies never;
  }
}

function setLogoRow(books: Books, { row, dots }: { row: number; dots: string }): void {
  books.logo ??= [];
  while (books.logo.length < row) books.logo.push("");
  books.logo[row] = dots;
}

function print(books: Books, document: PrintedDocument): void {
  books.day.documentCount += 1;
  pushBounded(books.recent, document, RECENT_DOCUMENTS_MAX);
}

function pushBounded<Item>(list: Item[], item: Item, max: number): void {
  list.push(item);
  if (list.length > max) list.shift();
}
