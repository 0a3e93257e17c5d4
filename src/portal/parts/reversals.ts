/** What was taken back of a sale, and what may still be. */

import { useQuery } from "@tanstack/react-query";
import type { components } from "../../client/index.ts";
import { read } from "../api/queries.ts";
import { type Command, isDoubtful, isUnderWay } from "./command-state.ts";

type Receipt = components["schemas"]["Receipt"];
type Item = Receipt["items"][number];

/** What is left of a line of the sale. */
export interface LineLeft {
  readonly item: Item;
  readonly quantity: number;
}

/** More than goes back of one sale; of commands, than wait for a printer. */
const LIST_MAX = 100;

/**
 * Reads what takes from a sale. The gateway judges what is left when a reversal is asked for; this is
 * what there is to show before.
 */
export function useReversals(sale: Receipt) {
  const { deviceId, simulated } = sale;
  const isSale = sale.type === "sale";
  // Whatever has been printed since, and wherever it was paid back.
  const ofSale = { originalReceiptId: sale.id, simulated, limit: LIST_MAX } as const;
  const taken = useQuery({
    ...read("/api/v1/receipts", { query: { ...ofSale, sortBy: "issuedAt", sortOrder: "asc" } }),
    enabled: isSale,
  });
  const commands = useQuery({
    ...read("/api/v1/commands", {
      query: { deviceId, type: "print_reversal_receipt", from: sale.createdAt, limit: LIST_MAX },
    }),
    enabled: isSale,
  });
  const reversing = taken.data?.receipts ?? [];
  const underWay = (commands.data?.commands ?? []).filter(
    (command) => (isUnderWay(command) || isDoubtful(command)) && isOf(command, sale),
  );
  return {
    reversing,
    /** Commands that have reserved a part of it. */
    underWay,
    isKnown: [taken, commands].every(({ data }) => data !== undefined),
    reads: [taken, commands],
    ...leftOf(sale, [...reversing.map(documentOf), ...underWay.map(payloadOf)]),
  };
}

interface Document {
  readonly items: readonly Item[];
  readonly cents: number;
}

function leftOf(sale: Receipt, taken: readonly Document[]) {
  const lines = sale.items.map((item) => ({ item, quantity: item.quantity }));
  for (const item of taken.flatMap(({ items }) => items)) {
    let { quantity } = item;
    for (const line of lines.filter((one) => isSame(one.item, item))) {
      const part = Math.min(line.quantity, quantity);
      line.quantity = thousandths(line.quantity - part);
      quantity = thousandths(quantity - part);
    }
  }
  const centsLeft = taken.reduce((left, { cents }) => left - cents, centsOf(sale.total));
  return { lines: lines as readonly LineLeft[], centsLeft: Math.max(0, centsLeft) };
}

function documentOf({ items, total }: Receipt): Document {
  return { items, cents: centsOf(total) };
}

function payloadOf({ payload }: Command): Document {
  // The gateway has checked it against its type.
  const { items } = payload as { readonly items: readonly Item[] };
  return { items, cents: centsOfLines(items) };
}

/** The command names the sale as the printer does. */
function isOf({ payload }: Command, sale: Receipt): boolean {
  return payload.originalReceiptNumber === (sale.receiptNumber ?? sale.fiscalId);
}

function isSame(one: Item, other: Item): boolean {
  return one.name === other.name && one.price === other.price && one.vatGroup === other.vatGroup;
}

/** Whole cents of an amount, whatever binary fractions come to. */
export function centsOf(amount: number): number {
  return Math.round(Number((amount * 100).toPrecision(12)));
}

/** What lines come to, each rounded as on paper. */
export function centsOfLines(items: readonly Pick<Item, "price" | "quantity">[]): number {
  return items.reduce((sum, { price, quantity }) => sum + centsOf(price * quantity), 0);
}

function thousandths(quantity: number): number {
  return Math.round(quantity * 1_000) / 1_000;
}
