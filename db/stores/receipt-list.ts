/** Lists of receipts: which index each begins with. */

import { isNotNull, sql } from "drizzle-orm";
import type { ReceiptType, StoredReceipt } from "#core/receipt-record.ts";
import type { Database } from "../connection.ts";
import {
  isReversing,
  RECEIPT_INDEXES,
  RECEIPTS_BY_FISCAL_ID,
  RECEIPTS_BY_ORIGINAL,
  receiptBookedAt,
  receipts,
} from "../schema/receipts.ts";
import { createLister, type Lister, type Listing, type ListSizes, type Page } from "./list.ts";
import { type Entry, equals } from "./list-sql.ts";
import { ofOneKind } from "./one-kind.ts";

export interface ReceiptFilter {
  readonly deviceId?: string | undefined;
  readonly type?: ReceiptType | undefined;
  /** True for receipts of simulated printers, which are left out otherwise; see `ofOneKind`. */
  readonly simulated?: boolean | undefined;
  readonly fiscalId?: string | undefined;
  /** The sale that refunds and stornos are of. */
  readonly originalReceiptId?: string | undefined;
  /**
   * A text within a number, the customer's code or the name of an item, in capitals or not; the
   * whole total with two decimals, as `12.50` or `12,50`; or the whole id.
   */
  readonly q?: string | undefined;
  /** Which of a receipt's times `from` and `to` are about; issuedAt unless given. */
  readonly time?: ReceiptTime | undefined;
  /** Inclusive. */
  readonly from?: number | undefined;
  /** Exclusive. */
  readonly to?: number | undefined;
}

/** When its printer's clock says that it was issued, or when it came into the printer's books. */
export const RECEIPT_TIMES = ["issuedAt", "bookedAt"] as const;
export type ReceiptTime = (typeof RECEIPT_TIMES)[number];

/** A receipt with its place in the order in which they were stored, and in that of the books. */
export type ListedReceipt = StoredReceipt & { readonly seq: number; readonly bookedAt: number };

/** What receipts can be in order of. */
export type ReceiptSort = keyof typeof RECEIPT_INDEXES;
type Asked = Omit<ReceiptFilter, "simulated" | "time">;
type Field = "deviceId" | "type" | "simulated" | "fiscalId" | "originalReceiptId" | "q";
export type ReceiptPage = Page<ListedReceipt, ReceiptSort>;
type AnyLister = Lister<ListedReceipt, ReceiptSort, Field>;
/** Gives a page of receipts of one kind; see `ofOneKind`. */
export type ReceiptLister = (
  orgId: string,
  filter: ReceiptFilter,
  page: ReceiptPage,
) => ReturnType<AnyLister>;

/** Lists whose `from` and `to` are about that time. */
const listingBy = (range: ReceiptTime): Listing<ReceiptSort, Field> => ({
  table: receipts,
  orgId: receipts.orgId,
  sorts: {
    createdAt: receipts.createdAt,
    issuedAt: receipts.issuedAt,
    bookedAt: receiptBookedAt,
    totalMinor: receipts.totalMinor,
  },
  computed: { bookedAt: receiptBookedAt },
  range,
  filters: {
    deviceId: equals(receipts.deviceId, "deviceId"),
    type: equals(receipts.type, "type"),
    simulated: equals(receipts.simulated, "simulated"),
    fiscalId: equals(receipts.fiscalId, "fiscalId"),
    originalReceiptId: equals(receipts.originalReceiptId, "originalReceiptId"),
    q: mentions(),
  },
  entries: (filter: Asked, sortBy) => [entryOf(filter, sortBy)],
  filterEntries({ deviceId, type, from, to }: Asked) {
    const { byDevice, reversing, reversingOfDevice, byOrg } = entriesBy(range);
    if (deviceId !== undefined) return [byDevice, ...(isRare(type) ? [reversingOfDevice] : [])];
    return [...(isRare(type) ? [reversing] : []), ...((from ?? to) === undefined ? [] : [byOrg])];
  },
  // What was issued or booked in a period was stored about then, and its totals lie among all others. A text
  // is searched no further than a page goes, though.
  through: (filter: Asked) =>
    (filter.from ?? filter.to) === undefined || filter.q !== undefined
      ? undefined
      : { entry: entryOf(filter, range) },
});

/** Makes the function that reads a page of receipts. */
export function createReceiptLister(orm: Database["orm"], sizes?: ListSizes): ReceiptLister {
  const by: Record<ReceiptTime, AnyLister> = {
    issuedAt: createLister(orm, listingBy("issuedAt"), sizes),
    bookedAt: createLister(orm, listingBy("bookedAt"), sizes),
  };
  return (orgId, { time = "issuedAt", ...filter }, page) =>
    by[time](orgId, ofOneKind(filter), page);
}

function entriesBy(sortBy: ReceiptSort) {
  const { byOrg, byDevice, reversing, reversingOfDevice } = RECEIPT_INDEXES[sortBy];
  return {
    byOrg: { index: byOrg, filters: ["simulated"] },
    byDevice: { index: byDevice, filters: ["deviceId"] },
    reversing: { index: reversing, filters: ["simulated", "type"], part: isReversing },
    reversingOfDevice: {
      ...{ index: reversingOfDevice, filters: ["deviceId", "type"], part: isReversing },
    },
  } satisfies Record<string, Entry<Field>>;
}

/**
 * The rarest first: little goes back of one sale, a device gives a fiscal id once, and nearly all
 * receipts are sales.
 */
function entryOf(asked: Asked, sortBy: ReceiptSort): Entry<Field> {
  const { deviceId, type, fiscalId, originalReceiptId } = asked;
  if (originalReceiptId !== undefined) {
    const part = isNotNull(receipts.originalReceiptId);
    return { index: RECEIPTS_BY_ORIGINAL, filters: ["originalReceiptId"], part, isSmall: true };
  }
  if (fiscalId !== undefined) {
    return { index: RECEIPTS_BY_FISCAL_ID, filters: ["fiscalId"], isSmall: true };
  }
  const { byOrg, byDevice, reversing, reversingOfDevice } = entriesBy(sortBy);
  if (isRare(type)) return deviceId === undefined ? reversing : reversingOfDevice;
  return deviceId === undefined ? byOrg : byDevice;
}

function isRare(type: ReceiptType | undefined): boolean {
  return type !== undefined && type !== "sale";
}

function mentions() {
  const { id, fiscalId, receiptNumber, uniqueSaleNumber, customerCif, items } = receipts;
  const { totalMinor } = receipts;
  const q = sql.placeholder("q");
  // As one text, for one call; what is asked can hold no NUL, so it is never found across two.
  const others = [fiscalId, receiptNumber, uniqueSaleNumber, customerCif];
  const numbers = others.map((number) => sql`ifnull(${number}, '')`);
  const hasNumber = sql`holds_text(${sql.join(numbers, sql` || char(0) || `)}, ${q})`;
  // An item's name may be written with escapes in the stored text, so it is read out of it.
  const names = sql`select 1 from json_each(${items}) where holds_text(value ->> 'name', ${q})`;
  // The whole total, or every search for a number would find half of the receipts.
  const total = sql`printf('%d.%02d', ${totalMinor} / 100, ${totalMinor} % 100)`;
  const isTotal = sql`${total} = replace(${q}, ',', '.')`;
  // Our own name for it is no number: two digits would be found in every third of them.
  const isNamed = sql`${id} = ${q}`;
  const hasName = sql`may_hold_text(${items}, ${q}) and exists (${names})`;
  return sql`(${isNamed} or ${isTotal} or ${hasNumber} or ${hasName})`;
}
