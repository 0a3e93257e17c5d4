/** What a printer that is asked for its last document tells besides what is known of it here. */

import { countsByDay, roundOf } from "#core/device/numbering.ts";
import type { DocumentCheck as Check } from "#db/stores/document-checks.ts";
import type { Stores } from "#db/stores/index.ts";
import {
  dayAtPrinter,
  isOtherMemory,
  reachedNumber,
  type ToldDocument,
} from "./known-documents.ts";
import { dayBehindKnown, type Known, lastKnownWith, type OfPrinter } from "./last-known.ts";
import { isSameTime } from "./told-time.ts";
import {
  type Comparison,
  isBehindKnown,
  mayBeOtherDay,
  movesSince,
  receiptItself,
  type UnknownDocuments,
  unknownDocuments,
} from "./unknown-documents.ts";

export type NewsStores = Pick<Stores, "commands" | "devices" | "outcomeHolds">;

/** What a printer is asked of. */
export interface Asked extends OfPrinter {
  readonly row: Check;
  /**
   * What waits there was accepted before the start: an earlier run may have printed it, of which the
   * disk was put back from an image.
   */
  readonly hasLeft: boolean;
  /** By which its clock goes. */
  readonly timezone: string;
}

/** What comes of its answer. */
export type News =
  /** It counts as known from now on: there is nothing to compare with, or a person has accepted it. */
  | { readonly kind: "first"; readonly number: number; readonly day: number | null }
  /** It lies behind what is known, or may be of another day, and shows nothing. */
  | { readonly kind: "no word" }
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
  const { row, records, driver, hasLeft, timezone } = asked;
  const number = reachedNumber(last);
  if (number === undefined) return undefined;
  const told = { number, day: dayAtPrinter(last) ?? null };
  // Whatever records lead to it now, none has printed there since that one was left.
  const own = { records: row.address === null ? [] : records, driver };
  const found = lastKnownWith(stores, row, own);
  if (found === "accepted") return { kind: "first", ...told };
  // Another printer may stand there by now.
  const known = found && isOtherMemory(found, last) ? undefined : found;
  if (known === undefined) {
    const isBlank = number === 0 && (!countsByDay(driver) || last.lastZReportNumber === 0);
    if (!hasLeft || isBlank) return { kind: "first", ...told };
    return { kind: "unknown", ...told, documents: null, since: null };
  }
  const both = {
    ...compared(stores, { known, last, own }),
    isSameTime: isSameTime(known.issuedAt, last.receiptDateTime, timezone),
  };
  if (isBehindKnown(both, known.isReceipt)) return { kind: "no word" };
  const ahead = unknownDocuments(both);
  if (ahead) return { kind: "unknown", ...told, ...ahead, since: known.since };
  return mayBeOtherDay(both) ? { kind: "no word" } : undefined;
}

interface KnownAndTold {
  readonly known: Known;
  readonly last: ToldDocument;
  /** The records over which it has printed ours. */
  readonly own: OfPrinter;
}

function compared(stores: NewsStores, { known, last, own }: KnownAndTold): Comparison {
  const { driver } = own;
  const receipt = receiptItself(last, driver);
  const knownDay = dayBehindKnown(stores, known, own);
  const toldDay = dayAtPrinter(last);
  const days =
    knownDay === undefined || toldDay === undefined
      ? undefined
      : { known: knownDay, told: toldDay };
  return {
    ...(receipt === undefined ? {} : { receipt }),
    known: known.number,
    told: reachedNumber(last) ?? 0,
    own: movesSince(stores, own, known.seq),
    countsByDay: countsByDay(driver),
    days,
    round: roundOf(driver),
  };
}
