/**
 * Commands that change a sum or a counter of the device once: Z report, cash in, cash out. They
 * have no document that could be cancelled; what proves them is the counter before and after.
 * Their frames are not sent again after silence, because a device that lost power in between would
 * carry the repeat out a second time.
 */

import type { Baseline } from "#core/command/marks.ts";
import type { CommandProgress, Resolution } from "#core/driver.ts";
import { DocumentInDoubt, isLineFault } from "#core/errors.ts";
import type { Answer } from "./answer.ts";

/** One entry of the ledger. */
export interface LedgerEntry<Result> {
  /** What was read of the device; `resolve` compares it with a later reading. */
  readonly baseline: Baseline;
  /** Sends the one frame that makes the entry. A refusal is in the answer. */
  send(): Promise<Answer>;
  /** Reads the answer to an entry that was made. @throws FiscalError E902 */
  describe(answer: Answer): Result;
}

/**
 * Makes an entry. Nothing is asked of the device after it: that could only fail.
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
    const answer = await entry.send();
    if (answer.fault) throw answer.fault;
    result = entry.describe(answer);
  } catch (error) {
    if (isLineFault(error)) throw new DocumentInDoubt(error);
    throw error;
  }
  await progress.mark("committed");
  return result;
}

/**
 * What a counter says of an entry in doubt.
 * @param counter its value before, its value now, and by how much the entry raises it
 */
export function judgeEntry(counter: {
  readonly before: number | null;
  readonly now: number | null;
  readonly step: number;
}): Resolution["outcome"] {
  const { before, now, step } = counter;
  if (before === null || now === null) return "unknown";
  if (now === before) return "not_printed";
  return now === before + step ? "printed" : "unknown";
}
