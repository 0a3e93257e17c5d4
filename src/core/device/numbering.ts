/** How each driver's devices number documents, what comes next, and how far one number is ahead. */

import type { DriverId } from "../driver-id.ts";

/** How a driver's devices begin anew. */
export interface Round {
  /** The last number before the counter begins anew; each of these is allowed for. */
  readonly lasts: readonly number[];
  /** What may come behind it; the first of these unless the device says otherwise. */
  readonly firsts: readonly number[];
}

/**
 * "KKT protocol" 2.0 gives 0000 to 9999 as the range of document numbers, so 0 comes after the last;
 * UNCONFIRMED on a device that it is not left out. The registers that count receipts have no range
 * there: two bytes is what they can hold.
 */
export const SHTRIH_ROUND: Round = { lasts: [9_999, 65_535], firsts: [0, 1] };

/** What a driver's devices number, and what they tell of it. */
interface Numbering {
  /**
   * `all`: each document, of every kind, has a number above the one before. `by_kind`: sales, stornos
   * and the rest are numbered each by itself. `by_day`: numbers begin anew each day.
   */
  readonly row: "all" | "by_kind" | "by_day";
  /** They tell number and time of the last receipt that was issued, cancelled ones aside. */
  readonly tellsIssued?: true;
  /**
   * A receipt is cancelled by closing it over nothing, so that the number that is told of the last
   * receipt may be that of a cancelled one: UNCONFIRMED that it is not.
   */
  readonly closesCancelled?: true;
  /** Absent where numbers go on for as long as the device lives, or begin anew with each day. */
  readonly round?: Round;
}

const NUMBERING: Readonly<Record<DriverId, Numbering>> = {
  "vendorA.isl": { row: "all" },
  "vendorB.isl": { row: "all" },
  "vendorC.isl": { row: "all" },
  "vendorD.isl": { row: "all", closesCancelled: true },
  "vendorE.zfp": { row: "all", tellsIssued: true },
  "vendorF.shtrih": { row: "by_kind", round: SHTRIH_ROUND },
  "custom.serial": { row: "by_day" },
};

/** Undefined where the driver is not known, as of a record that is gone. */
function numberingOf(driver: string | undefined): Numbering | undefined {
  const known: Partial<Record<string, Numbering>> = NUMBERING;
  return driver === undefined ? undefined : known[driver];
}

/** Undefined where numbers go on for as long as the device lives, or begin anew with each day. */
export function roundOf(driver: string | undefined): Round | undefined {
  return numberingOf(driver)?.round;
}

/** True where the driver's devices number documents anew each day. */
export function countsByDay(driver: string | undefined): boolean {
  return numberingOf(driver)?.row === "by_day";
}

/** True where they number sales, stornos and the rest each by itself. */
export function countsByKind(driver: string | undefined): boolean {
  return numberingOf(driver)?.row === "by_kind";
}

/** True where they give each document, of every kind, a number above the one before. */
export function countsOnlyDocuments(driver: string | undefined): boolean {
  return numberingOf(driver)?.row === "all";
}

/** True where they tell number and time of the last receipt that was issued, cancelled ones aside. */
export function countsIssued(driver: string | undefined): boolean {
  return numberingOf(driver)?.tellsIssued === true;
}

/** True where the number that is told of the last receipt may be that of a cancelled one. */
export function closesCancelled(driver: string | undefined): boolean {
  return numberingOf(driver)?.closesCancelled === true;
}

/** A number as a printer writes it; undefined for what is none. */
export function numberOf(told: unknown): number | undefined {
  if (typeof told !== "string" || !/^\d{1,15}$/.test(told)) return undefined;
  return Number(told);
}

/** True when `now` is the number behind `before`. */
export function isNumberAfter(round: Round, before: number, now: number): boolean {
  return now === before + 1 || (round.lasts.includes(before) && round.firsts.includes(now));
}

/** The number that comes behind this one. */
export function numberAfter(round: Round, before: number): number {
  const [first = 0] = round.firsts;
  return round.lasts.includes(before) ? first : before + 1;
}

/** Further than this across the end of the numbers is rather a printer that counts anew. */
const ACROSS_MAX = 1_000;

/**
 * How many numbers lie from one to another that came later; zero or less where it did not.
 * @param round how the device begins anew; undefined where it does not
 */
export function numbersAhead(round: Round | undefined, known: number, told: number): number {
  const plain = told - known;
  if (round === undefined || plain >= 0) return plain;
  const across = round.lasts.filter((last) => last >= known).map((last) => plain + last + 1);
  return across.find((ahead) => ahead > 0 && ahead <= ACROSS_MAX) ?? plain;
}
