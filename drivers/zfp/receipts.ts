/** The receipts as the device counts them: the open one, and those it has issued. */

import { FiscalError } from "#core/errors.ts";
import { documentShown } from "../shared/shown-time.ts";
import type { CountedReceipt } from "../shared/sums.ts";
import { parseAmount } from "./answer.ts";
import { parseReceiptTime } from "./clock-text.ts";
import type { ZfpDevice } from "./device.ts";

export interface CurrentReceipt extends CountedReceipt {
  /** From here on the receipt can only be finished. */
  readonly paymentStarted: boolean;
  readonly number: number;
}

/** A receipt that was issued. */
export interface IssuedReceipt {
  /** 0 on a device that has issued none. */
  readonly number: number;
  /** UTC milliseconds; null when the device does not tell. */
  readonly issuedAt: number | null;
  readonly amountMinor: number | null;
}

/** Fields of the answer to 72h. */
const FIELD = { open: 0, items: 1, paymentStarted: 8, number: 19 } as const;
/** Sums of VAT groups A to C, and of D to H. */
const GROUP_FIELDS = [2, 3, 4, 14, 15, 16, 17, 18] as const;
/** `FM*number*date*time*amount`. */
const ISSUED = /^[^*;]*\*(\d{1,10})\*([\d-]+\*[\d:]+)\*([\d.]+);?$/;

/**
 * True when the receipt that is open has our number; some devices may count up only when one is
 * closed.
 * @param own the last receipt that was issued before ours, and our number, where it is known
 */
export function isOursOpen(
  own: { readonly number: number; readonly ownNumber: number | null },
  now: Pick<CurrentReceipt, "open" | "number">,
): boolean {
  return now.open && own.ownNumber === Math.max(now.number, own.number + 1);
}

/**
 * The number by which people are told of the receipt that stands open; undefined where what the
 * device shows may be that of the one before.
 * @param last as it was read while it stood open; undefined where the device did not tell
 */
export function toldNumber(
  { number }: CurrentReceipt,
  last: IssuedReceipt | undefined,
): number | undefined {
  return last !== undefined && number > last.number ? number : undefined;
}

/** Reads the open receipt, in one frame or, once a payment is made, in two. @throws FiscalError */
export async function readCurrentReceipt(device: ZfpDevice): Promise<CurrentReceipt> {
  const now = await readOpenReceipt(device);
  return { ...now, paidMinor: now.open && now.paymentStarted ? await readPaid(device) : 0 };
}

/** The same without what was paid on it, always in one frame. @throws FiscalError */
export async function readOpenReceipt(
  device: ZfpDevice,
): Promise<Omit<CurrentReceipt, "paidMinor">> {
  const answer = await device.ask("receipt");
  const paymentStarted = answer.integer(FIELD.paymentStarted) === 1;
  const open = answer.integer(FIELD.open) === 1;
  const total = GROUP_FIELDS.reduce((sum, index) => sum + Math.abs(answer.minor(index)), 0);
  return {
    open,
    paymentStarted,
    items: answer.integer(FIELD.items),
    amountMinor: total,
    number: answer.integer(FIELD.number),
  };
}

/** What was paid on the open receipt or the last one, all tenders together. @throws FiscalError */
export async function readPaid(device: ZfpDevice): Promise<number> {
  const answer = await device.ask("receipt", "P");
  let paid = 0;
  for (let index = 2; index < answer.list.length; index += 1) {
    if (answer.field(index) !== "") paid += Math.abs(answer.minor(index));
  }
  return paid;
}

/** The last one. */
export interface LastReceipt extends IssuedReceipt {
  /** False where the device tells no more than its count, in which cancelled ones may be. */
  readonly isTold: boolean;
}

/**
 * The last fiscal receipt that was issued. A cancelled one is none, where that `isTold`.
 * @throws FiscalError
 */
export async function readLastReceipt(device: ZfpDevice): Promise<LastReceipt> {
  const answer = await device.tryAsk("receipt", "B");
  const found = answer && toIssued(device, answer.text);
  if (found) return { ...found, isTold: true };
  // Devices without a receipt yet, and older ones, tell the number only.
  const number = await readCounter(device);
  return { number, issuedAt: null, amountMinor: null, isTold: false };
}

/**
 * The device's own count of receipts. It may count cancelled ones as well, which manuals leave
 * open; while it stands still, nothing at all was issued.
 * @throws FiscalError
 */
export async function readCounter(device: ZfpDevice): Promise<number> {
  return (await device.ask("lastNumber")).integer(0);
}

/**
 * What the device shows of its papers: whoever closes the day moves its state, and whoever sells then
 * the count.
 */
export function papersShown(counter: number, isDayOpen: boolean): string {
  return `${counter} ${isDayOpen ? "open" : "closed"}`;
}

/** An issued receipt by its number; undefined when the device has none. @throws FiscalError */
export async function readReceiptAt(
  device: ZfpDevice,
  number: number,
): Promise<IssuedReceipt | undefined> {
  const answer = await device.tryAsk("receipt", `b;${String(number).padStart(6, "0")}`);
  const found = answer && toIssued(device, answer.text);
  return found?.number === number ? found : undefined;
}

function toIssued(device: ZfpDevice, text: string): IssuedReceipt | undefined {
  const match = ISSUED.exec(text.trim());
  if (!match) return undefined;
  const [, number, time = "", amount = ""] = match;
  const amountMinor = parseAmount(amount);
  if (amountMinor === undefined) {
    throw new FiscalError("E902", "The last receipt's amount is not one");
  }
  const shown = parseReceiptTime(time, device.environment.timezone);
  const issuedAt = shown === undefined ? null : documentShown(shown, device);
  return { number: Number(number), issuedAt, amountMinor };
}
