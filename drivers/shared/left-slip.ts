/**
 * A slip that broke off stands open on the device, which then refuses whatever else is to be
 * printed, booked or set. So the way is cleared right before a command changes something: at its
 * first mark. What it read of the device until then may not hold any more, so it begins anew.
 *
 * Documents and slips clear their own way, of receipts as well: see `put-away.ts`.
 */

import { type CommandType, effectOf } from "#core/command/catalogue.ts";
import type { CommandProgress, DriverEnvironment } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";

/** The slip of a device. Both throw a refusal or a line fault. */
export interface SlipOnDevice {
  readonly environment: Pick<DriverEnvironment, "log">;
  /** Reads whether one stands open; false where the device cannot tell. @throws FiscalError */
  isOpen(): Promise<boolean>;
  /** @throws FiscalError */
  close(): Promise<unknown>;
}

/** Types that clear their own way, end the slip themselves, or are no business of ours. */
const LEFT_ALONE: ReadonlySet<CommandType> = new Set([
  "non_fiscal_receipt",
  "void_open_receipt",
  "open_drawer",
  "raw_command",
]);

/** Ends a command at its first mark: the slip is closed now, and the command may begin anew. */
class WayCleared extends Error {
  override readonly name = "WayCleared";
}

/**
 * Carries out a command with no slip in its way.
 * @param run carries it out with the given progress; called twice when a slip had to be closed
 * @throws FiscalError E301 when the slip stays open, and what `run` or the slip throws
 */
export async function withoutLeftSlip<Result>(
  slip: SlipOnDevice,
  { type, progress }: { readonly type: CommandType; readonly progress: CommandProgress },
  run: (progress: CommandProgress) => Promise<Result>,
): Promise<Result> {
  const effect = effectOf(type);
  const isConcerned = (effect === "ledger" || effect === "device") && !LEFT_ALONE.has(type);
  if (!isConcerned) return run(progress);
  try {
    return await run(
      atFirstMark(progress, async () => {
        if (!(await slip.isOpen())) return;
        slip.environment.log("warn", "a slip that stood open was closed", { for: type });
        await slip.close();
        throw new WayCleared();
      }),
    );
  } catch (error) {
    if (!(error instanceof WayCleared)) throw error;
  }
  return run(
    atFirstMark(progress, async () => {
      if (!(await slip.isOpen())) return;
      throw new FiscalError("E301", "A slip stays open on the device: close it there");
    }),
  );
}

/** The same progress; `look` goes before its first mark, and what it throws stops the command. */
function atFirstMark(progress: CommandProgress, look: () => Promise<void>): CommandProgress {
  let isFirst = true;
  return {
    mark: async (mark, baseline) => {
      if (isFirst) await look();
      isFirst = false;
      await progress.mark(mark, baseline);
    },
    paused: (reason) => progress.paused(reason),
    pauseLimitMs: progress.pauseLimitMs,
  };
}
