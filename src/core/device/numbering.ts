/** Numbers of documents that begin anew when they are used up: what comes next, and how far one is ahead. */

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

const ROUNDS: Partial<Record<DriverId, Round>> = { "vendorF.shtrih": SHTRIH_ROUND };

/** Undefined where numbers go on for as long as the device lives, or begin anew with each day. */
export function roundOf(driver: string | undefined): Round | undefined {
  const rounds: Partial<Record<string, Round>> = ROUNDS;
  return driver === undefined ? undefined : rounds[driver];
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
