/**
 * What stands open on a device in the way of a command, looked at right before it changes
 * something, at its first mark; or when what it reads until then is refused, which may be for that.
 *
 * A slip that broke off makes the device refuse whatever else is to be printed, booked or set. So
 * it is closed. What the command read of the device until then may not hold any more, so it begins
 * anew. A fiscal receipt is what a person is ringing up: a report, a duplicate or a cash movement
 * leaves it to them, even where the device would let us cancel it.
 *
 * Documents and slips clear their own way, of receipts as well: see `put-away.ts`.
 */

import { type CommandType, effectOf, waitsForPerson } from "#core/command/catalogue.ts";
import type { CommandProgress, DriverEnvironment } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { isRefusal, stateFault } from "./device-fault.ts";
import { withMark } from "./with-mark.ts";

/** What may stand open on a device. */
export type OpenOnDevice = "slip" | "receipt";

/** The slip of a device. Both throw a refusal or a line fault. */
export interface SlipOnDevice {
  readonly environment: Pick<DriverEnvironment, "log">;
  /** Reads what stands open; undefined when nothing does, or the device cannot tell. @throws FiscalError */
  readOpen(): Promise<OpenOnDevice | undefined>;
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
 * @throws FiscalError E301 when the slip stays open or the command must leave a receipt to whoever
 *   rings it up, and what `run` or the slip throws
 */
export async function withoutLeftSlip<Result>(
  slip: SlipOnDevice,
  { type, progress }: { readonly type: CommandType; readonly progress: CommandProgress },
  run: (progress: CommandProgress) => Promise<Result>,
): Promise<Result> {
  const effect = effectOf(type);
  const isConcerned = (effect === "ledger" || effect === "device") && !LEFT_ALONE.has(type);
  if (!isConcerned) return run(progress);
  const isSlipOpen = async () => {
    const open = await slip.readOpen();
    // Of settings the device knows best which of them it takes meanwhile.
    if (open === "receipt" && waitsForPerson(type)) throw stateFault("E301");
    return open === "slip";
  };
  const closeSlip = async () => {
    if (!(await isSlipOpen())) return false;
    slip.environment.log("warn", "a slip that stood open was closed", { for: type });
    await slip.close();
    return true;
  };
  let hasLooked = false;
  try {
    return await run(
      atFirstMark(progress, async () => {
        hasLooked = true;
        if (await closeSlip()) throw new WayCleared();
      }),
    );
  } catch (error) {
    const mayBeInTheWay = !hasLooked && isRefusal(error);
    if (!(error instanceof WayCleared) && !(mayBeInTheWay && (await closeSlip()))) throw error;
  }
  return run(
    atFirstMark(progress, async () => {
      if (!(await isSlipOpen())) return;
      throw new FiscalError("E301", "A slip stays open on the device: close it there");
    }),
  );
}

/** The same progress; `look` goes before its first mark, and what it throws stops the command. */
function atFirstMark(progress: CommandProgress, look: () => Promise<void>): CommandProgress {
  let isFirst = true;
  return withMark(progress, async (mark, baseline) => {
    if (isFirst) await look();
    isFirst = false;
    await progress.mark(mark, baseline);
  });
}
