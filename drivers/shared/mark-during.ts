/** Marks that are stored while the device is at work. */

import type { Mark } from "#core/command/marks.ts";
import type { CommandProgress } from "#core/driver.ts";

/**
 * Stores a mark while the device does something that can still be undone, because the disk takes
 * about as long as the device: for marks that must be there before the next frame, and do no harm
 * earlier.
 * @param work what is done meanwhile; its error is thrown on, whatever became of the mark
 * @returns why the mark was refused, once the work is done; undefined when it is stored
 */
export async function markDuring(
  progress: Pick<CommandProgress, "mark">,
  mark: Mark,
  work: () => Promise<void>,
): Promise<{ readonly refusal: unknown } | undefined> {
  const stored = progress.mark(mark).then(
    () => undefined,
    (refusal: unknown) => ({ refusal }),
  );
  await work();
  return stored;
}
