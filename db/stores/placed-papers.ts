/**
 * On which of the sales that nothing but a unique sale number tells the papers are that orders name by it:
 * each paper is of one sale, and a sale has one paper.
 */

import { paperNumbers } from "#core/command/settled.ts";
import type { StornoDocument } from "#core/receipt.ts";
import type { Left } from "#core/receipt-left.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { NewCommand } from "./commands.ts";
import {
  type AskedStorno,
  fits,
  type ReversedStores,
  type Searched,
  unnumberedSales,
} from "./reversed-sale.ts";
import { leftOfSale } from "./sale-left.ts";
import { orderOf, salesOf } from "./standing.ts";

/** Where the paper that an order names is placed. */
export interface PlacedPaper {
  readonly sale: StoredReceipt;
  /** The commands that take back papers of the other sales. */
  readonly elsewhere: ReadonlySet<string>;
}

/** A command that takes back a paper, as it may be of some of the sales. */
interface Order {
  readonly command: NewCommand & { readonly seq: number };
  readonly document: StornoDocument;
  readonly mayBe: ReadonlySet<string>;
}

/**
 * The sale of the paper that an order names, where only its unique sale number tells that: papers are placed
 * in the order in which they were asked for, each on the newest that has what goes back of it. Undefined
 * where no such sale had what goes back.
 */
export function placedPaper(stores: ReversedStores, asked: AskedStorno): PlacedPaper | undefined {
  const { bySaleNumber: sales } = unnumberedSales(stores, asked);
  const [newest] = sales;
  if (newest === undefined) return undefined;
  const searched: Searched = new Map();
  const papers = papersBefore(stores, asked, { sales, searched });
  const besides = new Set([asked.command.id, ...[...papers.values()].flat().map(idOf)]);
  const lefts = new Map<string, Left>();
  const leftOf = (sale: StoredReceipt): Left => {
    const left = lefts.get(sale.id) ?? leftOfSale(stores, sale, { besides, searched });
    lefts.set(sale.id, left);
    return left;
  };
  const choose = (
    free: readonly StoredReceipt[],
    orders: readonly Pick<AskedStorno, "command" | "document">[],
  ) =>
    free.find((sale) =>
      orders.every((order) => fits(stores, sale, { ...order, left: leftOf(sale) })),
    ) ?? free[0];
  const placed = new Map<string, StoredReceipt>();
  const free = () => sales.filter((sale) => ![...placed.values()].includes(sale));
  for (const [paper, orders] of papers) {
    const possible = free().filter(({ id }) => orders.every(({ mayBe }) => mayBe.has(id)));
    const sale = choose(possible, orders);
    if (sale) placed.set(paper, sale);
  }
  const own = paperOf(asked.document);
  const sale = placed.get(own) ?? choose(free(), [asked]);
  if (sale === undefined) return { sale: newest, elsewhere: new Set() };
  const elsewhere = [...papers].flatMap(([paper, orders]) =>
    paper !== own && placed.has(paper) ? orders.map(idOf) : [],
  );
  return { sale, elsewhere: new Set(elsewhere) };
}

function idOf({ command }: Pick<Order, "command">): string {
  return command.id;
}

/** The papers that were asked for before, by what names them, with all that takes each back. */
function papersBefore(
  stores: ReversedStores,
  { command, named }: AskedStorno,
  { sales, searched }: { readonly sales: readonly StoredReceipt[]; readonly searched: Searched },
): ReadonlyMap<string, readonly Order[]> {
  const { commands, reversals } = stores;
  const { uniqueSaleNumber: form, issuedAt } = named;
  const own = commands.get(command.orgId, command.id)?.seq ?? Number.POSITIVE_INFINITY;
  const orders = (form === null ? [] : reversals.listNamingSale(command.orgId, form, issuedAt))
    .filter(({ acceptedFor, commandId }) => acceptedFor === null && commandId !== command.id)
    .flatMap((reversal): Order | readonly [] => {
      const by = commands.get(reversal.orgId, reversal.commandId);
      const document = by && by.seq < own ? orderOf(stores, reversal, by) : undefined;
      if (by === undefined || document === undefined) return [];
      const mayBe = new Set(salesOf(stores, reversal, searched).sales.map(({ id }) => id));
      return { command: by, document, mayBe };
    })
    .filter(({ mayBe }) => sales.some(({ id }) => mayBe.has(id)))
    .toSorted((one, other) => one.command.seq - other.command.seq);
  return Map.groupBy(orders, ({ document }) => paperOf(document));
}

/** What tells one paper from another. */
function paperOf({ original }: StornoDocument): string {
  const { receiptNumber, zReportNumber: day } = paperNumbers(original.receiptNumber);
  return `${Number(original.zReportNumber ?? day)} ${receiptNumber}`;
}
