/** Why a sale is not taken back by something: it is not like the sale, or takes more than is left of it. */

import { ApiError } from "./errors.ts";
import { isReplacedBy } from "./euro.ts";
import { lineWorths, shareOf } from "./line-worth.ts";
import { formatMilli, formatMinor, fromMinor } from "./money.ts";
import type { ReceiptItem, ReversalReason } from "./receipt.ts";
import {
  type CountedDocument,
  isSameGoods,
  type Left,
  type LineLeft,
  linesOfGroup,
  sumOf,
  type Taken,
  takenBeyond,
} from "./receipt-left.ts";
import type { StoredReceipt } from "./receipt-record.ts";
import { paymentsTotalMinor } from "./receipt-total.ts";

/** A storno, as far as its sale limits it. */
export interface AskedStorno extends CountedDocument {
  readonly reason: ReversalReason;
}

/** What takes a sale back, or a part of it, as far as it has to be like the sale. */
export interface Reversing extends Pick<StoredReceipt, "currency" | "simulated"> {
  /** Whether whoever asks for it has said himself what it comes to, and converted that. */
  readonly isPriced?: boolean;
}

/** Why something cannot be reversed. */
export interface LeftFault {
  /** In words. */
  readonly message: string;
  /** The lines that it is about. */
  readonly lines: readonly LineLeft[];
}

/**
 * Why a receipt is not taken back by that, whatever is left of it; undefined when it may be.
 * @param by its currency is the one that the money goes back in
 */
export function originalFault(sale: StoredReceipt, by: Reversing): LeftFault | undefined {
  const message = unfitWords(sale, by);
  return message === undefined ? undefined : { message, lines: [] };
}

function unfitWords(sale: StoredReceipt, by: Reversing) {
  const { type, currency, simulated } = sale;
  if (type !== "sale") return `The receipt is a ${type}: only a sale is reversed`;
  if (simulated !== by.simulated) {
    return simulated
      ? "The sale is of a simulated printer: no real one takes it back"
      : "The sale is a real one: no simulated printer takes it back";
  }
  if (currency === by.currency) return undefined;
  if (by.isPriced && isReplacedBy(currency, by.currency)) return undefined;
  return (
    `The sale is in ${currency}, and the shop sells in ${by.currency} now: what it came to is not ` +
    `converted. Reverse it at the printer. Where ${currency} was never right but set by mistake, set ` +
    `it once more (PATCH /org), reverse the sale, and set ${by.currency} again`
  );
}

/** Why a storno takes more than a sale has; undefined when it does not. */
export function stornoFault(
  sale: StoredReceipt,
  left: Left,
  asked: AskedStorno,
): LeftFault | undefined {
  // What lowers a price afterwards is no item of the sale; a surcharge has to be paid back with one.
  const hasOwnItems =
    asked.reason === "tax-base-reduction" ||
    sale.subtotalModifiers.some(({ kind }) => kind === "surcharge");
  return (hasOwnItems ? undefined : unsold(sale, left, asked)) ?? excessOf(left, asked);
}

/** @throws ApiError UNPROCESSABLE_ENTITY where a receipt is not taken back by that at all */
export function requireOriginal(sale: StoredReceipt, by: Reversing): void {
  const fault = originalFault(sale, by);
  if (fault !== undefined) throw beyondSale(sale, fault);
}

/** The refusal, with what is left of the lines that it is about. */
export function beyondSale({ id }: StoredReceipt, { message, lines }: LeftFault): ApiError {
  const details = { originalReceiptId: id, left: lines.map(lineRecord) };
  return new ApiError("UNPROCESSABLE_ENTITY", message, details);
}

/** What is left of a line, as the API tells it. */
export function lineRecord({ at, item, quantityMilli, amountMinor }: LineLeft) {
  return {
    line: at,
    name: item.name,
    vatGroup: item.vatGroup,
    quantity: Number(formatMilli(quantityMilli)),
    amount: fromMinor(amountMinor),
  };
}

/** The first item that the sale does not have, or not at that price. */
function unsold(
  sale: StoredReceipt,
  left: Left,
  { items }: CountedDocument,
): LeftFault | undefined {
  for (const item of items) {
    const { name, priceMinor } = item;
    const sold = left.lines.filter((line) => isSameGoods(line.item, item));
    if (sold.length === 0) {
      const other = sale.items.find((line) => line.name === name);
      const message = other ? `"${name}" was sold in ${other.vatGroup}` : `"${name}" was not sold`;
      return { message, lines: [] };
    }
    const dearest = Math.max(...sold.map((line) => line.item.priceMinor));
    if (priceMinor > dearest && !isShare(sold, item, items)) {
      return { message: `"${name}" was sold at ${formatMinor(dearest)}`, lines: sold };
    }
  }
  return undefined;
}

/** True where items are dearer than was sold because of what rounding has left for them. */
function isShare(
  sold: readonly LineLeft[],
  item: ReceiptItem,
  items: readonly ReceiptItem[],
): boolean {
  const same = items.filter((one) => isSameGoods(one, item));
  const asked = lineWorths(same).reduce((sum, worth) => sum + worth, 0);
  return asked <= shareOf(sumOf(sold), sumOfQuantities(same));
}

/** Why a sale that had a discount or surcharge on its subtotal is not voided as a whole. */
export const ADJUSTED_SALE =
  "a discount or surcharge on its subtotal cannot be repeated on a storno";

/**
 * Why that is more than what is left; undefined when it is not.
 * @param isMade it was made elsewhere: of goods that all went back below their price, it may have the
 * money that is left
 */
export function excessOf(
  left: Left,
  asked: CountedDocument,
  isMade = false,
): LeftFault | undefined {
  const { euroMinor = 0 } = asked;
  if (left.euroMinor !== undefined && euroMinor > left.euroMinor) {
    const [more, rest] = [euroMinor, left.euroMinor].map((cents) => `${formatMinor(cents)} EUR`);
    return { message: `${more} is more than the ${rest} that is left of the sale`, lines: [] };
  }
  const { unplaced, unpaidMinor } = takenBeyond(left, asked);
  const [excess] = isMade ? unplaced.flatMap((taken) => inMoney(left, taken)) : unplaced;
  if (excess === undefined) {
    if (unpaidMinor === 0) return undefined;
    const paid = paymentsTotalMinor(asked.payments ?? []);
    return { message: moreThan(paid, left.amountMinor, "the sale"), lines: left.lines };
  }
  const { item, amountMinor } = excess;
  const same = left.lines.filter((line) => isSameGoods(line.item, item));
  if (same.length > 0 && item.quantityMilli > 0) {
    return { message: onlyLeft(sumOf(same).quantityMilli, `"${item.name}"`), lines: same };
  }
  const about = same.length > 0 ? same : linesOfGroup(left.lines, item);
  const what = same.length > 0 ? `"${item.name}"` : item.vatGroup;
  const rest = sumOf(about).amountMinor;
  return { message: moreThan(rest + amountMinor, rest, what), lines: about };
}

/** Goods of which money alone is left take that alone. */
function inMoney({ lines }: Left, taken: Taken): Taken[] {
  const { item, amountMinor } = taken;
  const rest = sumOf(lines.filter((line) => isSameGoods(line.item, item)));
  if (rest.quantityMilli > 0 || rest.amountMinor === 0) return [taken];
  return amountMinor === 0 ? [] : [{ item: { ...item, quantityMilli: 0 }, amountMinor }];
}

function moreThan(askedMinor: number, leftMinor: number, what: string): string {
  return `${formatMinor(askedMinor)} is more than the ${formatMinor(leftMinor)} that is left of ${what}`;
}

/** Says how much is left of something of which more is asked. */
export function onlyLeft(quantityMilli: number, what: string): string {
  return quantityMilli > 0
    ? `Only ${formatMilli(quantityMilli)} of ${what} is left of the sale`
    : `Nothing is left of ${what}: it is reversed already, or about to be`;
}

function sumOfQuantities(items: readonly ReceiptItem[]): number {
  return items.reduce((sum, { quantityMilli }) => sum + quantityMilli, 0);
}
