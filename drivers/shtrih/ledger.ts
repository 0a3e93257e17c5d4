/**
 * Commands that change a counter of the device once: Z report, cash in, cash out. They have no
 * document that could be cancelled; what proves them is the counter before and after.
 */

import type { Baseline } from "#core/command/marks.ts";
import type { CommandProgress, Resolution } from "#core/driver.ts";
import { DocumentInDoubt, isLineFault } from "#core/errors.ts";
import { isNext } from "./account.ts";
import type { Reply } from "./device.ts";

/**
 * Makes an entry with one frame. Nothing is asked of the device after it: that could only fail.
 * @param baseline the counter before; `resolve` compares it with a later reading
 * @throws FiscalError when it was definitely not made
 * @throws DocumentInDoubt when its answer was lost
 */
export async function makeEntry(
  progress: CommandProgress,
  baseline: Baseline,
  send: () => Promise<Reply>,
): Promise<void> {
  await progress.mark("baseline", baseline);
  await progress.mark("committing");
  try {
    const { fault } = await send();
    if (fault) throw fault;
  } catch (error) {
    if (isLineFault(error)) throw new DocumentInDoubt(error);
    throw error;
  }
  await progress.mark("committed");
}

/** What a running number says of an entry in doubt. */
export function judgeEntry(before: unknown, now: number): Resolution["outcome"] {
  if (typeof before !== "number") return "unknown";
  if (now === before) return "not_printed";
  return isNext(before, now) ? "printed" : "unknown";
}
