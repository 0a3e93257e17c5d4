/**
 * Commands that change a sum or a counter of the device once: Z report, cash in, cash out. They
 * have no document that could be cancelled; what proves them is the counter before and after.
 * Their frames may not be sent again in doubt: a device that lost power in between would carry the
 * repeat out a second time.
 */

import type { CommandProgress, Evidence, Resolution } from "#core/driver.ts";
import { DocumentInDoubt, FiscalError, isLineFault, isPauseFault } from "#core/errors.ts";

/** The counter or sum of a device that proves an entry. */
export interface LedgerCounter {
  /** Its name in the baseline. */
  readonly name: "zNumber" | "sumMinor" | "number";
  /** True when the entry, and nothing else, leads from one value to the other. */
  isMade(before: number, now: number): boolean;
  /** Why an entry was not made: the counter still has its value. */
  readonly unchanged: string;
  /** Why nobody knows: the counter has moved otherwise, or was never read. */
  readonly untold: string;
}

/** The number of the last Z report proves the next one. */
export const Z_REPORTS: LedgerCounter = {
  name: "zNumber",
  isMade: (before, now) => now === before + 1,
  unchanged: "The number of the last Z report has not changed",
  untold: "The numbers of the Z reports do not tell",
};

/** The cash in the drawer proves what moved it by `stepMinor`. */
export function drawerMovedBy(stepMinor: number): LedgerCounter {
  return {
    name: "sumMinor",
    isMade: (before, now) => now === before + stepMinor,
    unchanged: "The cash in the drawer has not changed",
    untold: "The cash in the drawer does not tell",
  };
}

/** One entry of the ledger. */
export interface LedgerEntry<Result> {
  readonly counter: LedgerCounter;
  /** The counter as just read; null when the device does not tell. */
  readonly before: number | null;
  /**
   * Sends the one frame that makes the entry. Where the answer says that it was made, nothing more
   * is asked of the device: that could only fail.
   * @throws FiscalError the refusal, when it was definitely not made, or a line fault
   */
  make(): Promise<Result>;
}

/**
 * Makes an entry.
 * @returns what `make` made of the answer
 * @throws FiscalError when it was definitely not made
 * @throws DocumentInDoubt when its answer was lost, or cannot be understood
 */
export async function makeEntry<Result>(
  { counter, before, make }: LedgerEntry<Result>,
  progress: CommandProgress,
): Promise<Result> {
  await progress.mark("baseline", { [counter.name]: before });
  await progress.mark("committing");
  let result: Result;
  try {
    result = await make();
  } catch (error) {
    if (isLineFault(error)) throw new DocumentInDoubt(error);
    throw error;
  }
  await progress.mark("committed");
  return result;
}

/** The frame of an entry on a device whose refusal alone does not say that it was not made. */
export interface ProvenFrame extends Pick<LedgerEntry<void>, "counter" | "before"> {
  /** @returns the refusal; undefined when the entry was made @throws FiscalError a line fault */
  send(): Promise<FiscalError | undefined>;
  /** Reads the counter; null when the device does not tell. @throws FiscalError */
  read(): Promise<number | null>;
}

/**
 * Makes an entry on a device whose error, no paper for example, may come with one that was made: the
 * counter decides.
 * @throws FiscalError the refusal of an entry that was not made, or a line fault
 * @throws DocumentInDoubt when it may have been made
 */
export async function sendProven({ counter, before, send, read }: ProvenFrame): Promise<void> {
  const refusal = await send();
  if (!refusal) return;
  const now = await read().catch((error: unknown) => {
    throw error instanceof FiscalError ? new DocumentInDoubt(error) : error;
  });
  if (before !== null && now !== null && counter.isMade(before, now)) return;
  const isUnchanged = now !== null && now === before;
  throw isPauseFault(refusal) && !isUnchanged ? new DocumentInDoubt(refusal) : refusal;
}

/** An entry in doubt, and what the device's counter says of it. */
export interface DoubtfulEntry<Data> {
  readonly counter: LedgerCounter;
  readonly evidence: Evidence;
  /** The counter as just read; null when the device does not tell. */
  readonly now: number | null;
  /** The result of an entry that was made. */
  describe(): Data | Promise<Data>;
}

/** What became of an entry in doubt. */
export async function resolveEntry<Data>(entry: DoubtfulEntry<Data>): Promise<Resolution<Data>> {
  const { counter, now } = entry;
  const before = entry.evidence.baseline[counter.name];
  if (typeof before !== "number" || now === null) {
    return { outcome: "unknown", reason: counter.untold };
  }
  if (now === before) return { outcome: "not_printed", reason: counter.unchanged };
  if (!counter.isMade(before, now)) return { outcome: "unknown", reason: counter.untold };
  return { outcome: "printed", success: { data: await entry.describe() } };
}
