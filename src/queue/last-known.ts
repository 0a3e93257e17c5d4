/** The last document that is known of a printer: one of ours, or what a person has accepted of it. */

import { countsByDay, numberOf } from "#core/device/numbering.ts";
import type { DocumentCheck } from "#db/stores/document-checks.ts";
import type { Stores } from "#db/stores/index.ts";
import { printedOn } from "#db/stores/printer-day.ts";
import { lastKnownOf } from "./known-documents.ts";
import { dayKnown } from "./unknown-documents.ts";

type LastKnownStores = Pick<Stores, "commands" | "devices">;

/** Of which printer. */
export interface OfPrinter {
  /** Ids of the devices that lead to it, whose records may be gone. */
  readonly records: readonly string[];
  readonly driver: string | undefined;
}

export interface Known {
  readonly number: number;
  /** False where it was accepted, and may be that of a paper of another kind. */
  readonly isReceipt: boolean;
  /** See `DocumentCheck.day`. */
  readonly day: number | undefined;
  /** Of its command, or of the newest before it. */
  readonly seq: number;
  /** When it was issued, or accepted; UTC milliseconds. */
  readonly since: number;
  /** When it was issued, as the printer told it; undefined of what was accepted. */
  readonly issuedAt: unknown;
  /** Of the printer that issued it; undefined of what was accepted. */
  readonly fiscalMemorySerialNumber: unknown;
}

/**
 * @param row what the printer is asked by
 * @returns `accepted` where whatever it has printed counts as known, and it has not told yet how far
 * that goes; undefined where nothing is known
 */
export function lastKnownWith(
  stores: LastKnownStores,
  row: DocumentCheck,
  { records, driver }: OfPrinter,
): Known | "accepted" | undefined {
  const document = lastKnownOf(stores, records, { isNumbered: true, driver });
  // What was accepted is known since the printer told it; documents of ours may have come since.
  if (row.acceptedAt !== null && row.seq >= (document?.seq ?? 0)) {
    const { number, day, seq, since, raisedAt } = row;
    if (number === null) return "accepted";
    const known = { number, day: day ?? undefined, seq, since: since ?? raisedAt };
    const untold = { issuedAt: undefined, fiscalMemorySerialNumber: undefined };
    return { ...known, ...untold, isReceipt: false };
  }
  const number = numberOf(document?.number);
  if (document === undefined || number === undefined) return undefined;
  const { issuedAt, finishedAt, seq, zReportNumber, fiscalMemorySerialNumber } = document;
  const instant = Date.parse(String(issuedAt));
  const since = Number.isNaN(instant) ? finishedAt : instant;
  const known = { number, day: numberOf(zReportNumber), seq, since };
  return { ...known, isReceipt: true, issuedAt, fiscalMemorySerialNumber };
}

/** The day of the printer behind that, as far as it is known; undefined where its numbers have none. */
export function dayBehindKnown(
  stores: LastKnownStores,
  known: Pick<Known, "day" | "seq">,
  { records, driver }: OfPrinter,
): number | undefined {
  if (!countsByDay(driver)) return undefined;
  const behind = printedOn(stores, records).filter(({ seq }) => seq > known.seq);
  return dayKnown(behind, known.day, driver);
}
