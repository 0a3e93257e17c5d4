/** The stored receipts that have a number, where a printer gives its numbers again. */

import { isSettled } from "#core/command/settled.ts";
import { numbersAhead, roundOf } from "#core/device/numbering.ts";
import { answersFor } from "#core/device/printer.ts";
import type { ReceiptPrinter, StoredReceipt } from "#core/receipt-record.ts";
import type { Stores } from "./index.ts";

type ToldStores = Pick<Stores, "commands" | "outcomeHolds" | "receipts">;

/** A number that a receipt is said to have. */
export interface SaidNumber {
  readonly fiscalId: string;
  /** Of the printer's driver; undefined where its record is gone. */
  readonly driver: string | undefined;
  /** When the receipt began or was issued: before it the printer had given other numbers. UTC ms. */
  readonly at: number;
}

/** What is further ahead is rather behind, and told late or wrongly: half of a round. */
const AHEAD_MAX = 5_000;
/** In less time than this no printer comes to the same number again. */
const ROUND_MS_MIN = 86_400_000;
/** Receipts before it among which one is looked for that has a number. */
const LOOKED_AT_MAX = 20;

/**
 * Leaves out the receipts that had the number when the printer gave it before: it lies ahead of the
 * last one that is known from before, so that it was given anew.
 * @param stored of the number, in whichever of its writings
 */
export function ofThisRound<Receipt extends StoredReceipt>(
  stores: ToldStores,
  printer: ReceiptPrinter,
  { stored, said }: { readonly stored: readonly Receipt[]; readonly said: SaidNumber },
): readonly Receipt[] {
  const round = roundOf(said.driver);
  const number = plainNumber(said.fiscalId);
  if (round === undefined || number === undefined || stored.length === 0) return stored;
  const known = lastBefore(stores, printer, said.at);
  const ahead = known === undefined ? 0 : numbersAhead(round, known, number);
  if (ahead <= 0 || ahead > AHEAD_MAX) return stored;
  return stored.filter(({ createdAt }) => createdAt > said.at - ROUND_MS_MIN);
}

/**
 * Whether the printer gave numbers ahead of the said one soon behind it: the paper had that number then.
 * Of one that was misread the printer may only have been on its way there.
 * @param until exclusive, UTC milliseconds
 */
export function hasGoneOn(
  stores: ToldStores,
  printer: ReceiptPrinter,
  { said, until }: { readonly said: SaidNumber; readonly until: number },
): boolean {
  const round = roundOf(said.driver);
  const number = plainNumber(said.fiscalId);
  if (number === undefined) return false;
  return numbersWithin(stores, printer, { from: said.at + 1, to: until }).some(
    (given) => numbersAhead(round, number, given) > 0,
  );
}

/** The last number that the printer is known to have given by then. */
function lastBefore(stores: ToldStores, printer: ReceiptPrinter, at: number): number | undefined {
  return numbersWithin(stores, printer, { to: at + 1 })[0];
}

/** True where a person said what became of a receipt: its number may have been read wrongly. */
export function wasSaid(
  { commands, outcomeHolds }: Pick<Stores, "commands" | "outcomeHolds">,
  { orgId, commandId }: Pick<StoredReceipt, "orgId" | "commandId">,
): boolean {
  if (commandId === null) return false;
  return (
    isSettled(commands.get(orgId, commandId)?.result ?? null) ||
    outcomeHolds.get(orgId, commandId)?.outcome === "printed"
  );
}

/**
 * Numbers that a printer gave: the last ones first, or where a beginning is told those behind it. What
 * a person said shows none; nor does what another printer gave that stood in its place.
 */
function numbersWithin(
  stores: ToldStores,
  printer: ReceiptPrinter,
  span: { readonly from?: number; readonly to: number },
): number[] {
  const { orgId, records, simulated } = printer;
  const order = span.from === undefined ? "desc" : "asc";
  const page = { sortBy: "bookedAt", order, limit: LOOKED_AT_MAX, partsMax: 1 } as const;
  const sign = order === "desc" ? -1 : 1;
  return records
    .flatMap((deviceId) => {
      const filter = { deviceId, simulated, time: "bookedAt", ...span } as const;
      return [...stores.receipts.list(orgId, filter, page)].flat();
    })
    .flatMap((receipt) => {
      const number = receipt.fiscalId === null ? undefined : plainNumber(receipt.fiscalId);
      if (number === undefined || !isOf(printer, receipt) || wasSaid(stores, receipt)) return [];
      return { ...receipt, number };
    })
    .toSorted((one, other) => sign * (one.bookedAt - other.bookedAt || one.seq - other.seq))
    .map(({ number }) => number);
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

function plainNumber(fiscalId: string): number | undefined {
  return /^\s*\d{1,15}\s*$/.test(fiscalId) ? Number(fiscalId) : undefined;
}
