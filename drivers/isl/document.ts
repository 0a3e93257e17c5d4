/**
 * Prints one fiscal document, once.
 *
 * The order of things is what makes it so. The device's account is read and stored (`baseline`)
 * before the first frame; `opened` is stored once the document is open, before its first line; until
 * the first payment everything can be cancelled, so `committing` is stored by then; `committed` follows
 * the answer to the closing frame. Whatever breaks after `baseline` leaves a stored mark that says
 * which questions to ask the device, and `resolve.ts` asks them.
 *
 * Frames may be sent again within the line discipline. A device that lost power in between would
 * carry the repeat out a second time, so after any such repeat the device's sums are compared with
 * ours before the first payment; payments that are not the last one are never sent again after
 * silence.
 */

import type { Baseline } from "#core/command/marks.ts";
import type { CommandProgress } from "#core/driver.ts";
import { DocumentInDoubt, FiscalError, isPauseFault } from "#core/errors.ts";
import { stateFault } from "../shared/device-fault.ts";
import { markDuring } from "../shared/mark-during.ts";
import { PauseKeeper } from "../shared/pause.ts";
import { NO_SUMS, type Sums, sameSums } from "../shared/sums.ts";
import type { Answer } from "./answer.ts";
import type { IslDevice } from "./device.ts";
import { DOUBTFUL_NUMBERS } from "./error-numbers.ts";
import type { DocumentPlan, Step } from "./plan.ts";
import { settleOpenReceipt } from "./settle.ts";
import { checkReadiness, readTransaction, type Transaction } from "./transaction.ts";

/** What a printed document is known by. */
export interface PrintedDocument {
  readonly number: number;
  /** What the device says is given back, in minor units. */
  readonly changeMinor: number;
}

/** Receipts that stand open before ours and are put away; a device has no more than one of each. */
const FOREIGN_RECEIPTS_MAX = 3;

/**
 * Prints a planned document.
 * @throws FiscalError when nothing was printed, and nothing of the document is left
 * @throws DocumentInDoubt for whatever else came after the baseline was stored, a lost line above
 *   all; also when the device holds a part payment that only `resolve` can put right
 */
export async function printDocument(
  device: IslDevice,
  plan: DocumentPlan,
  progress: CommandProgress,
): Promise<PrintedDocument> {
  const before = await clearTheWay(device);
  await progress.mark("baseline", { number: before.number, slip: null });
  return new DocumentRun(device, plan, progress).print(before);
}

/**
 * Reads the device and puts away what stands open on it, so that our document begins clean.
 * @throws FiscalError E306, E307, E300 or E305 for what would make any document fail
 */
export async function clearTheWay(device: IslDevice): Promise<Transaction> {
  for (let round = 0; round < FOREIGN_RECEIPTS_MAX; round += 1) {
    const before = await readTransaction(device);
    checkReadiness(device);
    if (device.shows("non_fiscal_receipt_open")) await device.ask("closeSlip");
    else if (!before.open) return before;
    else await settleOpenReceipt(device, before);
  }
  throw new FiscalError("E301", "A receipt stays open on the device: close it there");
}

class DocumentRun {
  readonly #device: IslDevice;
  readonly #plan: DocumentPlan;
  readonly #progress: CommandProgress;
  readonly #pauses: PauseKeeper;
  /** The account after the last frame that was carried out. */
  #done: Sums = NO_SUMS;
  /** True when a frame went out twice and the device may have taken it twice. */
  #mustVerify = false;
  #slip: number | null = null;
  #changeMinor = 0;
  /** An error after which nothing is in doubt: the document was cancelled, or is marked closed. */
  #settled: unknown;

  constructor(device: IslDevice, plan: DocumentPlan, progress: CommandProgress) {
    this.#device = device;
    this.#plan = plan;
    this.#progress = progress;
    this.#pauses = new PauseKeeper({
      environment: device.environment,
      progress,
      look: async () => {
        await device.send("status");
        return shownPause(device);
      },
    });
  }

  async print(before: Transaction): Promise<PrintedDocument> {
    try {
      await this.#open(before);
      for (const step of this.#plan.lines.slice(0, -1)) await this.#registerLine(step);
      for (const step of this.#plan.lines.slice(-1)) await this.#registerLast(step);
      if (this.#mustVerify) await this.#verifySums();
      for (const step of this.#plan.payments) await this.#pay(step);
      return await this.#close();
    } catch (error) {
      // From the baseline on every error leaves the outcome open, but for those made sure of.
      if (error !== this.#settled && error instanceof FiscalError) throw new DocumentInDoubt(error);
      throw error;
    }
  }

  /** Throws an error after which nothing is in doubt. */
  #end(error: unknown): never {
    this.#settled = error;
    throw error;
  }

  async #open(before: Transaction): Promise<void> {
    const { action, values } = this.#plan.open;
    const answer = await this.#device.send(action, values);
    if (answer.fault) {
      // It may be open all the same: the device took the frame and then ran out of paper, or took
      // it twice and refused the second. None was open before, so this one is ours.
      const isSuspect = answer.resentInDoubt || this.#device.shows("fiscal_receipt_open");
      if (isSuspect && (await readTransaction(this.#device)).open) await this.#cancel();
      this.#end(answer.fault);
    }
    this.#mustVerify = answer.resentInDoubt;
    this.#slip = answer.optional("slip") === undefined ? null : answer.integer("slip");
    const opened: Baseline = { number: before.number, slip: this.#slip };
    await this.#progress.mark("opened", opened).catch((refusal) => this.#giveUp(refusal));
    await this.#pauseIfShown();
  }

  /** Registers a text, sale or adjustment: everything that can still be cancelled. */
  async #registerLine(step: Step): Promise<void> {
    for (;;) {
      const answer = await this.#device.send(step.action, step.values);
      if (answer.resentInDoubt) this.#mustVerify = true;
      if (!answer.fault) break;
      if (!isPauseFault(answer.fault)) return this.#refuse(answer.fault);
      await this.#pauseOrCancel(answer.fault);
      const now = await readTransaction(this.#device);
      // Texts change no sum: rather a text twice than none.
      if (now.open && sameSums(now, this.#done)) continue;
      if (now.open && sameSums(now, step.after)) break;
      return this.#refuse(answer.fault);
    }
    this.#done = step.after;
    await this.#pauseIfShown();
  }

  /**
   * The last line goes out while `committing` is being stored: the mark must be there before the
   * first payment.
   */
  async #registerLast(step: Step): Promise<void> {
    const refused = await markDuring(this.#progress, "committing", () => this.#registerLine(step));
    if (refused) await this.#giveUp(refused.refusal);
  }

  async #verifySums(): Promise<void> {
    const now = await readTransaction(this.#device);
    if (now.open && sameSums(now, this.#done)) return;
    this.#device.environment.log("warn", "sums differ after a frame was sent again", {
      expected: this.#done,
      found: { items: now.items, amountMinor: now.amountMinor, open: now.open },
    });
    await this.#cancel();
    const message =
      "The device lost its memory of the last frame; the document was cancelled, not printed";
    this.#end(new FiscalError("E102", message));
  }

  async #pay(step: Step): Promise<void> {
    const isLast = step === this.#plan.payments.at(-1);
    for (;;) {
      const answer = await this.#device.send(
        step.action,
        step.values,
        isLast ? "always" : "unless_silent",
      );
      if (!answer.fault) {
        this.#checkRest(answer, step, isLast);
        break;
      }
      if (!isPauseFault(answer.fault)) {
        if (this.#done.paidMinor > 0 || answer.resentInDoubt || isDoubtful(answer.fault)) {
          throw new DocumentInDoubt(answer.fault);
        }
        return this.#refuse(answer.fault);
      }
      await this.#pauseOrCancel(answer.fault);
      const now = await readTransaction(this.#device);
      if (now.open && sameSums(now, step.after)) break;
      if (!now.open || !sameSums(now, this.#done)) throw new DocumentInDoubt(answer.fault);
    }
    this.#done = step.after;
    await this.#pauseIfShown();
  }

  /** Compares what the device says is still to be paid with what we expect. */
  #checkRest(answer: Answer, step: Step, isLast: boolean): void {
    const told = answer.minor("amount");
    const isRest = answer.text("outcome") === "D";
    const rest = this.#plan.paid.amountMinor - step.after.paidMinor;
    if (isLast && !isRest) this.#changeMinor = told;
    if ((isRest ? told : 0) === rest) return;
    throw new FiscalError("E902", "The device counts another rest to pay than the document has");
  }

  async #close(): Promise<PrintedDocument> {
    let closing: Answer | undefined;
    for (;;) {
      closing = await this.#device.send("close");
      if (!closing.fault) break;
      if (!isPauseFault(closing.fault)) throw new DocumentInDoubt(closing.fault);
      await this.#pauseOrCancel(closing.fault);
      const now = await readTransaction(this.#device);
      if (now.open) continue;
      // Whoever loaded the paper may have ended the document otherwise: it must have been paid.
      if (sameSums(now, this.#done)) break;
      throw new DocumentInDoubt(closing.fault);
    }
    await this.#progress.mark("committed").catch((refusal: unknown) => this.#end(refusal));
    const told = closing.fault ? undefined : closing.optional("slip");
    const number = this.#slip ?? (told === undefined ? undefined : Number(told));
    this.#device.day = { open: true, closeRequired: this.#device.day.closeRequired };
    return {
      number: number ?? (await this.#device.ask("lastDocument")).integer("number"),
      changeMinor: this.#changeMinor,
    };
  }

  /** The device definitely refused: nothing stays behind, and the refusal is thrown. */
  async #refuse(fault: FiscalError): Promise<never> {
    await this.#cancel();
    return this.#end(fault);
  }

  /** A mark was refused: the command may not go on, and nothing stays behind. */
  async #giveUp(refusal: unknown): Promise<never> {
    await this.#cancel();
    return this.#end(refusal);
  }

  /** A frame may be carried out and its answer show that the next one will not be. */
  async #pauseIfShown(): Promise<void> {
    const shown = shownPause(this.#device);
    if (shown) await this.#pauseOrCancel(shown);
  }

  /** Waits for a person to load paper or close the cover; gives up when the limit is over. */
  async #pauseOrCancel(fault: FiscalError): Promise<void> {
    const expired = await this.#pauses.wait(fault);
    if (!expired) return;
    if (this.#done.paidMinor > 0) throw new DocumentInDoubt(expired);
    await this.#cancel();
    this.#end(expired);
  }

  /** Cancels our document. @throws DocumentInDoubt when it is not gone afterwards */
  async #cancel(): Promise<void> {
    const answer = await this.#device.send("cancel");
    if (!answer.fault) return;
    // A device that has cancelled it by itself, at power-on for example, refuses to do it again.
    const now = await readTransaction(this.#device);
    if (now.open || now.paidMinor > 0) throw new DocumentInDoubt(answer.fault);
  }
}

/** What the last answer shows that stops a document. */
function shownPause(device: IslDevice): FiscalError | undefined {
  if (device.shows("paper_out")) return stateFault("E306");
  return device.shows("cover_open") ? stateFault("E307") : undefined;
}

function isDoubtful(fault: FiscalError): boolean {
  return fault.device !== undefined && DOUBTFUL_NUMBERS.has(fault.device.code);
}
