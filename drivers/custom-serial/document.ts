/**
 * Prints one fiscal document, once.
 *
 * What the device says of its last document is read and stored (`baseline`) before the first frame;
 * the first line opens a sale, so `opened` is stored before it, and with a storno after its opening
 * frame. Until the first payment everything can be cancelled, so `committing` is stored by then;
 * `committed` follows the answer to the closing frame, behind which the receipt is only cut off.
 * Whatever breaks after `baseline` leaves a stored mark that says which questions to ask the
 * device, and `resolve.ts` asks them.
 *
 * A line may be sent again once when the device was silent, and a device that lost its power would
 * then register it twice. Therefore its subtotal is compared before the first payment.
 */

import type { CommandProgress } from "#core/driver.ts";
import { DocumentInDoubt, FiscalError, isPauseFault } from "#core/errors.ts";
import { formatMinor } from "#core/money.ts";
import { markDuring } from "../shared/mark-during.ts";
import { PauseKeeper } from "../shared/pause.ts";
import { NO_SUMS, type Sums, sameSums } from "../shared/sums.ts";
import { type LastDocument, readAccount, readLastDocument, readZNumber } from "./account.ts";
import type { CustomDevice, Reply } from "./device.ts";
import type { DocumentPlan, Step } from "./plan.ts";
import { cancelReceipt, eject, settleOpenReceipt } from "./settle.ts";
import { type DeviceReading, pauseFault, requireReadiness } from "./status.ts";

/** What a printed document is known by. */
export interface PrintedDocument {
  /** Null when the device does not tell. */
  readonly number: number | null;
  /** The Z report that will close its day; null when the device does not tell. */
  readonly zNumber: number | null;
  /** UTC milliseconds; null when the device does not tell. */
  readonly issuedAt: number | null;
}

/** What is stored before anything is changed. */
export interface DocumentBaseline {
  /** Number of the last fiscal document; null when the device does not tell. */
  readonly number: number | null;
  /** All that the device said of its last document; null when it does not tell. */
  readonly trace: string | null;
  /** Number of the last Z report; null when the device does not tell. */
  readonly zNumber: number | null;
}

/** Documents that stand open before ours and are put away; a device has no more than one of each. */
const FOREIGN_DOCUMENTS_MAX = 3;
/** Answer of 7101: the original was found, and the storno may be made. */
const STORNO_FOUND = "1";

/**
 * Prints a planned document.
 * @throws FiscalError when nothing was printed
 * @throws DocumentInDoubt when the line failed after the baseline was stored, or nothing tells
 *   what became of the document
 */
export async function printDocument(
  device: CustomDevice,
  plan: DocumentPlan,
  progress: CommandProgress,
): Promise<PrintedDocument> {
  await clearTheWay(device);
  const before = await readLastDocument(device);
  const zNumber = await readZNumber(device);
  const baseline = { number: before?.number ?? null, trace: before?.trace ?? null, zNumber };
  await progress.mark("baseline", { ...baseline });
  return new DocumentRun(device, plan, progress).print(baseline);
}

/**
 * Reads the device and puts away what stands open on it, so that our document begins clean.
 * @throws FiscalError E300, E304 to E307 for what would make any document fail
 */
export async function clearTheWay(device: CustomDevice): Promise<void> {
  // One without answers cannot say what stands open: lines of a receipt that broke off would join
  // ours. Where nothing is open there is nothing to cancel.
  if (!device.confirms && device.can("cancel")) await cancelReceipt(device);
  for (let round = 0; round < FOREIGN_DOCUMENTS_MAX; round += 1) {
    const state: DeviceReading = await device.readState();
    requireReadiness(state);
    const { position } = state;
    if (position?.slipOpen) await device.ask("slipClose");
    else if (position?.fiscalOpen) await settleOpenReceipt(device, await readAccount(device));
    else if (position?.step === "closed") await eject(device);
    else return;
  }
  throw new FiscalError("E301", "A receipt stays open on the device: close it there");
}

class DocumentRun {
  readonly #device: CustomDevice;
  readonly #plan: DocumentPlan;
  readonly #progress: CommandProgress;
  readonly #pauses: PauseKeeper;
  /** The account after the last frame that was carried out. */
  #done: Sums = NO_SUMS;
  #baseline: DocumentBaseline = { number: null, trace: null, zNumber: null };
  /** An error after which nothing is in doubt: the document was cancelled, or is marked closed. */
  #settled: unknown;

  constructor(device: CustomDevice, plan: DocumentPlan, progress: CommandProgress) {
    this.#device = device;
    this.#plan = plan;
    this.#progress = progress;
    this.#pauses = new PauseKeeper({
      environment: device.environment,
      progress,
      look: async () => pauseFault(await device.readSensors()),
    });
  }

  async print(baseline: DocumentBaseline): Promise<PrintedDocument> {
    this.#baseline = baseline;
    try {
      await this.#open();
      for (const step of this.#plan.lines) await this.#register(step);
      await this.#verifySums();
      for (const step of this.#plan.payments) await this.#pay(step);
      return await this.#close();
    } catch (error) {
      // From the baseline on the outcome is open, whatever was lost or refused, until it is settled.
      const isOpen = error !== this.#settled && error instanceof FiscalError;
      throw isOpen ? new DocumentInDoubt(error) : error;
    }
  }

  async #open(): Promise<void> {
    const { opening } = this.#plan;
    if (opening) {
      const check = this.#device.can("stornoCheck");
      if (check) await this.#requireOriginal(await this.#device.send("stornoCheck", opening));
      await this.#requireOriginal(await this.#device.send("stornoOpen", opening));
    }
    await this.#progress.mark("opened").catch((refusal: unknown) => this.#giveUp(refusal));
  }

  /** An answer of "not found" may leave a document open all the same. */
  async #requireOriginal({ fault, fields }: Reply): Promise<void> {
    const flag = fields.get("flag");
    if (!fault && (!this.#device.confirms || flag === STORNO_FOUND)) return;
    await this.#cancel();
    if (this.#device.can("stornoReset")) await this.#device.send("stornoReset");
    const device = { code: flag ?? "", message: "7101" };
    this.#settle(
      fault ??
        new FiscalError(
          "E305",
          flag === "0"
            ? "The device does not know the original receipt"
            : "The device does not allow a storno of this receipt",
          { device },
        ),
    );
  }

  /** Registers a sale, adjustment or text: everything that can still be cancelled. */
  async #register(step: Step): Promise<void> {
    for (;;) {
      const { fault } = await this.#device.send(step.name, step.values);
      if (!fault) break;
      if (!isPauseFault(fault)) return this.#refuse(fault);
      await this.#pauseOrCancel(fault);
      const now = await readAccount(this.#device);
      // Texts and free articles change no sum: rather one of them twice than none.
      if (sameSums(now, this.#done)) continue;
      if (now.open && sameSums(now, step.after)) break;
      return this.#refuse(fault);
    }
    this.#done = step.after;
  }

  /** The subtotal is made and compared while `committing` is being stored. */
  async #verifySums(): Promise<void> {
    const refused = await markDuring(this.#progress, "committing", async () => {
      if (this.#device.can("subtotal")) {
        await this.#register({ name: "subtotal", values: {}, after: this.#done });
      }
      if (this.#device.can("account") && this.#device.confirms) await this.#compareTotal();
    });
    if (refused) await this.#giveUp(refused.refusal);
  }

  async #compareTotal(): Promise<void> {
    const now = await readAccount(this.#device);
    if (now.open && sameSums(now, this.#done)) return;
    await this.#cancel();
    const counted = formatMinor(now.amountMinor);
    const ours = formatMinor(this.#done.amountMinor);
    this.#settle(new FiscalError("E305", `The device counts ${counted}, not ${ours}; cancelled`));
  }

  async #pay(step: Step): Promise<void> {
    for (;;) {
      const { fault, fields } = await this.#device.send(step.name, step.values);
      if (!fault) {
        this.#compareRest(fields, step);
        break;
      }
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

  /** The device names what is left to pay. */
  #compareRest(fields: ReadonlyMap<string, string>, { after }: Step): void {
    const rest = fields.get("rest");
    if (rest === undefined) return;
    const restMinor = Number(rest) * (fields.get("sign") === "-" ? -1 : 1);
    const expected = after.amountMinor - after.paidMinor;
    if (restMinor - expected === 0) return;
    const message = `${formatMinor(restMinor)} is left to pay instead of ${formatMinor(expected)}`;
    throw new DocumentInDoubt(new FiscalError("E305", message));
  }

  async #close(): Promise<PrintedDocument> {
    while (this.#device.can("close")) {
      const { fault } = await this.#device.send("close");
      if (!fault) break;
      if (!isPauseFault(fault)) throw new DocumentInDoubt(fault);
      await this.#pauseOrCancel(fault);
      const now = await readAccount(this.#device);
      if (now.isClosed) break;
      // Whoever loaded the paper may have switched the device off and on: it is gone, not closed.
      if (!now.open) throw new DocumentInDoubt(fault);
    }
    if (!this.#device.confirms) {
      throw new DocumentInDoubt(new FiscalError("E501", "This device confirms nothing"));
    }
    await this.#progress.mark("committed").catch((refusal: unknown) => this.#settle(refusal));
    const refusal = await eject(this.#device);
    if (refusal) {
      // The receipt is closed; paper or cutter are for the next document to see to.
      this.#device.environment.log("warn", "the receipt was not cut off", { code: refusal.code });
    }
    return toPrinted(await readLastDocument(this.#device), this.#baseline);
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
   * Cancels our document.
   * @throws DocumentInDoubt when it is not gone afterwards, or may have been issued
   */
  async #cancel(): Promise<void> {
    const doubt = (cause?: FiscalError) =>
      new DocumentInDoubt(cause ?? new FiscalError("E305", "The document cannot be cancelled"));
    const now = await readAccount(this.#device);
    if (now.open) {
      if (now.isPaying) throw doubt();
      const fault = await cancelReceipt(this.#device);
      if (fault && (await readAccount(this.#device)).open) throw doubt(fault);
    }
    const last = await readLastDocument(this.#device);
    const isUntouched = (last?.trace ?? null) === this.#baseline.trace;
    // Some devices do not say that their last document was cancelled: then it was ours just now.
    const isCancelled = last?.cancelled ?? now.open;
    if (!isUntouched && !isCancelled) throw doubt();
  }
}

/** What the last document is known by, when it is ours. */
export function toPrinted(
  last: LastDocument | undefined,
  { zNumber }: DocumentBaseline,
): PrintedDocument {
  return {
    number: last?.number ?? null,
    zNumber: zNumber === null ? null : zNumber + 1,
    issuedAt: last?.issuedAt ?? null,
  };
}
