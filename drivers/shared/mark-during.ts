/** Marks that are stored while the device is at work, or for no longer than it may stand still. */

import type { Mark } from "#core/command/marks.ts";
import type { CommandProgress, DriverEnvironment } from "#core/driver.ts";

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

/** Whoever ends what stands on the device, and rings up the next receipt, takes longer; in ms. */
const STANDSTILL_MS = 500;
/** A gateway that is there has stored a mark by then, its disk being as slow as it may; in ms. */
const MARK_MS_MAX = 5_000;

/**
 * Stores that without which the next frame goes out all the same: a refusal changes nothing, nor does a
 * gateway that is away, which would be waited for without limit.
 * @returns true when the device stood still for so long that it has to be looked at again
 */
export async function storeInPassing(
  environment: Pick<DriverEnvironment, "setTimer">,
  store: () => Promise<void>,
): Promise<boolean> {
  let isLate = false;
  const { promise: over, resolve: goOn } = Promise.withResolvers<void>();
  const cancelTimers = [
    environment.setTimer(STANDSTILL_MS, () => {
      isLate = true;
    }),
    environment.setTimer(MARK_MS_MAX, goOn),
  ];
  store().then(goOn, goOn);
  await over;
  for (const cancel of cancelTimers) cancel();
  return isLate;
}
