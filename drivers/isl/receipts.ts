/** The current receipt as the device counts it: the one that is open, or was last. */

import { forget, recall, remember } from "../shared/remembered-fact.ts";
import type { CountedReceipt } from "../shared/sums.ts";
import type { IslDevice } from "./device.ts";

export interface CurrentReceipt extends CountedReceipt {
  /** Number of the open receipt, or of the last one. */
  readonly number: number;
}

/** How our document is told from those of others. */
export interface OwnNumber {
  /** The device's document number before ours was opened. */
  readonly number: number;
  /**
   * Our document's own number, where the device tells it when it is opened. Elsewhere ours can only
   * be the next one: whatever moves that number otherwise is the work of other hands.
   */
  readonly ownNumber: number | null;
  /**
   * What the device gives as its document number while ours stands open, where it tells no own one:
   * some devices count a receipt when it is opened, others when it is closed. Null where it was not
   * seen, of this document or an earlier one.
   */
  readonly whileOpen: number | null;
}

/** A document of which only the number before it is known. */
export function unopened(number: number): OwnNumber {
  return { number, ownNumber: null, whileOpen: null };
}

/** The number that ours has, as far as nobody else has come in between. */
export function ownNumberOf({ number, ownNumber }: OwnNumber): number {
  return ownNumber ?? number + 1;
}

/**
 * True when the receipt that is open has a number that ours may have. Where it is not known what the
 * device shows while ours stands open, that may as well be the next one, behind ours.
 */
export function isOursOpen(own: OwnNumber, now: Pick<CurrentReceipt, "open" | "number">): boolean {
  const known = own.ownNumber ?? own.whileOpen;
  const isNumber =
    known === null
      ? now.number === own.number || now.number === own.number + 1
      : now.number === known;
  return now.open && isNumber;
}

/** True when it was seen which number the device shows while ours stands open. */
export function isNumberSeen({ ownNumber, whileOpen }: OwnNumber): boolean {
  return (ownNumber ?? whileOpen) !== null;
}

/** What the device shows of our document besides its current receipt. */
export interface Reading extends CurrentReceipt {
  /**
   * True when the device's journal says of our number that its receipt was cancelled. Asked only
   * where the current receipt is another one or forgotten, and only of devices that told us that
   * number.
   */
  readonly isCancelledInJournal: boolean;
}

/**
 * True when nothing is told of the current receipt: the device has had none, or has forgotten it
 * with its power. UNCONFIRMED whether any does.
 */
export function isBlank({ items, amountMinor, paidMinor }: CountedReceipt): boolean {
  return items === 0 && amountMinor === 0 && paidMinor === 0;
}

/**
 * Reads the current receipt, and what the journal has of ours.
 * @param mayBePaid as in `whyGone`
 * @throws FiscalError
 */
export async function readBack(
  device: IslDevice,
  own: OwnNumber,
  mayBePaid: boolean,
): Promise<Reading> {
  const current = await readCurrentReceipt(device);
  const { ownNumber } = own;
  const isForgotten = mayBePaid && !current.open && isBlank(current);
  const isAsked = ownNumber !== null && (current.number > ownNumber || isForgotten);
  const isCancelledInJournal = isAsked && (await isCancelled(device, ownNumber));
  return { ...current, isCancelledInJournal };
}

/**
 * Why nothing can have been printed of ours, when it does not stand open any more.
 * @param mayBePaid a payment of ours may have reached the device, and it has not confirmed that it
 *   cancelled the document
 * @returns undefined when it may have been
 */
export function whyGone(own: OwnNumber, now: Reading, mayBePaid: boolean): string | undefined {
  // Zeros are no proof against a payment: a device without memory of its last receipt says the same.
  const isForgotten = mayBePaid && isBlank(now);
  if (!now.open && now.number === own.number && !(isForgotten && isNoNumber(own, now))) {
    return "The device has taken no document since";
  }
  // A cancelled document takes a number as well; what tells it apart is that nothing was paid.
  const isLast = !now.open && now.number === ownNumberOf(own);
  return (isLast && now.paidMinor === 0 && !isForgotten) || now.isCancelledInJournal
    ? "The document was cancelled on the device"
    : undefined;
}

/**
 * True when the number is forgotten with the receipt. Only devices that tell ours when it is opened
 * tell it within the receipt; the others count their documents apart. Where ours was the first, the
 * device had none before: 0 is its number then.
 */
function isNoNumber({ ownNumber }: OwnNumber, { number }: Reading): boolean {
  return number === 0 && ownNumber !== null && ownNumber > 1;
}

/**
 * Reads the current receipt: one frame where it holds the number, two where that is read apart. The
 * status bytes of the answer then tell paper, cover and clock as well.
 * @throws FiscalError
 */
export async function readCurrentReceipt(device: IslDevice): Promise<CurrentReceipt> {
  const answer = await device.ask("transaction");
  const open = answer.text("open") !== "0" || device.shows("fiscal_receipt_open");
  const shown = {
    items: answer.integer("items"),
    amountMinor: Math.abs(answer.minor("amount")),
    paidMinor: Math.abs(answer.minor("paid")),
  };
  if (!device.can("lastDocument")) return { open, number: answer.integer("number"), ...shown };
  // The number last: whoever puts a receipt in the place of this one in between moves it.
  const number = await readLastNumber(device);
  return { open, number, ...shown };
}

/** Number of the last document, where that is read apart. @throws FiscalError */
export async function readLastNumber(device: IslDevice): Promise<number> {
  return (await device.ask("lastDocument")).integer("number");
}

/** True in a baseline that is stored anew, with more, before the first line of ours is sent. */
export const LINES_WAIT = "linesWait";

/** Under what is remembered when a device without own numbers counts its receipts. */
const COUNTS_RECEIPTS = "countsReceipts";

/**
 * What such a device gives as its document number while ours is open, where it was seen before when it
 * counts.
 * @param number before ours
 */
export function knownWhileOpen(device: IslDevice, number: number): number | null {
  const when = recall(device, COUNTS_RECEIPTS);
  if (when === "when_closed") return number;
  return when === "when_opened" ? number + 1 : null;
}

/**
 * The same, asked for right behind the frame that opened it where that was not seen before.
 * @param number before ours
 * @returns null where the device does not tell, or something else was printed meanwhile
 * @throws FiscalError a line fault
 */
export async function readWhileOpen(device: IslDevice, number: number): Promise<number | null> {
  const known = knownWhileOpen(device, number);
  if (known !== null) return known;
  const shown = (await device.tryAsk("lastDocument"))?.integer("number");
  return shown === number || shown === number + 1 ? shown : null;
}

/**
 * Learns that from the numbers it gave while ours was open and behind it. Where the first is that of
 * before, it has not counted ours yet; where they are the same, it has counted nothing but ours.
 */
export function learnCounting(
  device: IslDevice,
  { number }: OwnNumber,
  shown: { readonly open: number; readonly closed: number },
): void {
  if (shown.closed !== number + 1) return;
  const when = shown.open === number ? "when_closed" : "when_opened";
  remember(device, COUNTS_RECEIPTS, when);
}

/** A receipt of another number is open: it is somebody else's, or the device counts otherwise. */
export function doubtCounting(device: IslDevice): void {
  forget(device, COUNTS_RECEIPTS);
}

/**
 * The number by which people are told of the receipt that stands open; undefined where what the
 * device shows may be that of the one before.
 */
export function toldNumber(device: IslDevice, { number }: CurrentReceipt): number | undefined {
  const isItsOwn = !device.can("lastDocument") || recall(device, COUNTS_RECEIPTS) === "when_opened";
  return isItsOwn ? number : undefined;
}

/** True when the journal has a document of this number, and it is a cancelled receipt. */
async function isCancelled(device: IslDevice, number: number): Promise<boolean> {
  const found = await device.tryAsk("journalDocument", { number: String(number) });
  const isFound = found?.optional("document") === String(number);
  return isFound && found.optional("type") === device.dialect.journalKinds?.cancelled;
}
