/** The sale that a command was to print, as its paper would show it. */

import type { components } from "../../../client/index.ts";
import type { PaperReceipt } from "../../parts/receipt-lines.ts";

type Command = components["schemas"]["Command"];

const TYPES: Readonly<Partial<Record<Command["type"], PaperReceipt["type"]>>> = {
  print_receipt: "sale",
  print_reversal_receipt: "storno",
};

/** Undefined for what is no receipt. What it was accepted with is what its type's payload is. */
export function saleOf(
  { type, payload, createdAt }: Command,
  currency: string,
): PaperReceipt | undefined {
  const kind = TYPES[type];
  if (kind === undefined) return undefined;
  const {
    items,
    payments = [],
    subtotalModifiers = [],
  } = payload as Pick<PaperReceipt, "items"> & Partial<PaperReceipt>;
  const cents = payments.reduce((sum, { amount }) => sum + Math.round(100 * amount), 0);
  return {
    ...{ type: kind, items, payments, subtotalModifiers, currency },
    ...{ total: cents / 100, issuedAt: createdAt, fiscalId: null },
  };
}
