/**
 * What is left of a sale once parts of it were reversed: of each line its quantity and its money, with
 * its part of what was taken off or added to the whole; what may be paid back, and in euro. What goes
 * back of a line is never more than its money, so no VAT group pays back more than was sold in it.
 */

import { linesWorth, lineWorths, shareOf } from "./line-worth.ts";
import type { Payment, ReceiptItem, ReversalReason, SubtotalModifier } from "./receipt.ts";
import { documentTotalMinor, paymentsTotalMinor } from "./receipt-total.ts";
import { euroLeft } from "./sale-in-euro.ts";
import { spread } from "./spread.ts";

/** An item, and which line of the sale it is of, from 0, where whoever chose it said so. */
export type CountedItem = ReceiptItem & { readonly at?: number };

/** A sale, or what reverses a part of one. */
export interface CountedDocument {
  readonly items: readonly CountedItem[];
  readonly subtotalModifiers?: readonly SubtotalModifier[];
  readonly payments?: readonly Payment[];
  /** Of what reverses; where nobody knows any more goods came back. */
  readonly reason?: ReversalReason | undefined;
  /** Of what reverses in euro a sale of a currency that they have replaced: its own total, in cents. */
  readonly euroMinor?: number | undefined;
}

/** A sale; its currency counts where the euro has replaced that. */
export interface CountedSale extends CountedDocument {
  readonly currency?: string;
}

/** What is left of a line of the sale. */
export interface LineLeft {
  /** Which line it is, from 0. */
  readonly at: number;
  /** As it was sold. */
  readonly item: ReceiptItem;
  /** What it was sold for, in minor units. */
  readonly soldMinor: number;
  /** Thousandths. */
  readonly quantityMilli: number;
  /** Minor units. */
  readonly amountMinor: number;
}

/** What may still be reversed. */
export interface Left {
  /** The lines of the sale with what is left of each, which may be nothing. */
  readonly lines: readonly LineLeft[];
  /** Minor units. */
  readonly amountMinor: number;
  /** What was paid in each tender and has not gone back in it. */
  readonly payments: readonly Payment[];
  /** What payments may come to: those of the sale may be over it by the tolerance of the balance rule. */
  readonly payableMinor: number;
  /** What may go back in euro, in cents; undefined for a sale of a currency that they have not replaced. */
  readonly euroMinor: number | undefined;
}

/** What a document takes beyond what is left. */
export interface Excess {
  /** Of lines that have not so much, in quantity or money. */
  readonly unplaced: readonly Taken[];
  /** Of what it pays beyond its own lines; minor units. */
  readonly unpaidMinor: number;
}

/** A line while it is counted. */
type Counted = { -readonly [Key in keyof LineLeft]: LineLeft[Key] };

/** An item of what reverses, and what it comes to. */
export interface Taken {
  readonly item: CountedItem;
  readonly amountMinor: number;
}

/** What is taken from. */
interface Account {
  readonly lines: readonly Counted[];
  /** What was paid beyond the lines, by the tolerance of the balance rule; minor units. */
  overMinor: number;
}

/** Takes what was reversed from a sale, oldest first. */
export function leftOf(sale: CountedSale, reversed: readonly CountedDocument[]): Left {
  const worths = lineWorths(sale.items, sale.subtotalModifiers);
  const lines = sale.items.map((item, at): Counted => {
    const soldMinor = worths[at] ?? 0;
    return { at, item, soldMinor, quantityMilli: item.quantityMilli, amountMinor: soldMinor };
  });
  const soldMinor = worths.reduce((sum, worth) => sum + worth, 0);
  const overMinor = Math.max(0, paymentsTotalMinor(sale.payments ?? []) - soldMinor);
  const account: Account = { lines, overMinor };
  for (const document of reversed) {
    const { unplaced } = take(account, document);
    // Older gateways counted the money of the whole sale: what they paid back of one line too much
    // is lacking in others, so that the sale never pays back more than it came to.
    for (const { item, amountMinor } of unplaced) {
      const rest = takeMoney(linesOfGroup(lines, item), amountMinor);
      takeMoney(lines, rest);
    }
  }
  for (const line of lines)
    if (line.soldMinor > 0 && line.amountMinor === 0) line.quantityMilli = 0;
  const { amountMinor } = sumOf(lines);
  return {
    ...{ lines, amountMinor, payableMinor: amountMinor + account.overMinor },
    payments: paymentsLeft(sale, reversed),
    euroMinor: euroLeft(sale, reversed),
  };
}

/** What a document would take beyond what is left. Changes nothing. */
export function takenBeyond({ lines, amountMinor, payableMinor }: Left, asked: CountedDocument) {
  const account = { lines: lines.map((line) => ({ ...line })) };
  return take({ ...account, overMinor: payableMinor - amountMinor }, asked);
}

function paymentsLeft(sale: CountedDocument, reversed: readonly CountedDocument[]): Payment[] {
  const back = reversed.flatMap(({ payments = [] }) => payments);
  const methods = [...new Set(sale.payments?.map(({ method }) => method))];
  const inTender = (payments: readonly Payment[], method: Payment["method"]) =>
    paymentsTotalMinor(payments.filter((payment) => payment.method === method));
  return methods.flatMap((method) => {
    const amountMinor = inTender(sale.payments ?? [], method) - inTender(back, method);
    return amountMinor > 0 ? [{ method, amountMinor }] : [];
  });
}

/** The lines of which something is left to reverse. */
export function reversibleLines({ lines }: Left): readonly LineLeft[] {
  return lines.filter(({ quantityMilli }) => quantityMilli > 0);
}

/**
 * What a printer is told to take back parts of lines: each comes to its share of what its line has
 * left, and the last part to all of it.
 * @param parts up to what is left of their lines
 */
export function itemsOfParts(
  parts: readonly { readonly line: LineLeft; readonly quantityMilli: number }[],
): readonly CountedItem[] {
  return parts.flatMap(({ line, quantityMilli }) => {
    const amountMinor = shareOf(line, quantityMilli);
    // So small a part that it comes to nothing; what was given away for nothing goes back so.
    if (amountMinor === 0 && line.item.priceMinor > 0) return [];
    const items = linesWorth({ ...line.item, quantityMilli }, amountMinor);
    return items.map((item) => ({ ...item, at: line.at }));
  });
}

/** Takes a document from the lines, and what it pays beyond its own: so much less is left of the sale. */
function take(account: Account, document: CountedDocument): Excess {
  const { items, subtotalModifiers, payments = [] } = document;
  const unplaced = takeAll(account.lines, document);
  const totalMinor = documentTotalMinor(items, subtotalModifiers);
  const beyondMinor = Math.max(0, paymentsTotalMinor(payments) - totalMinor);
  const ofOverMinor = Math.min(beyondMinor, account.overMinor);
  account.overMinor -= ofOverMinor;
  return { unplaced, unpaidMinor: takeMoney(account.lines, beyondMinor - ofOverMinor) };
}

/**
 * Takes a document from the lines, of those with the same name and VAT group, and first of that which
 * it names, or whose price is the nearest. What lowers a price afterwards takes money alone, unless it is at the price of
 * the sale; what the sale does not have takes money of its VAT group.
 * @returns what the lines do not have, in quantity or money
 */
function takeAll(lines: readonly Counted[], document: CountedDocument): Taken[] {
  const worths = lineWorths(document.items, document.subtotalModifiers);
  return document.items.flatMap((item, at) => {
    const taken = { item, amountMinor: worths[at] ?? 0 };
    const same = lines.filter((line) => isSameGoods(line.item, item));
    const isOfMoney =
      same.length === 0 ||
      (document.reason === "tax-base-reduction" &&
        same.every((line) => line.item.priceMinor !== item.priceMinor));
    return isOfMoney ? takeLowering(lines, same, taken) : takeGoods(same, taken);
  });
}

function takeLowering(
  lines: readonly Counted[],
  same: readonly Counted[],
  { item, amountMinor }: Taken,
): Taken[] {
  const rest = takeMoney(same.length > 0 ? same : linesOfGroup(lines, item), amountMinor);
  return rest > 0 ? [{ item: { ...item, quantityMilli: 0 }, amountMinor: rest }] : [];
}

function takeGoods(same: readonly Counted[], { item, amountMinor }: Taken): Taken[] {
  const nearest = same.toSorted((one, other) => distance(one, item) - distance(other, item));
  let { quantityMilli } = item;
  let rest = amountMinor;
  for (const line of nearest) {
    const part = Math.min(line.quantityMilli, quantityMilli);
    if (part === 0) continue;
    const worth = shareOf({ quantityMilli, amountMinor: rest }, part);
    const paid = Math.min(worth, line.amountMinor);
    quantityMilli -= part;
    rest -= paid;
    line.quantityMilli -= part;
    line.amountMinor -= paid;
  }
  // What rounding gave one of several equal lines too much another one of them has.
  rest = takeMoney(nearest, rest);
  if (quantityMilli === 0 && rest === 0) return [];
  return [{ item: { ...item, quantityMilli }, amountMinor: rest }];
}

/** How far a price is from what one of a line was paid with; less than any of the line that is named. */
function distance({ at, item, soldMinor }: Counted, taken: CountedItem): number {
  if (at === taken.at) return -1;
  return Math.abs((soldMinor * 1_000) / item.quantityMilli - taken.priceMinor);
}

/** Takes money of lines in proportion to what they have. @returns what they do not have */
function takeMoney(lines: readonly Counted[], amountMinor: number): number {
  const { amountMinor: there } = sumOf(lines);
  const parts = spread(
    Math.min(amountMinor, there),
    lines.map((line) => line.amountMinor),
  );
  for (const [at, line] of lines.entries()) line.amountMinor -= parts[at] ?? 0;
  return Math.max(0, amountMinor - there);
}

/** Those of the VAT group of an item. */
export function linesOfGroup<Line extends { readonly item: ReceiptItem }>(
  lines: readonly Line[],
  { vatGroup }: ReceiptItem,
): Line[] {
  return lines.filter(({ item }) => item.vatGroup === vatGroup);
}

/** What lines have, all of them together. */
export function sumOf(lines: readonly Pick<LineLeft, "quantityMilli" | "amountMinor">[]) {
  return lines.reduce(
    (sum, line) => ({
      quantityMilli: sum.quantityMilli + line.quantityMilli,
      amountMinor: sum.amountMinor + line.amountMinor,
    }),
    { quantityMilli: 0, amountMinor: 0 },
  );
}

/** The same, at whatever price. */
export function isSameGoods(one: ReceiptItem, other: ReceiptItem): boolean {
  return one.name === other.name && one.vatGroup === other.vatGroup;
}
