/** The receipts as the device counts them: the one at hand, and the last one that was closed. */

import { lastPass } from "#core/local-time.ts";
import { type CountedReceipt, NO_SUMS } from "../shared/sums.ts";
import { readClock, readDocumentTime } from "./clock.ts";
import { type CustomDevice, integerOf } from "./device.ts";
import type { Position } from "./status.ts";

/** The open document. These devices do not count its lines: `items` is always 0. */
export interface CurrentReceipt extends CountedReceipt {
  /** A payment was made: it can only be finished. */
  readonly isPaying: boolean;
  /** Closed, and not yet cut off. */
  readonly isClosed: boolean;
  /** Number of the last fiscal document of the day, where the device tells it; ours comes after it. */
  readonly number: number;
  /** The device says that it is a sale. */
  readonly isSale: boolean;
}

/** Reads the document at hand. @throws FiscalError */
export async function readCurrentReceipt(device: CustomDevice): Promise<CurrentReceipt> {
  const position = await device.readPosition();
  const isPaying = position?.step === "paying" || position?.step === "paid";
  const state = {
    open: position?.fiscalOpen ?? false,
    isPaying,
    isClosed: position?.step === "closed",
  };
  const fields = state.open ? await device.tryAsk("account") : undefined;
  if (!fields) return { ...state, ...NO_SUMS, number: 0, isSale: false };
  const amountMinor = signed(fields, "subtotalSign", integerOf(fields, "subtotal"));
  // A negative rest is change: more was given than the document is worth.
  const restMinor = signed(fields, "restSign", integerOf(fields, "rest"));
  return {
    ...state,
    items: 0,
    amountMinor,
    paidMinor: isPaying ? amountMinor - restMinor : 0,
    number: integerOf(fields, "number"),
    isSale: fields.get("type") === SALE_TYPE,
  };
}

function signed(fields: ReadonlyMap<string, string>, sign: string, value: number): number {
  return fields.get(sign) === "-" ? 0 - value : value;
}

/** True when something of a document stands open or unfinished. */
export function isBusy(position: Position | undefined): boolean {
  return (
    position?.fiscalOpen === true || position?.slipOpen === true || position?.step === "closed"
  );
}

/** The last document that was closed. */
export interface LastDocument {
  /** Its number among the fiscal documents of its day. */
  readonly number: number;
  /** Null when the device does not tell, or its last document was no fiscal one. */
  readonly totalMinor: number | null;
  /** True when it was cancelled; null when the device does not tell. */
  readonly cancelled: boolean | null;
  /** UTC milliseconds; null when the device does not tell, or tells that of a slip behind it. */
  readonly issuedAt: number | null;
  /** All that the device says of it: while this stands still, nothing was closed. */
  readonly trace: string;
  /** The device counts one after it already, of which it does not tell yet. */
  readonly isBehind: boolean;
}

/** What tells the documents of before ours from ours. */
export interface DocumentBaseline {
  /** Number of the last fiscal document; null when the device does not tell. */
  readonly number: number | null;
  /** All that the device said of its last document; null when it does not tell. */
  readonly trace: string | null;
  /** Number of the last Z report; null when the device does not tell. */
  readonly zNumber: number | null;
}

/** Types of 1003 and 1017: no fiscal document, sale, invoice, credit note. */
const NON_FISCAL = "0";
const SALE_TYPE = "1";
/** States of 1017. */
const CANCELLED = "1";
/** Numbers begin with it after each Z report. */
const FIRST_NUMBER = 1;

/**
 * Reads the last document; undefined when the device cannot tell of it.
 * @throws FiscalError
 */
export async function readLastDocument(device: CustomDevice): Promise<LastDocument | undefined> {
  const last = await device.tryAsk("lastReceipt");
  if (last && last.get("type") !== NON_FISCAL) {
    const number = integerOf(last, "number");
    const count = number === FIRST_NUMBER ? await readCountOfDay(device) : undefined;
    return {
      number,
      totalMinor: integerOf(last, "total"),
      cancelled: last.get("state") === CANCELLED,
      issuedAt: readDocumentTime(device, last) ?? null,
      trace: [...last.values(), ...(count === undefined ? [] : [count])].join(" "),
      isBehind: Number(count ?? 0) > number,
    };
  }
  const current = await device.tryAsk("account");
  if (!current) return undefined;
  const time = last ? undefined : await device.tryAsk("lastReceiptTime");
  return {
    number: integerOf(current, "number"),
    totalMinor: null,
    cancelled: null,
    // The number is that of the last receipt; what is told of behind it has a time of its own.
    issuedAt: (time && readDocumentTime(device, time)) ?? null,
    trace: [current.get("number"), ...((last ?? time)?.values() ?? [])].join(" "),
    isBehind: false,
  };
}

/**
 * The first document of a day may look like the one of the day before: the time is told to the
 * minute. Only the count of the day at hand, which a Z report sets back, tells them apart.
 */
async function readCountOfDay(device: CustomDevice): Promise<string | undefined> {
  return (await device.tryAsk("account"))?.get("number");
}

/**
 * What the device says of its last document of whatever kind, provided that the next one must
 * differ from it: fiscal ones are numbered, the others have only the minute. Null otherwise.
 * UNCONFIRMED that cash movements are told of like that.
 * @throws FiscalError
 */
export async function readLastMark(device: CustomDevice): Promise<string | null> {
  const last = await device.tryAsk("lastReceipt");
  if (!last) return null;
  const text = [...last.values()].join(" ");
  if (last.get("type") !== NON_FISCAL) return text;
  const minute = readDocumentTime(device, last);
  if (minute === undefined) return /^[0 ]+$/.test(text) ? text : null;
  const now = await readClock(device);
  // A minute that comes twice is over when its second pass is.
  const isOver = now !== undefined && lastPass(minute, device.environment.timezone) < now;
  return isOver ? text : null;
}

/** The number that follows one of four digits. */
const NUMBER_MAX = 9_999;

/**
 * True when the device's last document can only be the first one that was finished since the
 * baseline. All of the baseline counts. The number, which goes up by one, or begins anew with the
 * day: then it may follow any, itself too. What the device says of it, because one that tells of a
 * document only once it is cut off still says what it said then. And the Z report, because another
 * day may have come as far as this one.
 */
export function isFirstSince(
  before: DocumentBaseline,
  { last, zNumber }: { readonly last: LastDocument; readonly zNumber: number | null },
): boolean {
  const { number, trace, isBehind } = last;
  if (before.trace === null || trace === before.trace || isBehind) return false;
  if (zNumber !== before.zNumber) return false;
  const isNext = before.number !== null && number === (before.number % NUMBER_MAX) + 1;
  return isNext || number === FIRST_NUMBER;
}

/**
 * True when no document was finished since the one of this number, as far as the device counts
 * those that were cancelled; the count begins anew each day.
 */
export function isNextOpen(
  before: number | null,
  now: Pick<CurrentReceipt, "open" | "number">,
): boolean {
  return now.open && (before === null || now.number === before || now.number === 0);
}
