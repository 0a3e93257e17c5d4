/**
 * Commands that change a sum or a counter of the device once: Z report, cash in, cash out. They
 * have no document that could be cancelled; what proves them is the counter before and after.
 */

import type { Baseline } from "#core/command/marks.ts";
import type { CommandProgress, Resolution } from "#core/driver.ts";
import { DocumentInDoubt, isLineFault } from "#core/errors.ts";
import type { Answer } from "./answer.ts";

/** One entry of the ledger. */
export interface LedgerEntry {
  /** What was read of the device; `resolve` compares it with a later reading. */
  readonly baseline: Baseline;
  /** Sends the one frame that makes the entry. A refusal is in the answer. */
  send(): Promise<Answer>;
  /** Reads the counter again: true when the entry was made although the answer is a refusal. */
  wasMade(): Promise<boolean>;
}

/**
 * Makes an entry.
 * @throws FiscalError when it was definitely not made
 * @throws DocumentInDoubt when its answer was lost
 */
export async function makeEntry(entry: LedgerEntry, progress: CommandProgress): Promise<void> {
  await progress.mark("baseline", entry.baseline);
  await progress.mark("committing");
  try {
    const { fault } = await entry.send();
    // An error of the device, such as no paper, may come with an entry that was made.
    if (fault && !(await entry.wasMade())) throw fault;
  } catch (error) {
    if (isLineFault(error)) throw new DocumentInDoubt(error);
    throw error;
  }
  await progress.mark("committed");
}

/**
 * What a counter says of an entry in doubt.
 * @param counter its value before, its value now, and by how much the entry changes it
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
