/** What customers buy and bring back, drawn by dice, as payloads of the API. */

import { toReceiptItems } from "#core/command/document-fields.ts";
import { lineWorths } from "#core/line-worth.ts";
import { lineTotalMinor } from "#core/money.ts";
import type { PaymentMethod } from "#core/receipt.ts";
import type { Dice } from "#drivers/testing/dice.ts";
import type { DeviceProfile } from "./device-profile.ts";

interface Item {
  readonly name: string;
  readonly quantity: number;
  readonly price: number;
  readonly vatGroup: string;
  readonly unit?: string;
}

interface Tender {
  readonly method: PaymentMethod;
  readonly amount: number;
}

/** The payload of a `print_receipt`. */
export interface SalePayload {
  readonly uniqueSaleNumber: string;
  readonly items: readonly Item[];
  readonly payments: readonly Tender[];
  readonly subtotalModifiers?: readonly { readonly type: string; readonly value: number }[];
  readonly operatorId?: number;
  readonly customerCif?: string;
}

const LATIN_GOODS = ["Bread", "Milk", "Coffee beans", "Batteries AA", "Newspaper"];
const GOODS = [...LATIN_GOODS, "Сирене", "Ябълки", "Вестник"];
const OPERATORS = 3;
const SMALL_BASKET_MAX = 6;
const LARGE_BASKET_MAX = 30;
const PRICE_MINOR_MAX = 4_999;
const QUANTITY_MILLI_MAX = 3_500;

/** True in one of `chances` cases. */
export function oneIn(dice: Dice, chances: number): boolean {
  return dice(chances) === 0;
}

/** One of several. */
export function pick<T>(dice: Dice, choices: readonly T[]): T {
  const chosen = choices[dice(choices.length)];
  if (chosen === undefined) throw new RangeError("nothing to pick from");
  return chosen;
}

/**
 * Draws a sale that the device takes, worth at least 0.01 in all.
 * @param number of the sale, unique on its device; it is part of the name of the first item
 */
export function drawSale(dice: Dice, profile: DeviceProfile, number: number): SalePayload {
  const count = 1 + dice(oneIn(dice, 25) ? LARGE_BASKET_MAX : SMALL_BASKET_MAX);
  const groups = Object.keys(profile.vatGroups);
  const goods = profile.printsCyrillic ? GOODS : LATIN_GOODS;
  // Some baskets are of one group, for which some devices have another frame.
  const only = oneIn(dice, 3) ? [pick(dice, groups)] : groups;
  const drawn = Array.from({ length: count }, (_, index) =>
    drawItem(dice, only, { index, number, goods }),
  );
  const items = drawn.map(({ item }) => item);
  const itemsMinor = drawn.reduce((sum, { totalMinor }) => sum + totalMinor, 0);
  const canModify = profile.modifiers === "any";
  const changeMinor = canModify && oneIn(dice, 5) ? drawAdjustment(dice, itemsMinor) : 0;
  const modifier = {
    type: changeMinor < 0 ? "discount-amount" : "surcharge-amount",
    value: Math.abs(changeMinor) / 100,
  };
  return {
    uniqueSaleNumber: `DT123456-0001-${String(number).padStart(7, "0")}`,
    items,
    payments: drawTenders(dice, profile, itemsMinor + changeMinor),
    ...(changeMinor === 0 ? {} : { subtotalModifiers: [modifier] }),
    ...(oneIn(dice, 2) ? { operatorId: 1 + dice(OPERATORS) } : {}),
    ...(oneIn(dice, 12) ? { customerCif: `BG${123_456_000 + dice(1_000)}` } : {}),
  };
}

function drawItem(
  dice: Dice,
  groups: readonly string[],
  line: { readonly index: number; readonly number: number; readonly goods: readonly string[] },
) {
  const { index, number, goods } = line;
  const isWeighed = oneIn(dice, 3);
  const quantityMilli = isWeighed ? 1 + dice(QUANTITY_MILLI_MAX) : 1_000 * (1 + dice(4));
  const priceMinor = 1 + dice(PRICE_MINOR_MAX);
  // A crumb of something cheap comes to nothing; the first line makes the receipt worth a coin.
  const least = index === 0 ? 1_000 : 0;
  const milli = Math.max(quantityMilli, least);
  const item: Item = {
    name: `${pick(dice, goods)} ${number}-${index + 1}`,
    quantity: milli / 1_000,
    price: priceMinor / 100,
    vatGroup: pick(dice, groups),
    ...(isWeighed ? { unit: "kg" } : {}),
  };
  return { item, totalMinor: lineTotalMinor(priceMinor, milli) };
}

/** A discount (negative) or surcharge of at most a fifth. */
function drawAdjustment(dice: Dice, itemsMinor: number): number {
  const amountMinor = dice(1 + Math.floor(itemsMinor / 5));
  return oneIn(dice, 3) ? amountMinor : -amountMinor;
}

/** Mostly cash, often another tender, sometimes two. */
function drawTenders(dice: Dice, profile: DeviceProfile, totalMinor: number): Tender[] {
  const other = pick(dice, profile.tenders);
  const share = 1 + dice(Math.max(1, totalMinor - 1));
  if (totalMinor > 1 && oneIn(dice, 5)) {
    return [
      { method: other, amount: share / 100 },
      { method: "cash", amount: (totalMinor - share) / 100 },
    ];
  }
  return [{ method: oneIn(dice, 3) ? other : "cash", amount: totalMinor / 100 }];
}

/** What is known of a printed sale that a customer may bring something back of. */
export interface PrintedSale {
  readonly payload: SalePayload;
  readonly fiscalId: string;
  readonly receiptNumber: string;
  readonly issuedAt: string;
  readonly fiscalMemorySerialNumber: string;
  readonly zReportNumber: string | undefined;
}

/** A reversal: of everything by the receipt's number, or of some lines. */
export interface Reversal {
  readonly type: "void_receipt" | "print_reversal_receipt";
  readonly payload: object;
}

/** Draws what comes back of a sale; undefined where its discount lets nothing come back whole. */
export function drawReversal(
  dice: Dice,
  profile: DeviceProfile,
  sale: PrintedSale,
): Reversal | undefined {
  const { payload } = sale;
  const wasCash = payload.payments.every(({ method }) => method === "cash");
  // A whole receipt is paid back as it was paid, and by its lines alone.
  const canVoid = !payload.subtotalModifiers && (wasCash || !profile.stornoInCashOnly);
  if (canVoid && oneIn(dice, 2)) {
    return { type: "void_receipt", payload: { receiptId: sale.fiscalId } };
  }
  const some = asPaid(payload).filter((_, index) => index === 0 || oneIn(dice, 2));
  const kept = linesWithin(paidMinor(payload), some);
  if (kept.length === 0) return undefined;
  return {
    type: "print_reversal_receipt",
    payload: {
      uniqueSaleNumber: payload.uniqueSaleNumber,
      originalReceiptNumber: sale.receiptNumber,
      originalReceiptDateTime: sale.issuedAt,
      fiscalMemorySerialNumber: sale.fiscalMemorySerialNumber,
      ...(sale.zReportNumber === undefined ? {} : { originalZReportNumber: sale.zReportNumber }),
      reason: pick(dice, ["operator-error", "refund", "tax-base-reduction"]),
      items: kept,
      // Without payments the whole amount is cash.
    },
  };
}

/** The lines at what each was paid with, or a little less, where the whole had a discount. */
function asPaid({ items, subtotalModifiers = [] }: SalePayload): Item[] {
  const modifiers = subtotalModifiers.map(({ type, value }) => ({
    kind: type === "discount-amount" ? ("discount" as const) : ("surcharge" as const),
    amountMinor: Math.round(value * 100),
  }));
  const worths = lineWorths(toReceiptItems([...items]), modifiers);
  return items.map((item, at) => {
    const price = Math.floor((worths[at] ?? 0) / item.quantity) / 100;
    return { ...item, price: Math.min(item.price, price) };
  });
}

function paidMinor({ payments }: SalePayload): number {
  return payments.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
}

/** The lines, one after another, that come to no more than what was paid after a discount. */
function linesWithin(limitMinor: number, items: readonly Item[]): Item[] {
  let left = limitMinor;
  return items.filter(({ price, quantity }) => {
    const worth = lineTotalMinor(Math.round(price * 100), Math.round(quantity * 1_000));
    if (worth > left) return false;
    left -= worth;
    return true;
  });
}
