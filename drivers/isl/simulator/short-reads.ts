/**
 * Commands of the devices with short frames that only read.
 * Sources: Datecs FP-800/FP-2000 protocol manual 1.00BG (P), DP-25/DP-35 protocol manual 2.04BG
 * (C).
 */

import { formatMinor } from "#core/money.ts";
import { noAmounts, openReceiptOf, zRecordsLeft } from "../../simulator/books/books.ts";
import { compactDate, dashedClock, NO_CLOCK } from "./clock-text.ts";
import { type Answer, type DeviceCommand, refused } from "./device-command.ts";
import { deviceLine } from "./long-reads.ts";
import { digits, signedDigits } from "./short-answer.ts";

/** Kinds of a receipt as command 103 of C numbers them: sale, then the storno reasons. */
const RECEIPT_TYPES = { "operator-error": 1, refund: 2, "tax-base-reduction": 3 } as const;
/** Tenders of command 110, in its order. */
const REGISTER_MODES = ["P", "N", "D", "C", "I", "J", "K", "L"] as const;

/** 74: the status bytes once more; `W` waits for the printing, which is done at once here. */
export function statusShort(command: DeviceCommand): Answer {
  if (!/^[XW]?$/.test(command.text)) throw refused("syntax");
  return command.status();
}

/** 62. */
export function clockShort(command: DeviceCommand): string {
  command.expectNoData();
  const { memory, books } = command;
  return books.conditions.clockLost ? NO_CLOCK : dashedClock(memory.clock());
}

/** 76: `Open,Items,Amount,Tender` of the open receipt or the last one. */
export function transactionShort(command: DeviceCommand): string {
  if (command.text !== "" && command.text !== "T") throw refused("syntax");
  const receipt = openReceiptOf(command.books);
  const { saleCount, totalMinor, paidMinor } = receipt ??
    command.lastTransaction ?? { saleCount: 0, totalMinor: 0, paidMinor: 0 };
  return [
    receipt ? "1" : "0",
    digits(saleCount, 4),
    signedDigits(totalMinor, 8),
    signedDigits(paidMinor, 8),
  ].join(",");
}

/** 103 on P: `CanVd,A,...,H,Inv,InvNo` of the open receipt. */
export function receiptSumsP(command: DeviceCommand): string {
  command.expectNoData();
  const receipt = openReceiptOf(command.books);
  const invoice = receipt?.head.invoice;
  const number = invoice ?? command.books.invoiceNumber + 1;
  return [
    receipt && !receipt.paymentStarted ? 1 : 0,
    ...(receipt?.groups ?? noAmounts()),
    invoice === undefined ? 0 : 1,
    digits(number, 10),
  ].join(",");
}

/** 103 on C: the same between `P` and the type of the receipt. */
export function receiptSumsC(command: DeviceCommand): string {
  const { reason } = openReceiptOf(command.books)?.head ?? {};
  return `P,${receiptSumsP(command)},${reason ? RECEIPT_TYPES[reason] : 0}`;
}

/** 90: any data, or none. */
export function deviceShort(command: DeviceCommand): string {
  return deviceLine(command);
}

/** 97: the rates. */
export function ratesShort(command: DeviceCommand): string {
  command.expectNoData();
  return command.books.vat.map((group) => formatMinor(group.rateBasisPoints)).join(",");
}

/** 99: `Tax,Label`, or the number alone where it needs no label. */
export function taxNumberShort(command: DeviceCommand): string {
  command.expectNoData();
  const { taxId, taxLabel } = command.model.identity;
  return taxLabel === undefined ? taxId : `${taxId},${taxLabel}`;
}

/** 113: the number of the last document. */
export function lastDocumentShort(command: DeviceCommand): string {
  command.expectNoData();
  return digits(command.books.documentNumber, 7);
}

/** 64: `[*][0-3]`, the last Z record: `P,Closure,A,...,H,DDMMYY`, `F` when there is none. */
export function lastFiscalRecordShort(command: DeviceCommand): string {
  const match = /^\*?([0-3]?)$/.exec(command.text);
  if (!match) throw refused("syntax");
  const z = command.books.zRecords[command.books.zNumber - 1];
  if (!z) return "F";
  const turnover = Number(match[1] ?? 0) < 2 ? z.sales : z.stornos;
  return ["P", digits(z.zNumber, 4), ...turnover, compactDate(z.closedAt)].join(",");
}

/** 68: Z records that still fit, logical and physical. */
export function recordsLeftShort(command: DeviceCommand): string {
  command.expectNoData();
  const left = digits(zRecordsLeft(command.books, command.memory.model), 4);
  return `${left},${left}`;
}

/** 86: the date of the last fiscal record, with `T` its time too. */
export function lastRecordDateShort(command: DeviceCommand): string {
  if (command.text !== "" && command.text !== "T") throw refused("syntax");
  const iso = new Date(command.books.lastRecordAt).toISOString();
  const date = `${iso.slice(8, 10)}-${iso.slice(5, 7)}-${iso.slice(0, 4)}`;
  return command.text === "T" ? `${date} ${iso.slice(11, 19)}` : date;
}

/** 110: the day by tender, the number of the last Z report and of the coming receipt. */
export function dayRegistersShort(command: DeviceCommand): string {
  const { books, model } = command;
  const sums = REGISTER_MODES.map((mode) => {
    const tender = model.tenders[mode];
    return tender === undefined ? 0 : (books.day.salePayments[tender] ?? 0);
  });
  return [...sums, digits(books.zNumber, 4), digits(books.receipts.lastNumber + 1, 7)].join(",");
}
