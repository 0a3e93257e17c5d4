/**
 * The changes a device's books can undergo. An entry holds everything it needs, so that replaying
 * the entries of a state file gives the same books whatever the clock says by then.
 */

import type { TextForm } from "../paper/line.ts";
import {
  type Books,
  CANCELLED_DOCUMENTS_MAX,
  newDay,
  noAmounts,
  type PrintedDocument,
  RECENT_DOCUMENTS_MAX,
  type ZRecord,
} from "./books.ts";
import { begunOf, lastBegun } from "./editions.ts";
import type { OpenReceipt, ReceiptHead, ReceiptPart, ReceiptRecord, SaleLine } from "./receipt.ts";
import { sumOf } from "./reckoning.ts";
import { countReceipt, NO_OPERATOR_TOTALS } from "./registers.ts";
import { applySetting, type SettingEntry } from "./setting-entries.ts";

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
      readonly text?: string;
    }
  | {
      readonly entry: "printed";
      readonly what: "x_report" | "departments" | "duplicate" | "diagnostic";
      readonly number: number;
      readonly at: number;
    }
  /** A document of the journal, printed as it stands there. */
  | {
      readonly entry: "copy_printed";
      readonly number: number;
      readonly at: number;
      readonly lines: readonly string[];
    }
  /** What the fiscal memory holds from one instant to another. */
  | {
      readonly entry: "memory_printed";
      readonly number: number;
      readonly at: number;
      readonly from: number;
      readonly to: number;
    }
  /** The report of one operator, or of all; the registers start again when it clears them. */
  | {
      readonly entry: "operators_printed";
      readonly number: number;
      readonly at: number;
      readonly operator: number | undefined;
      readonly clears: boolean;
    }
  | { readonly entry: "day_closed"; readonly number: number; readonly at: number }
  | SettingEntry;

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
    case "copy_printed":
      begin(books, entry.number);
      print(books, { document: "text", number: entry.number, at: entry.at, lines: entry.lines });
      break;
    case "memory_printed":
      printMemory(books, entry);
      break;
    case "operators_printed":
      printOperators(books, entry);
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
  begin(books, head.number);
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

function printMemory(books: Books, entry: Extract<BookEntry, { entry: "memory_printed" }>): void {
  const { number, at, from, to } = entry;
  begin(books, number);
  const records = books.zRecords.filter(({ closedAt }) => closedAt >= from && closedAt <= to);
  print(books, {
    document: "memory_report",
    number,
    at,
    from,
    to,
    zReports: records.length,
    salesMinor: sumOf(records.map(({ sales }) => sumOf(sales))),
    stornosMinor: sumOf(records.map(({ stornos }) => sumOf(stornos))),
  });
}

function printOperators(
  books: Books,
  entry: Extract<BookEntry, { entry: "operators_printed" }>,
): void {
  const { number, at, operator, clears } = entry;
  begin(books, number);
  const rows = books.operators.flatMap(({ name }, index) => {
    const totals = books.operatorTotals?.[index + 1];
    const isWanted = operator === undefined ? totals !== undefined : operator === index + 1;
    return isWanted ? [{ operator: index + 1, name, ...NO_OPERATOR_TOTALS, ...totals }] : [];
  });
  if (clears) books.operatorTotals = {};
  print(books, { document: "operators", number, at, rows });
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
    begin(books, entry.number);
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
  const { amountMinor, number, at, text } = entry;
  if (amountMinor > 0) {
    day.cashInCount += 1;
    day.cashInMinor += amountMinor;
  } else {
    day.cashOutCount += 1;
    day.cashOutMinor -= amountMinor;
  }
  books.cashMinor += amountMinor;
  begin(books, number);
  const { cashMinor } = books;
  print(books, { document: "cash", number, at, amountMinor, cashMinor, ...(text && { text }) });
}

function printService(books: Books, entry: Extract<BookEntry, { entry: "printed" }>): void {
  const { number, at } = entry;
  begin(books, number);
  if (entry.what === "x_report") {
    const totals = structuredClone(books.day);
    print(books, { document: "x_report", number, at, totals, zNumber: books.zNumber + 1 });
  } else if (entry.what === "departments") {
    print(books, { document: "departments", number, at, totals: structuredClone(books.day) });
  } else if (entry.what === "duplicate") {
    const of = books.receipts.last();
    if (!of) throw new Error("the entry needs a finished receipt");
    books.lastReceiptDuplicated = true;
    const receipt = books.recent.findLast(({ document }) => document === "receipt");
    const ofBegun = receipt && begunOf(receipt);
    print(books, { document: "duplicate", number, at, of, ...(ofBegun ? { ofBegun } : {}) });
  } else {
    print(books, { document: "diagnostic", number, at });
  }
}

function closeDay(books: Books, entry: Extract<BookEntry, { entry: "day_closed" }>): void {
  const { number, at } = entry;
  books.zNumber += 1;
  begin(books, number);
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

/** Only one document is open at a time: what is printed is the one that was begun last. */
function begin(books: Books, number: number): void {
  books.begun = lastBegun(books) + 1;
  books.documentNumber = number;
}

function print(books: Books, document: PrintedDocument): void {
  books.day.documentCount += 1;
  pushBounded(books.recent, { ...document, begun: lastBegun(books) }, RECENT_DOCUMENTS_MAX);
}

function pushBounded<Item>(list: Item[], item: Item, max: number): void {
  list.push(item);
  if (list.length > max) list.shift();
}
