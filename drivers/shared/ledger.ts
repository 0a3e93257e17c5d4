/**
 * Commands that change a sum or a counter of the device once: Z report, cash in, cash out. They
 * have no document that could be cancelled; what proves them is the counter before and after.
 * Their frames may not be sent again in doubt: a device that lost power in between would carry the
 * repeat out a second time.
 */

import type { Baseline } from "#core/command/marks.ts";
import type { CommandProgress, Resolution } from "#core/driver.ts";
import { DocumentInDoubt, isLineFault } from "#core/errors.ts";

/** One entry of the ledger. */
export interface LedgerEntry<Result> {
  /** What was read of the device; `resolveEntry` compares it with a later reading. */
  readonly baseline: Baseline;
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
  entry: LedgerEntry<Result>,
  progress: CommandProgress,
): Promise<Result> {
  await progress.mark("baseline", entry.baseline);
  await progress.mark("committing");
  let result: Result;
  try {
    result = await entry.make();
  } catch (error) {
    if (isLineFault(error)) throw new DocumentInDoubt(error);
    throw error;
  }
  await progress.mark("committed");
  return result;
}

/** An entry in doubt, and what the device's counter says of it. */
export interface DoubtfulEntry<Data> {
  /** The counter in the stored baseline. */
  readonly before: unknown;
  /** The counter as just read; null when the device does not tell. */
  readonly now: number | null;
  /** True when the entry, and nothing else, leads from one value to the other. */
  isMade(before: number, now: number): boolean;
  /** The result of an entry that was made. */
  describe(): Data | Promise<Data>;
  /** Why it was not made: the counter still has its value. */
  readonly unchanged: string;
  /** Why nobody can tell: the counter has moved otherwise, or was never read. */
  readonly untold: string;
}

/** What became of an entry in doubt. */
export async function resolveEntry<Data>(entry: DoubtfulEntry<Data>): Promise<Resolution<Data>> {
  const { before, now, unchanged, untold } = entry;
  if (typeof before !== "number" || now === null) return { outcome: "unknown", reason: untold };
  if (now === before) return { outcome: "not_printed", reason: unchanged };
  if (!entry.isMade(before, now)) return { outcome: "unknown", reason: untold };
  return { outcome: "printed", success: { data: await entry.describe() } };
}
