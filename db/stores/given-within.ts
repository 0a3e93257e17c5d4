/** What a printer gave in a stretch of time, by the books. */

import { answersFor } from "#core/device/printer.ts";
import type { ReceiptPrinter, StoredReceipt } from "#core/receipt-record.ts";
import type { Stores } from "./index.ts";
import { knownNumbers, type NumberProofs } from "./proven-number.ts";
import type { ListedReceipt } from "./receipt-list.ts";

export type GivenStores = NumberProofs & Pick<Stores, "receipts">;

/** Receipts next to it among which one is looked for that has a number, or a day. */
const LOOKED_AT_MAX = 20;

/** A stretch of a printer's books, in UTC milliseconds. */
export interface Span {
  /** Inclusive. */
  readonly from?: number;
  /** Exclusive. */
  readonly to: number;
  /** Id of a receipt that is left out. */
  readonly but?: string;
  /** What a till told counts only where it was stored before that: its time is of whatever clock. UTC milliseconds. */
  readonly toldBefore?: number;
}

/** Plain numbers of what a printer gave: see `givenWithin`. */
export function numbersWithin(stores: GivenStores, printer: ReceiptPrinter, span: Span): number[] {
  return givenWithin(stores, printer, span).flatMap((one) => {
    const { fiscalId } = knownNumbers(stores, one);
    return (fiscalId === null ? undefined : plainNumber(fiscalId)) ?? [];
  });
}

/**
 * What a printer gave: the last ones first, or where a beginning is told those behind it. What a person
 * said is left out; so is what another printer gave that stood in its place.
 */
export function givenWithin(
  stores: GivenStores,
  printer: ReceiptPrinter,
  { but, toldBefore = Number.POSITIVE_INFINITY, ...span }: Span,
): ListedReceipt[] {
  const { orgId, records, simulated } = printer;
  const order = span.from === undefined ? "desc" : "asc";
  const page = { sortBy: "bookedAt", order, limit: LOOKED_AT_MAX, partsMax: 1 } as const;
  const sign = order === "desc" ? -1 : 1;
  return records
    .flatMap((deviceId) => {
      const filter = { deviceId, simulated, time: "bookedAt", ...span } as const;
      return [...stores.receipts.list(orgId, filter, page)].flat();
    })
    .filter((one) => one.id !== but && isOf(printer, one))
    .filter(({ source, createdAt }) => source !== "api" || createdAt < toldBefore)
    .filter((one) => !knownNumbers(stores, one).isWord)
    .toSorted((one, other) => sign * (one.bookedAt - other.bookedAt || one.seq - other.seq));
}

/** True for a receipt of one of the printer's records that names no other printer. */
function isOf(
  { fiscalMemorySerialNumber, serialNumber }: ReceiptPrinter,
  { deviceId, fiscalMemorySerialNumber: memory, printerSerialNumber }: StoredReceipt,
): boolean {
  const record = { deviceId, address: null };
  return answersFor(
    { ...record, fiscalMemorySerialNumber, serialNumber },
    { ...record, fiscalMemorySerialNumber: memory, serialNumber: printerSerialNumber },
  );
}

/** A number without its day; undefined for any other text. */
export function plainNumber(fiscalId: string): number | undefined {
  return /^\s*\d{1,15}\s*$/.test(fiscalId) ? Number(fiscalId) : undefined;
}
