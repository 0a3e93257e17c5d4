/**
 * How long somebody has to wait who guesses at passwords, so that guessing is hopeless and a person
 * who mistypes hardly notices.
 */

/** What is counted together. */
export type GuessKind =
  /** One account from one address. */
  | "pair"
  /** One account from all addresses that it was never entered from. */
  | "account"
  /** One address, whatever it guesses at. */
  | "address";

interface GuessRule {
  /** Wrong guesses before the first wait. */
  readonly free: number;
  /** The first wait; each further wrong guess doubles it. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** Without a wrong guess for so long, all are forgotten. */
  readonly forgottenMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** After `forgottenMs` of the slowest rule nothing is left of a guess. */
export const GUESSES_KEPT_MS = 24 * HOUR_MS;

export const GUESS_RULES = {
  pair: {
    free: 5,
    firstWaitMs: MINUTE_MS,
    longestWaitMs: 15 * MINUTE_MS,
    forgottenMs: GUESSES_KEPT_MS,
  },
  account: {
    free: 30,
    firstWaitMs: MINUTE_MS,
    longestWaitMs: HOUR_MS,
    forgottenMs: GUESSES_KEPT_MS,
  },
  address: {
    free: 20,
    firstWaitMs: MINUTE_MS,
    longestWaitMs: 15 * MINUTE_MS,
    forgottenMs: HOUR_MS,
  },
} as const satisfies Record<GuessKind, GuessRule>;

/** Wrong guesses so far. */
export interface Guesses {
  readonly failures: number;
  /** Counted time of the newest, in UTC milliseconds. */
  readonly lastAt: number;
}

/** Those that still count: none once they are forgotten. */
export function countedGuesses(kind: GuessKind, guesses: Guesses | undefined, now: number): number {
  if (guesses === undefined) return 0;
  // A negative age: the clock was set back by seconds. They count on.
  return now - guesses.lastAt < GUESS_RULES[kind].forgottenMs ? guesses.failures : 0;
}

/** The wait after so many wrong guesses, in milliseconds; 0 while they are free. */
export function waitAfter(kind: GuessKind, failures: number): number {
  const { free, firstWaitMs, longestWaitMs } = GUESS_RULES[kind];
  if (failures < free) return 0;
  // The exponent is bounded: two to the power of a large number is no number of milliseconds.
  const doublings = Math.min(failures - free, 20);
  return Math.min(longestWaitMs, firstWaitMs * 2 ** doublings);
}

/** True for the first wait and then each time the wrong guesses have doubled: worth a line. */
export function isWorthTelling(kind: GuessKind, failures: number): boolean {
  const times = failures / GUESS_RULES[kind].free;
  return Number.isInteger(Math.log2(times)) && times >= 1;
}
