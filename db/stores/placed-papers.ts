/**
 * On which of the sales that nothing but a unique sale number tells the papers are that orders name by it:
 * each paper is of one sale, and a sale has one paper.
 */

import { paperNumbers } from "#core/command/settled.ts";
import { memoryForm } from "#core/device/printer.ts";
import type { StornoDocument } from "#core/receipt.ts";
import type { Left } from "#core/receipt-left.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { NewCommand } from "./commands.ts";
import { isNumberedByDay } from "./proven-number.ts";
import {
  type AskedStorno,
  fits,
  Judged,
  kept,
  type ReversedStores,
  unnumberedSales,
} from "./reversed-sale.ts";
import { leftOfSale } from "./sale-left.ts";
import { hasUnread, orderOf, salesOf } from "./standing.ts";

/** Where the paper that an order names is placed. */
export interface PlacedPaper {
  readonly sale: StoredReceipt;
  /** The commands that take back papers of the other sales. */
  readonly elsewhere: ReadonlySet<string>;
}

/** A command that takes back a paper, and the sales of which that may be: the newest first. */
interface Order {
  readonly command: NewCommand;
  /** Above any other where it is only asked for. */
  readonly seq: number;
  readonly document: StornoDocument;
  readonly sales: readonly StoredReceipt[];
}

/** Of which organization, by which unique sale number, next to which instant orders are looked for. */
interface SharedNumber {
  readonly orgId: string;
  readonly form: string;
  /** UTC milliseconds. */
  readonly at: number;
}

/**
 * The sale of the paper that an order names, where only its unique sale number tells that. Undefined where no
 * such sale had what goes back.
 */
export function placedPaper(stores: ReversedStores, asked: AskedStorno): PlacedPaper | undefined {
  const { command, document, named } = asked;
  const judged = new Judged();
  const { bySaleNumber: sales } = unnumberedSales(stores, asked, judged);
  const [newest] = sales;
  if (newest === undefined || named.uniqueSaleNumber === null) return undefined;
  const seq = stores.commands.get(command.orgId, command.id)?.seq ?? Number.POSITIVE_INFINITY;
  const { orgId } = command;
  const shared = { orgId, form: named.uniqueSaleNumber, at: named.issuedAt };
  const before = ordersOf(stores, shared, judged).filter(
    (one) => one.seq < seq && one.command.id !== command.id,
  );
  const placed = placeAll(stores, [...before, { command, seq, document, sales }], judged);
  const own = paperOf(stores, { document, sales });
  const sale = placed.get(own);
  if (sale === undefined) return { sale: newest, elsewhere: new Set() };
  const elsewhere = before.filter((one) => {
    const paper = paperOf(stores, one);
    return paper !== own && placed.has(paper);
  });
  return { sale, elsewhere: new Set(elsewhere.map((one) => one.command.id)) };
}

/** The sale of the paper that a stored order names, of all that share a unique sale number with it. */
export function placedSale(
  stores: ReversedStores,
  { document, sales, ...shared }: SharedNumber & Pick<Order, "document" | "sales">,
  judged: Judged,
): StoredReceipt | undefined {
  return kept(judged.placed, JSON.stringify([shared.orgId, shared.form]), () =>
    placeAll(stores, ordersOf(stores, shared, judged), judged),
  ).get(paperOf(stores, { document, sales }));
}

/** What counts and names a unique sale number, where nothing else tells its sale. */
function ordersOf(
  stores: ReversedStores,
  { orgId, form, at }: SharedNumber,
  judged: Judged,
): readonly Order[] {
  return stores.reversals
    .listNamingSale(orgId, form, at)
    .filter(({ acceptedFor }) => acceptedFor === null)
    .flatMap((reversal) => {
      const command = stores.commands.get(orgId, reversal.commandId);
      const document = command && orderOf(stores, reversal, command);
      if (command === undefined || document === undefined) return [];
      const { sales } = salesOf(stores, reversal, judged);
      const { seq } = command;
      return { command, seq, document, sales: sales.filter(hasUnread) };
    });
}

/**
 * Places papers in the order in which they were asked for, each on the newest sale that has what goes back of
 * it, else on the newest.
 */
function placeAll(
  stores: ReversedStores,
  orders: readonly Order[],
  judged: Judged,
): ReadonlyMap<string, StoredReceipt> {
  const besides = new Set(orders.map(({ command }) => command.id));
  const lefts = new Map<string, Left>();
  const hasLeft = (sale: StoredReceipt, { command, document }: Order): boolean => {
    const left = kept(lefts, sale.id, () => leftOfSale(stores, sale, { besides, judged }));
    return fits(stores, sale, { command, document, left });
  };
  const placed = new Map<string, StoredReceipt>();
  const taken = new Set<string>();
  const inOrder = orders.toSorted((one, other) => one.seq - other.seq);
  const papers = Map.groupBy(inOrder, (order) => paperOf(stores, order));
  for (const [paper, ofPaper] of papers) {
    const free = salesFor(ofPaper).filter(({ id }) => !taken.has(id));
    const sale = free.find((one) => ofPaper.every((order) => hasLeft(one, order))) ?? free[0];
    if (sale === undefined) continue;
    placed.set(paper, sale);
    taken.add(sale.id);
  }
  return placed;
}

/** The sales that all orders of one paper may mean; where that is none, those that the first one may. */
function salesFor([first, ...others]: readonly Order[]): readonly StoredReceipt[] {
  const sales = first?.sales ?? [];
  const common = sales.filter((sale) =>
    others.every((order) => order.sales.some(({ id }) => id === sale.id)),
  );
  return common.length > 0 ? common : sales;
}

/** What tells one paper from another: its printer and number, and where that begins anew each day, the day. */
function paperOf(
  stores: Pick<ReversedStores, "devices">,
  { document: { original }, sales: [sale] }: Pick<Order, "document" | "sales">,
): string {
  const { receiptNumber, zReportNumber } = paperNumbers(original.receiptNumber);
  const isOfDay = sale !== undefined && isNumberedByDay(stores, sale);
  const day = isOfDay ? Number(original.zReportNumber ?? zReportNumber) : 0;
  return `${memoryForm(original.fiscalMemorySerialNumber)} ${day} ${receiptNumber}`;
}
