/**
 * Where the device stands in a document. A receipt goes on after its closing: further lines may
 * follow, and the paper must be ejected. All of it is told from the books, so it outlives the power.
 */

import {
  type Books,
  openReceiptOf,
  type PrintedDocument,
  restMinor,
} from "../../simulator/books/books.ts";
import type { ReceiptRecord } from "../../simulator/books/receipt.ts";
import { type DeviceCommand, Refused } from "./device-command.ts";
import { ERROR } from "./error-codes.ts";
import type { CustomModel } from "./model.ts";

/** The setting that names the last document that was ejected, the lines behind it included. */
export const EJECTED = "ejected";
/** The setting that names a receipt cancelled by 3001, which 3011 and 3013 must follow. */
export const CANCELLING = "cancelling";

export type Stage =
  | "none"
  | "sales"
  | "paying"
  | "paid"
  | "cancelling"
  /** Closed, and the paper still in the device. */
  | "closed"
  /** The same with lines behind it. */
  | "courtesy"
  | "text";

/** Where the books say that the device stands. */
export function stageOf(books: Books): Stage {
  const receipt = openReceiptOf(books);
  if (receipt) {
    if (books.settings[CANCELLING] === String(receipt.head.number)) return "cancelling";
    if (!receipt.paymentStarted) return "sales";
    return restMinor(receipt) > 0 ? "paying" : "paid";
  }
  const isInside = unejected(books) !== undefined;
  if (books.open) return isInside ? "courtesy" : "text";
  return isInside ? "closed" : "none";
}

/** Number of the finished receipt that has not been ejected. */
export function unejected(books: Books): number | undefined {
  const printed = books.receipts.lastNumber;
  const cancelled = books.cancelled.at(-1)?.number ?? 0;
  const waits = books.settings[CANCELLING] === String(cancelled) ? cancelled : 0;
  const last = Math.max(printed, waits);
  return last > Number(books.settings[EJECTED] ?? 0) ? last : undefined;
}

/** Refuses while a receipt is in the device that was closed and not ejected. */
export function refuseUnejected({ memory }: DeviceCommand): void {
  const stage = stageOf(memory.books);
  if (stage === "closed" || stage === "courtesy") throw new Refused(ERROR.documentNotEnded);
}

/**
 * The last finished document that the device tells of. The lines behind a receipt are a text of their
 * own in the books, but on the device's paper they belong to the receipt.
 */
export function lastFinished(books: Books, model: CustomModel): PrintedDocument | undefined {
  const untold = untoldOf(books, model);
  const isEjected = unejected(books) === undefined;
  const ejected = Number(books.settings[EJECTED] ?? 0);
  return books.recent.findLast(({ document, number }) => {
    if (number === untold) return false;
    return document !== "text" || (isEjected && number > ejected);
  });
}

/** The last receipt that the device tells of. */
export function lastToldReceipt(books: Books, model: CustomModel): ReceiptRecord | undefined {
  return lastReceipt(books, untoldOf(books, model));
}

/** The number within the day of the last document that the device tells of; 0 when none has. */
export function lastToldNumber(books: Books, model: CustomModel): number {
  return dayNumberOf(books, model, untoldOf(books, model));
}

/** The number within the day of the last document that has one; 0 when none has. */
export function lastDayNumber(books: Books, model: CustomModel): number {
  return dayNumberOf(books, model, undefined);
}

/** Number of the document that the device tells of only once it is ejected. */
function untoldOf(books: Books, model: CustomModel): number | undefined {
  return model.tellsOnlyEjected ? unejected(books) : undefined;
}

function lastReceipt(books: Books, untold: number | undefined): ReceiptRecord | undefined {
  return untold === undefined ? books.receipts.last() : books.receipts.lastBelow(untold);
}

function dayNumberOf(books: Books, model: CustomModel, untold: number | undefined): number {
  const printed = lastReceipt(books, untold);
  const ofDay = printed?.zNumber === books.zNumber + 1 ? (printed.dayNumber ?? 0) : 0;
  if (!model.cancelledTakesNumber) return ofDay;
  const cancelled = books.cancelled.findLast(({ number }) => number !== untold);
  const dayBegan = books.zRecords.at(-1)?.documentNumber ?? 0;
  const isToday = cancelled !== undefined && cancelled.number > dayBegan;
  return Math.max(ofDay, isToday ? (cancelled.dayNumber ?? 0) : 0);
}
