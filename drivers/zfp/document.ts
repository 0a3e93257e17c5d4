/**
 * Prints one fiscal document, once.
 *
 * The number of the last receipt that the device issued is read and stored (`baseline`) before the
 * first frame; `opened` is stored, with the number that the open document has, before its first
 * line; until the first payment everything can be cancelled, so `committing` is stored by then;
 * `committed` follows the answer to the closing frame. Whatever breaks after `baseline` leaves a
 * stored mark that says which questions to ask the device, and `resolve.ts` asks them.
 *
 * No frame that changes the device is sent twice. An error of the device itself, such as no paper,
 * may stand in the answer to a frame that was carried out, so the device's account decides that.
 */

import type { CommandProgress } from "#core/driver.ts";
import { DocumentInDoubt, FiscalError, isPauseFault } from "#core/errors.ts";
import { formatMinor } from "#core/money.ts";
import { clockNotSet, stateFault } from "../shared/device-fault.ts";
import { markDuring } from "../shared/mark-during.ts";
import { PauseKeeper } from "../shared/pause.ts";
import { NO_SUMS, type Sums, sameSums } from "../shared/sums.ts";
import { readAccount, readCounter, readLastReceipt } from "./account.ts";
import type { ZfpDevice } from "./device.ts";
import type { DocumentPlan, Step } from "./plan.ts";
import { settleOpenReceipt } from "./settle.ts";
import type { StatusBytes } from "./status.ts";

/** What a printed document is known by. */
export interface PrintedDocument {
  readonly number: number;
  /** UTC milliseconds; null when the device does not tell. */
  readonly issuedAt: number | null;
}

/** Receipts that stand open before ours and are put away; a device has no more than one of each. */
const FOREIGN_RECEIPTS_MAX = 3;

/**
 * Prints a planned document.
 * @throws FiscalError when nothing was printed
 * @throws DocumentInDoubt when the line failed after the baseline was stored, or the device holds
 *   a part payment that only `resolve` can put right
 */
export async function printDocument(
  device: ZfpDevice,
  plan: DocumentPlan,
  progress: CommandProgress,
): Promise<PrintedDocument> {
  await clearTheWay(device);
  const before = await readLastReceipt(device);
  const baseline = { number: before.number, counter: await readCounter(device) };
  await progress.mark("baseline", { ...baseline, slip: null });
  return new DocumentRun(device, plan, progress).print(baseline);
}

/**
 * Reads the device and puts away what stands open on it, so that our document begins clean.
 * @throws FiscalError E306, E300 or E305 for what would make any document fail
 */
export async function clearTheWay(device: ZfpDevice): Promise<void> {
  for (let round = 0; round < FOREIGN_RECEIPTS_MAX; round += 1) {
    const status = await device.readStatus();
    checkReadiness(status);
    if (status.has("non_fiscal_receipt_open")) {
      await device.ask("closeSlip");
    } else if (status.has("fiscal_receipt_open")) {
      await settleOpenReceipt(device, await readAccount(device));
    } else {
      return;
    }
  }
  throw new FiscalError("E301", "A receipt stays open on the device: close it there");
}

function checkReadiness(status: StatusBytes): void {
  if (status.has("paper_out")) throw stateFault("E306");
  if (status.has("memory_full")) throw stateFault("E300");
  if (status.has("clock_not_set")) throw clockNotSet();
}

class DocumentRun {
  readonly #device: ZfpDevice;
  readonly #plan: DocumentPlan;
  readonly #progress: CommandProgress;
  readonly #pauses: PauseKeeper;
  /** The account after the last frame that was carried out. */
  #done: Sums = NO_SUMS;
  /** The last receipt that was issued before ours, and the device's count of them. */
  #before = { number: 0, counter: 0 };
  #slip: number | null = null;
  /** An error after which nothing is in doubt: the document was cancelled, or is marked closed. */
  #settled: unknown;

  constructor(device: ZfpDevice, plan: DocumentPlan, progress: CommandProgress) {
    this.#device = device;
    this.#plan = plan;
    this.#progress = progress;
    this.#pauses = new PauseKeeper({
      environment: device.environment,
      progress,
      look: async () => {
        const { paper, cover } = await device.readState();
        if (paper === "out") return stateFault("E306");
        return cover === "open" ? stateFault("E307") : undefined;
      },
    });
  }

  async print(before: { number: number; counter: number }): Promise<PrintedDocument> {
    this.#before = before;
    try {
      await this.#open();
      for (const step of this.#plan.lines.slice(0, -1)) await this.#registerLine(step);
      for (const step of this.#plan.lines.slice(-1)) await this.#registerLast(step);
      await this.#verifySums();
      for (const step of this.#plan.payments) await this.#pay(step);
      return await this.#close();
    } catch (error) {
      // From the baseline on the outcome is open, whatever was lost or refused, until it is settled.
      if (error !== this.#settled && error instanceof FiscalError) throw new DocumentInDoubt(error);
      throw error;
    }
  }

  async #open(): Promise<void> {
    const { fault } = await this.#device.send("openReceipt", this.#plan.opening);
    const now = await readAccount(this.#device);
    if (fault && !(isPauseFault(fault) && now.open)) {
      // None was open before, so one that is open now is ours, whatever the answer says.
      if (now.open) await this.#cancel();
      this.#settle(fault);
    }
    if (!now.open) throw new FiscalError("E902", "The device opened no receipt");
    // Some devices may count up only when a receipt is closed.
    this.#slip = Math.max(now.number, this.#before.number + 1);
    await this.#progress
      .mark("opened", { ...this.#before, slip: this.#slip })
      .catch((refusal) => this.#giveUp(refusal));
    if (fault) await this.#pauseOrCancel(fault);
  }

  /** Registers a text, sale or adjustment: everything that can still be cancelled. */
  async #registerLine(step: Step): Promise<void> {
    for (;;) {
      const { fault } = await this.#device.send(step.name, step.data);
      if (!fault) break;
      if (!isPauseFault(fault)) return this.#refuse(fault);
      await this.#pauseOrCancel(fault);
      const now = await readAccount(this.#device);
      // Texts change no sum: rather a text twice than none.
      if (now.open && sameSums(now, this.#done)) continue;
      if (now.open && sameSums(now, step.after)) break;
      return this.#refuse(fault);
    }
    this.#done = step.after;
  }

  /**
   * The last line goes out while `committing` is being stored: the mark must be there before the
   * first payment.
   */
  async #registerLast(step: Step): Promise<void> {
    const refused = await markDuring(this.#progress, "committing", () => this.#registerLine(step));
    if (refused) await this.#giveUp(refused.refusal);
  }

  /** Payments are acknowledged without an amount, so the total is compared before the first. */
  async #verifySums(): Promise<void> {
    const now = await readAccount(this.#device);
    if (now.open && sameSums(now, this.#done)) return;
    await this.#cancel();
    const counted = formatMinor(now.amountMinor);
    const ours = formatMinor(this.#done.amountMinor);
    this.#settle(
      new FiscalError(
        "E305",
        `The device counts ${now.items} lines and ${counted}; the document has ` +
          `${this.#done.items} and ${ours}. It was cancelled`,
      ),
    );
  }

  async #pay(step: Step): Promise<void> {
    for (;;) {
      const { fault } = await this.#device.send(step.name, step.data);
      if (!fault) break;
      if (!isPauseFault(fault)) {
        if (this.#done.paidMinor > 0) throw new DocumentInDoubt(fault);
        return this.#refuse(fault);
      }
      await this.#pauseOrCancel(fault);
      const now = await readAccount(this.#device);
      if (now.open && sameSums(now, step.after)) break;
      if (!now.open || !sameSums(now, this.#done)) throw new DocumentInDoubt(fault);
    }
    this.#done = step.after;
  }

  async #close(): Promise<PrintedDocument> {
    for (;;) {
      const { fault } = await this.#device.send("closeReceipt");
      if (!fault) break;
      if (!isPauseFault(fault)) throw new DocumentInDoubt(fault);
      await this.#pauseOrCancel(fault);
      if ((await readAccount(this.#device)).open) continue;
      // Whoever loaded the paper may have ended the receipt otherwise: it must have been issued.
      if ((await readLastReceipt(this.#device)).number === this.#slip) break;
      throw new DocumentInDoubt(fault);
    }
    await this.#progress.mark("committed").catch((refusal: unknown) => this.#settle(refusal));
    const { number, issuedAt } = await readLastReceipt(this.#device);
    return { number, issuedAt };
  }

  /** The device refused: nothing stays behind, and the refusal is thrown. */
  async #refuse(fault: FiscalError): Promise<never> {
    await this.#cancel();
    this.#settle(fault);
  }

  /** A mark was refused: the command may not go on, and nothing stays behind. */
  async #giveUp(refusal: unknown): Promise<never> {
    await this.#cancel();
    this.#settle(refusal);
  }

  /** Ends the document with an error after which nothing is in doubt. */
  #settle(error: unknown): never {
    this.#settled = error;
    throw error;
  }

  /** Waits for a person to load paper or close the cover; gives up when the limit is over. */
  async #pauseOrCancel(fault: FiscalError): Promise<void> {
    const expired = await this.#pauses.wait(fault);
    if (!expired) return;
    if (this.#done.paidMinor > 0) throw new DocumentInDoubt(expired);
    await this.#cancel();
    this.#settle(expired);
  }

  /**
   * Cancels our document. Told to cancel a receipt that holds a payment, the device finishes it:
   * so that is looked at before, and what came of it afterwards.
   * @throws DocumentInDoubt when the document is not gone afterwards, or may have been issued
   */
  async #cancel(): Promise<void> {
    const doubt = (cause?: FiscalError) =>
      new DocumentInDoubt(cause ?? new FiscalError("E305", "The document cannot be cancelled"));
    const now = await readAccount(this.#device);
    if (now.open) {
      if (now.paymentStarted) throw doubt();
      const { fault } = await this.#device.send("cancelReceipt");
      if (fault && (await readAccount(this.#device)).open) throw doubt(fault);
    }
    if ((await readLastReceipt(this.#device)).number !== this.#before.number) throw doubt();
  }
}
