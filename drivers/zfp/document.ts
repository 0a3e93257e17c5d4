/**
 * What a device of the ZFP family says at each point of a fiscal document; `printOnce` takes it
 * from one to the next.
 *
 * No frame that changes the device is sent twice. An error of the device itself, such as no paper,
 * may stand in the answer to a frame that was carried out, so what the device counts decides that.
 */

import type { Baseline } from "#core/command/marks.ts";
import type { CommandProgress } from "#core/driver.ts";
import { FiscalError, isPauseFault } from "#core/errors.ts";
import { otherHands, stateFault } from "../shared/device-fault.ts";
import { otherSumsCounted } from "../shared/document-faults.ts";
import type {
  DocumentProtocol,
  Fate,
  FrameOutcome,
  OpeningOutcome,
} from "../shared/document-protocol.ts";
import { printOnce } from "../shared/document-run.ts";
import { isOursAlone, noteTheirs } from "../shared/put-away.ts";
import { type Sums, sameSums } from "../shared/sums.ts";
import type { ZfpDevice } from "./device.ts";
import type { DocumentPlan, Step } from "./plan.ts";
import { cancelReceipt, clearTheWay } from "./put-away.ts";
import {
  type CurrentReceipt,
  isOursOpen,
  papersShown,
  readCounter,
  readCurrentReceipt,
  readLastReceipt,
  readOpenReceipt,
  toldNumber,
} from "./receipts.ts";
import { readZNumber } from "./z-number.ts";

/** What a printed document is known by. */
export interface PrintedDocument {
  /** Null where others have printed too, and the device has not told which one is ours. */
  readonly number: number | null;
  /** UTC milliseconds; null when the device does not tell. */
  readonly issuedAt: number | null;
}

/** Prints a planned document. @throws FiscalError @throws DocumentInDoubt as `printOnce` */
export function printDocument(
  device: ZfpDevice,
  plan: DocumentPlan,
  progress: CommandProgress,
): Promise<PrintedDocument> {
  return printOnce(new ZfpDocument(device, plan), progress);
}

class ZfpDocument implements DocumentProtocol<Step, PrintedDocument> {
  readonly firstLineOpens = false;
  readonly mayRefuseWhatItDid = true;
  readonly comparesSums = true;
  /** The next receipt may get the number of one that was annulled. */
  readonly storesPayment = true;
  /** The last receipt that was issued before ours, and the device's count of them. */
  #before = { number: 0, counter: 0 };
  /** What it showed of its papers then. */
  #papers = "";
  /** Our document's own number, once it is opened. */
  #ownNumber: number | null = null;
  /** The number that the device showed in ours as it was opened. */
  #shown = 0;
  /** What is open has another number than ours. */
  #isForeign = false;

  constructor(
    readonly device: ZfpDevice,
    readonly plan: DocumentPlan,
  ) {}

  async begin(): Promise<Baseline> {
    const status = await clearTheWay(this.device);
    const { number } = await readLastReceipt(this.device);
    const counter = await readCounter(this.device);
    this.#before = { number, counter };
    this.#papers = papersShown(counter, status.has("day_open"));
    await this.device.kept.refreshBehind(this.#papers, () => readZNumber(this.device));
    return { ...this.#baseline(), zNumber: this.device.kept.zNumber };
  }

  #baseline(): Baseline {
    return { ...this.#before, ownNumber: this.#ownNumber };
  }

  async open(): Promise<OpeningOutcome> {
    const { fault } = await this.device.send("openReceipt", this.plan.opening);
    const { open, number } = await readCurrentReceipt(this.device);
    if (fault && !(isPauseFault(fault) && open)) {
      return { refusal: fault, isOpen: async () => open };
    }
    if (!open) throw new FiscalError("E902", "The device opened no receipt");
    this.#shown = number;
    await this.#lookBehindOpening();
    // Some devices may count up only when a receipt is closed.
    this.#ownNumber = Math.max(number, this.#before.number + 1);
    return { refusal: undefined, baseline: this.#baseline(), pause: fault };
  }

  /**
   * A device that counts receipts as they are closed shows in ours the number of what others have sold
   * since the baseline, as one that counts as they are opened shows ours. One that was seen to do that is
   * not asked again.
   */
  async #lookBehindOpening(): Promise<void> {
    if (this.device.countsAtOpening || this.#shown <= this.#before.number) return;
    const { number, isTold } = await readLastReceipt(this.device);
    if (!isTold) return;
    if (number < this.#shown) this.device.countsAtOpening = true;
    else this.#before = { number, counter: await readCounter(this.device) };
  }

  async send({ name, data }: Step): Promise<FrameOutcome> {
    return { refusal: (await this.device.send(name, data)).fault };
  }

  /** Payments are acknowledged without an amount. */
  async isOursPaid(): Promise<boolean> {
    const now = await readOpenReceipt(this.device);
    const { paid } = this.plan;
    return this.#isOurs(now) && sameSums({ ...now, paidMinor: paid.paidMinor }, paid);
  }

  #isOurs(now: Pick<CurrentReceipt, "open" | "number">): boolean {
    return isOursOpen({ number: this.#before.number, ownNumber: this.#ownNumber }, now);
  }

  async close(): Promise<FrameOutcome> {
    return { refusal: (await this.device.send("closeReceipt")).fault };
  }

  async readClosing(): Promise<Fate> {
    const now = await readCurrentReceipt(this.device);
    if (now.open) return this.#isOurs(now) ? "not_carried_out" : "unclear";
    // Whoever loaded the paper may have ended the receipt otherwise: it must have been issued.
    const isIssued = (await readLastReceipt(this.device)).number === this.#ownNumber;
    return isIssued ? "carried_out" : "unclear";
  }

  async readPrinted(): Promise<PrintedDocument> {
    const { number, issuedAt } = await readLastReceipt(this.device);
    if (number !== this.#ownNumber) return { number: null, issuedAt: null };
    if (number === this.#shown) this.device.countsAtOpening = true;
    // Some count other papers in the same row, and show that with the next receipt.
    const counter = this.#before.counter + number - this.#before.number;
    const after = papersShown(counter, true);
    this.device.kept.notePaper({ before: this.#papers, after });
    return { number, issuedAt };
  }

  async readCurrentReceipt(): Promise<CurrentReceipt> {
    const now = await readCurrentReceipt(this.device);
    this.#isForeign = now.open && !this.#isOurs(now);
    return { ...now, open: this.#isOurs(now) };
  }

  async readPause(): Promise<FiscalError | undefined> {
    const { paper, cover } = await this.device.readState();
    if (paper === "out") return stateFault("E306");
    return cover === "open" ? stateFault("E307") : undefined;
  }

  sumsDiffer(now: Sums, ours: Sums): FiscalError {
    return this.#isForeign ? otherHands() : otherSumsCounted(now, ours);
  }

  /**
   * Told to cancel a receipt that holds a payment, the device finishes it: so that is looked at
   * before, and what came of it afterwards.
   */
  async cancel(ours: readonly Sums[]): Promise<void> {
    const impossible = new FiscalError("E305", "The document cannot be cancelled");
    const now = await readCurrentReceipt(this.device);
    if (now.open && now.paymentStarted) throw impossible;
    // A count in which cancelled ones may be moves with ours: it has to stand still before that.
    const last = await readLastReceipt(this.device);
    if (last.number !== this.#before.number) throw impossible;
    if (!now.open) return;
    const done = await cancelReceipt(this.device, last);
    if (done === "cancelled") {
      // With the opening refused its number is not known, and what was opened then is ours.
      const isOurs = (this.#ownNumber === null || this.#isOurs(now)) && isOursAlone(now, ours);
      if (!isOurs) noteTheirs(this.device.environment, now, toldNumber(now, last));
      return;
    }
    if (done === "finished") throw impossible;
    if ((await readCurrentReceipt(this.device)).open) throw done;
    const { number } = await readLastReceipt(this.device);
    if (number !== this.#before.number) throw impossible;
  }
}
