/** What a printer that was asked after a start tells besides what is known of it here. */

import { roundOf } from "#core/device/numbering.ts";
import type { DocumentCheck as Check } from "#db/stores/document-checks.ts";
import type { Stores } from "#db/stores/index.ts";
import {
  countsByDay,
  dayAtPrinter,
  isOtherPrinter,
  type KnownDocument,
  lastKnownOf,
  numberOf,
  printedOn,
  reachedNumber,
  type ToldDocument,
} from "./known-documents.ts";
import {
  dayKnown,
  movesSince,
  receiptItself,
  type UnknownDocuments,
  unknownDocuments,
} from "./unknown-documents.ts";

export type NewsStores = Pick<Stores, "commands" | "devices" | "outcomeHolds">;

/** What a printer is asked of. */
export interface Asked {
  readonly row: Check;
  /** Ids of the devices that lead to it. */
  readonly records: readonly string[];
  readonly driver: string | undefined;
  /**
   * What waits there was accepted before the start: an earlier run may have printed it, of which the
   * disk was put back from an image.
   */
  readonly hasLeft: boolean;
}

/** What comes of its answer. */
export type News =
  /** It counts as known from now on: there is nothing to compare with, or a person has accepted it. */
  | { readonly kind: "first"; readonly number: number; readonly day: number | null }
  /** Nobody here knows it. */
  | ({
      readonly kind: "unknown";
      readonly number: number;
      readonly day: number | null;
      /** When the last one was issued that is known; null where none is. UTC milliseconds. */
      readonly since: number | null;
    } & UnknownDocuments);

/** @returns undefined where nothing of it is news */
export function newsOf(stores: NewsStores, asked: Asked, last: ToldDocument): News | undefined {
  const { row, records, driver, hasLeft } = asked;
  const number = reachedNumber(last);
  if (number === undefined) return undefined;
  const told = { number, day: dayAtPrinter(last) ?? null };
  // Whatever records lead to it now, none has printed there since that one was left.
  const own = row.address === null ? [] : records;
  const document = lastKnownOf(stores, own, { isNumbered: true, driver });
  // What was accepted is known since the printer told it; documents of ours may have come since.
  const isAccepted = row.acceptedAt !== null && row.seq >= (document?.seq ?? 0);
  if (isAccepted && row.number === null) return { kind: "first", ...told };
  const known = isAccepted ? acceptedOf(row) : document && knownOf(document, last);
  if (known === undefined) {
    const isBlank = number === 0 && (!countsByDay(driver) || last.lastZReportNumber === 0);
    if (!hasLeft || isBlank) return { kind: "first", ...told };
    return { kind: "unknown", ...told, documents: null, since: null };
  }
  const found = compared(stores, { known, last, own, driver });
  return found && { kind: "unknown", ...told, ...found, since: known.since };
}

/** The last document that is known of a printer. */
interface Known {
  readonly number: number;
  /** See `DocumentCheck.day`. */
  readonly day: number | undefined;
  /** Of its command, or of the newest before it. */
  readonly seq: number;
  /** UTC milliseconds. */
  readonly since: number;
}

function acceptedOf({ number, day, seq, since, raisedAt }: Check): Known | undefined {
  return number === null
    ? undefined
    : { number, day: day ?? undefined, seq, since: since ?? raisedAt };
}

/** @returns undefined where another printer stands there by now */
function knownOf(document: KnownDocument, last: ToldDocument): Known | undefined {
  const number = numberOf(document.number);
  if (number === undefined || isOtherPrinter(document, last)) return undefined;
  const issuedAt = Date.parse(String(document.issuedAt));
  const since = Number.isNaN(issuedAt) ? document.finishedAt : issuedAt;
  return { number, day: numberOf(document.zReportNumber), seq: document.seq, since };
}

interface Compared {
  readonly known: Known;
  readonly last: ToldDocument;
  /** Ids of the records over which it has printed ours. */
  readonly own: readonly string[];
  readonly driver: string | undefined;
}

function compared(
  stores: NewsStores,
  { known, last, own: records, driver }: Compared,
): UnknownDocuments | undefined {
  const receipt = receiptItself(last, driver);
  const isByDay = countsByDay(driver);
  const behind = isByDay ? printedOn(stores, records).filter(({ seq }) => seq > known.seq) : [];
  const knownDay = isByDay ? dayKnown(behind, known.day, driver) : undefined;
  const toldDay = dayAtPrinter(last);
  const days =
    knownDay === undefined || toldDay === undefined
      ? undefined
      : { known: knownDay, told: toldDay };
  return unknownDocuments({
    ...(receipt === undefined ? {} : { receipt }),
    known: known.number,
    told: reachedNumber(last) ?? 0,
    own: movesSince(stores, { records, driver }, known.seq),
    countsByDay: isByDay,
    days,
    round: roundOf(driver),
  });
}
