/**
 * The run of one fiscal document that prints it once, the same for every protocol:
 *
 *   put away what stands open, read the device        `baseline` is stored
 *   open the document                                 `opened` is stored
 *   texts, sales, adjustments                         with the last one `committing` is stored
 *   compare the device's sums with ours               up to here all of it can be cancelled
 *   payments, each right behind such a comparison     from here on it can only be finished
 *   make sure that what is paid is ours               where only that proves it, it is stored, and
 *                                                     what is paid looked at again where that took long
 *   close the document                                `committed` is stored
 *   read its number
 *
 * Other hands may be at the printer: a person at its keyboard, another program. They can cancel
 * ours up to the first payment, finish it after that, and open a receipt of their own in its place.
 * So nothing is paid but right behind a look at the device: what it counts, and its number where it
 * tells that, are ours. For the same reason a payment whose answer is lost is not sent again before
 * the device was asked: it knows a repeated frame only while nobody else has spoken to it.
 *
 * No frame goes out before the mark above it is reported: `baseline` and `committing` are on disk by then,
 * `opened` may be lost (`CommandProgress.mark`). Whatever breaks after `baseline`, the stored mark says which
 * questions to ask the device, and the protocol's `resolve.ts` asks them. A person may say meanwhile what
 * became of it, as of one that waits for paper: where that forbids it, no frame more of it goes out
 * (`mayGoOn`). What goes wrong in between ends in one of two ways only: the document was cancelled, or is
 * closed and marked so, and the error is the command's (`#end`); or the document is in doubt.
 */

import type { Mark } from "#core/command/marks.ts";
import type { CommandProgress } from "#core/driver.ts";
import { DocumentInDoubt, FiscalError, isPauseFault } from "#core/errors.ts";
import { BusyWait } from "./busy.ts";
import { otherHands } from "./device-fault.ts";
import type {
  DocumentProtocol,
  DocumentStep,
  Fate,
  FrameOutcome,
  OpeningOutcome,
} from "./document-protocol.ts";
import { markDuring, storeInPassing } from "./mark-during.ts";
import { PauseKeeper } from "./pause.ts";
import { PAID } from "./resolution.ts";
import { NO_SUMS, type Sums, sameSums } from "./sums.ts";

/**
 * Prints a document.
 * @returns what it is known by
 * @throws FiscalError when nothing was printed, and nothing of the document is left
 * @throws DocumentInDoubt for whatever else came after the baseline was stored, a lost line above
 *   all; also when the device holds a part payment that only the resolution can put right
 */
export async function printOnce<Step extends DocumentStep, Printed>(
  protocol: DocumentProtocol<Step, Printed>,
  progress: CommandProgress,
): Promise<Printed> {
  await progress.mark("baseline", await protocol.begin());
  return new DocumentRun(protocol, progress).print();
}

/** How often the answer to a frame may be lost on a device that still hears. */
const LOSSES_MAX = 3;

/** A frame on its way to being carried out. */
interface Attempt {
  send(): Promise<FrameOutcome>;
  /** Asked once the device can go on. */
  fate(): Promise<Fate>;
  /** True when what is not clear about it cannot be cancelled away: it may have paid or printed. */
  readonly isFinal: boolean;
}

class DocumentRun<Step extends DocumentStep, Printed> {
  readonly #protocol: DocumentProtocol<Step, Printed>;
  readonly #progress: CommandProgress;
  readonly #pauses: PauseKeeper;
  /** What the device must count after the last frame that was carried out. */
  #done: Sums = NO_SUMS;
  /** The same with the last frame that was sent. */
  #sent: Sums = NO_SUMS;
  #hasLines = false;
  /** The error of a document that was cancelled, or is closed and marked: nothing is in doubt. */
  #ending: unknown;

  constructor(protocol: DocumentProtocol<Step, Printed>, progress: CommandProgress) {
    this.#protocol = protocol;
    this.#progress = progress;
    const { environment } = protocol.device;
    const look = () => protocol.readPause();
    this.#pauses = new PauseKeeper({ environment, progress, look });
  }

  async print(): Promise<Printed> {
    try {
      await this.#open();
      await this.#registerLines();
      await this.#payAll();
      await this.#close();
      return await this.#protocol.readPrinted();
    } catch (error) {
      // From the baseline on every error leaves the outcome open, but for those made sure of.
      if (error !== this.#ending && error instanceof FiscalError) throw new DocumentInDoubt(error);
      throw error;
    }
  }

  async #open(): Promise<void> {
    const opening = await this.#protocol.open();
    const { refusal, isDoubtful } = opening;
    if (refusal) {
      const isAnother = refusal.code === "E301" && !isDoubtful;
      if (!isAnother && (await opening.isOpen?.())) await this.#protocol.cancel([NO_SUMS]);
      this.#end(refusal);
    }
    await this.#storeOpened(opening).catch((refusal: unknown) => this.#cancelAndEnd(refusal));
    await this.#pauseIfShown(opening.pause);
  }

  async #storeOpened({ baseline, isBaselineAwaited = false }: OpeningOutcome): Promise<void> {
    if (isBaselineAwaited) await this.#progress.mark("baseline", baseline);
    await this.#progress.mark("opened", baseline);
  }

  /**
   * The lines, and the device's sums compared with ours. `committing` must be on disk before the
   * first payment, and nothing may come between that and the comparison: what the disk takes there
   * would be time in which others can put a receipt in the place of ours. So it is stored during the
   * last line.
   */
  async #registerLines(): Promise<void> {
    const { lines, payments } = this.#protocol.plan;
    if (payments.length === 0 && this.#protocol.comparesSums) return this.#registerUnpaid();
    for (const line of lines.slice(0, -1)) await this.#registerLine(line);
    await this.#markDuring("committing", async () => {
      for (const line of lines.slice(-1)) await this.#registerLine(line);
    });
    if (this.#protocol.comparesSums) await this.#compareSums();
  }

  /**
   * The same where the closing frame pays: then `committing` is all that tells a document with all
   * of its lines from one that others have finished early. Where the disk is slower than the
   * comparison, that is made again.
   */
  async #registerUnpaid(): Promise<void> {
    for (const line of this.#protocol.plan.lines) await this.#registerLine(line);
    let isStored = false;
    const progress = {
      mark: async (mark: Mark) => {
        await this.#progress.mark(mark);
        isStored = true;
      },
    };
    let isLate = false;
    const refused = await markDuring(progress, "committing", async () => {
      await this.#compareSums();
      isLate = !isStored;
    });
    if (refused) await this.#cancelAndEnd(refused.refusal);
    if (isLate) await this.#compareSums();
  }

  async #registerLine(line: Step): Promise<void> {
    this.#sent = line.after;
    const pause = await this.#carryOut({
      send: () => this.#protocol.send(line),
      fate: () => this.#readFate(line),
      isFinal: false,
    });
    this.#done = line.after;
    this.#hasLines = true;
    await this.#pauseIfShown(pause);
  }

  /** A payment cannot be taken back, so what it pays must be what the document is worth. */
  async #compareSums(): Promise<void> {
    const now = await this.#protocol.readCurrentReceipt();
    if (now.open && sameSums(now, this.#done)) return;
    const { open, items, amountMinor, paidMinor } = now;
    this.#protocol.device.environment.log("warn", "the device counts the document differently", {
      expected: this.#done,
      found: { open, items, amountMinor, paidMinor },
    });
    await this.#cancelAndEnd(this.#protocol.sumsDiffer(now, this.#done));
  }

  async #payAll(): Promise<void> {
    const { payments } = this.#protocol.plan;
    if (payments.length === 0) return;
    for (const payment of payments) {
      const isFirst = payment === payments[0];
      if (!isFirst && !(await this.#isStillOurs())) throw otherHands();
      await this.#pay(payment);
    }
    if (!(await this.#protocol.isOursPaid())) throw otherHands();
    if (!this.#protocol.storesPayment) return;
    // Refused or not, the document can only be finished by now.
    const isLate = await storeInPassing(this.#protocol.device.environment, () =>
      this.#progress.mark("committing", PAID),
    );
    if (isLate && !(await this.#isStillOurs())) throw otherHands();
  }

  /** Somebody may have finished ours, and opened a receipt of his. */
  async #isStillOurs(): Promise<boolean> {
    if (!this.#protocol.comparesSums) return true;
    const now = await this.#protocol.readCurrentReceipt();
    return now.open && sameSums(now, this.#done);
  }

  async #pay(payment: Step): Promise<void> {
    this.#sent = payment.after;
    const pause = await this.#carryOut({
      send: () => this.#protocol.send(payment),
      fate: () => this.#readFate(payment),
      isFinal: true,
    });
    this.#done = payment.after;
    await this.#pauseIfShown(pause);
  }

  async #close(): Promise<void> {
    await this.#carryOut({
      send: () => this.#protocol.close(),
      fate: () => this.#readClosing(),
      isFinal: true,
    });
    await this.#progress.mark("committed").catch((refusal: unknown) => this.#end(refusal));
  }

  /**
   * Whoever loaded the paper may have annulled ours, though it holds payments, by switching the device
   * off and on, and be ringing up one of his: a closing goes out again only into what counts as ours.
   */
  async #readClosing(): Promise<Fate> {
    const fate = await this.#protocol.readClosing();
    return fate !== "not_carried_out" || (await this.#isStillOurs()) ? fate : "unclear";
  }

  /**
   * Sends a frame until it is carried out, waiting for a person where one can help.
   * @returns what the device shows that will keep it from the next frame
   */
  async #carryOut({ send, fate, isFinal }: Attempt): Promise<FiscalError | undefined> {
    const busy = new BusyWait(this.#protocol.device.environment);
    for (let losses = 0; ; ) {
      await this.#endIfSettled();
      const { refusal, isDoubtful, isLost, pause } = await send();
      if (!refusal) return pause;
      if (isLost) {
        losses += 1;
        if (losses > LOSSES_MAX) throw new DocumentInDoubt(refusal);
      } else if (isPauseFault(refusal)) {
        await this.#wait(refusal);
      } else if (await busy.passed(refusal)) {
        // It has done nothing, but others may have, and without sums nothing shows that.
        if (!this.#protocol.comparesSums) continue;
      } else {
        if (isDoubtful) throw new DocumentInDoubt(refusal);
        return this.#cancelUnlessPaid(refusal);
      }
      const known = await fate();
      if (known === "carried_out") return undefined;
      if (known === "not_carried_out") continue;
      if (isFinal) throw new DocumentInDoubt(refusal);
      return this.#cancelAndEnd(refusal);
    }
  }

  /** The device's sums tell whether a line or payment was carried out before the paper ran out. */
  async #readFate(step: Step): Promise<Fate> {
    if (!this.#protocol.mayRefuseWhatItDid) return "not_carried_out";
    const now = await this.#protocol.readCurrentReceipt();
    const isThere = now.open || (this.#protocol.firstLineOpens && !this.#hasLines);
    // Texts change no sum: rather a text twice than none.
    if (isThere && sameSums(now, this.#done)) return "not_carried_out";
    return now.open && sameSums(now, step.after) ? "carried_out" : "unclear";
  }

  /** The answer to a frame that was carried out may show that the next one will not be. */
  async #pauseIfShown(pause: FiscalError | undefined): Promise<void> {
    if (pause) await this.#wait(pause);
  }

  /** Waits for a person to load paper or close the cover; gives up when the limit is over. */
  async #wait(fault: FiscalError): Promise<void> {
    const expired = await this.#pauses.wait(fault);
    await this.#endIfSettled();
    if (expired) await this.#cancelUnlessPaid(expired);
  }

  /**
   * Whoever was told what became of it has gone on without it: no frame more of it. The marks tell
   * of that only where one is waited for, and a pause may last long behind the last of them.
   */
  async #endIfSettled(): Promise<void> {
    if (this.#progress.mayGoOn()) return;
    await this.#cancelUnlessPaid(new FiscalError("E903", "A person said what became of it"));
  }

  /** Stores a mark while something is done that can still be undone. */
  async #markDuring(mark: Mark, work: () => Promise<void>): Promise<void> {
    const refused = await markDuring(this.#progress, mark, work);
    if (refused) await this.#cancelAndEnd(refused.refusal);
  }

  /** A document that holds a payment can only be finished, and that is for the resolution. */
  async #cancelUnlessPaid(fault: FiscalError): Promise<never> {
    if (this.#done.paidMinor > 0) throw new DocumentInDoubt(fault);
    return this.#cancelAndEnd(fault);
  }

  /** The command ends here, by a refusal of the device or of a mark: nothing stays behind. */
  async #cancelAndEnd(reason: unknown): Promise<never> {
    await this.#protocol.cancel([this.#done, this.#sent]);
    return this.#end(reason);
  }

  /** Throws an error after which nothing is in doubt. */
  #end(error: unknown): never {
    this.#ending = error;
    throw error;
  }
}
