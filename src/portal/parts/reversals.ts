/** What was taken back of a sale, and what may still be. */

import { useQuery } from "@tanstack/react-query";
import type { components } from "../../client/index.ts";
import { read } from "../api/queries.ts";
import { centsOf } from "./cents.ts";
import { type Command, isDoubtful, isUnderWay } from "./command-state.ts";
import type { Tender } from "./tender.ts";

type Receipt = components["schemas"]["Receipt"];
type Item = Receipt["items"][number];

/** What is left of a line of the sale, as the gateway counts it. */
export interface LineLeft {
  readonly item: Item;
  readonly quantity: number;
  readonly cents: number;
}

/** What is left of a way in which the sale was paid. */
export interface TenderLeft {
  readonly method: Tender;
  readonly cents: number;
}

/** More than goes back of one sale; of commands, than wait for a printer. */
const LIST_MAX = 100;

/**
 * Reads what takes from a sale, and what is left of it.
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
      query: { deviceId, type: ["print_reversal_receipt"], from: sale.createdAt, limit: LIST_MAX },
    }),
    enabled: isSale,
  });
  const counted = useQuery({
    ...read("/api/v1/receipts/{receiptId}/reversible", { path: { receiptId: sale.id } }),
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
    isKnown: [taken, commands, counted].every(({ data }) => data !== undefined),
    reads: [taken, commands, counted],
    ...leftOf(sale, counted.data?.reversible),
  };
}

function leftOf(sale: Receipt, reversible?: components["schemas"]["Reversible"]) {
  const lines = sale.items.map((item, at): LineLeft => {
    const { quantity = 0, amount = 0 } = reversible?.lines[at] ?? {};
    return { item, quantity, cents: centsOf(amount) };
  });
  const paid = (reversible?.payments ?? []).map(
    ({ method, amount }): TenderLeft => ({ method, cents: centsOf(amount) }),
  );
  const tenders: readonly Tender[] | null = reversible?.tenders ?? null;
  return {
    ...{ lines, centsLeft: centsOf(reversible?.amount ?? 0) },
    /** What was paid in each way and has not gone back so. */
    paid,
    /** The ways in which its printer pays back; null until it told. */
    tenders,
  };
}

/**
 * What a part of a line comes to, before the gateway says so, which refuses any other amount: its
 * share of what is left, and the rest of a line all of it.
 */
export function centsOfPart({ quantity, cents }: LineLeft, part: number): number {
  return quantity > 0 ? Math.round((cents * thousandths(part)) / thousandths(quantity)) : 0;
}

/** The command names the sale as the printer does. */
function isOf({ payload }: Command, sale: Receipt): boolean {
  return payload.originalReceiptNumber === (sale.receiptNumber ?? sale.fiscalId);
}

function thousandths(quantity: number): number {
  return Math.round(quantity * 1_000);
}
