/**
 * What a device of the ISL family says at each point of a fiscal document; `printOnce` takes it
 * from one to the next.
 *
 * Lines may be sent again by the rules of an exchange. A device that lost power in between, or heard
 * another host, would carry the repeat out a second time, and others may put a receipt of theirs in
 * the place of ours: so the device's sums and number are compared with ours before each payment, and
 * the number in each answer that holds one. Payments and the closing frame go out once; where their
 * answer is lost, the device is asked.
 */

import type { Baseline } from "#core/command/marks.ts";
import type { CommandProgress } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { otherHands, stateFault, unlessUntold } from "../shared/device-fault.ts";
import { otherRest, otherSumsCounted } from "../shared/document-faults.ts";
import type {
  DocumentProtocol,
  Fate,
  FrameOutcome,
  OpeningOutcome,
} from "../shared/document-protocol.ts";
import { printOnce } from "../shared/document-run.ts";
import { isOursAlone, noteTheirs } from "../shared/put-away.ts";
import { type Sums, sameSums } from "../shared/sums.ts";
import type { Answer } from "./answer.ts";
import type { IslDevice } from "./device.ts";
import { DOUBTFUL_NUMBERS } from "./error-numbers.ts";
import { notePaper } from "./last-receipt.ts";
import type { DocumentPlan, Step } from "./plan.ts";
import { clearTheWay, closingRefusal } from "./put-away.ts";
import {
  type CurrentReceipt,
  doubtCounting,
  isOursOpen,
  knownWhileOpen,
  LINES_WAIT,
  learnCounting,
  type OwnNumber,
  ownNumberOf,
  readBack,
  readCurrentReceipt,
  readLastNumber,
  readWhileOpen,
  toldNumber,
  unopened,
  whyGone,
} from "./receipts.ts";
import { readZNumber } from "./z-number.ts";

/** What a printed document is known by. */
export interface PrintedDocument {
  /** Null where others have printed too, and the device has not told which one is ours. */
  readonly number: number | null;
}

/** Prints a planned document. @throws FiscalError @throws DocumentInDoubt as `printOnce` */
export function printDocument(
  device: IslDevice,
  plan: DocumentPlan,
  progress: CommandProgress,
): Promise<PrintedDocument> {
  return printOnce(new IslDocument(device, plan), progress);
}

class IslDocument implements DocumentProtocol<Step, PrintedDocument> {
  readonly firstLineOpens = false;
  /** The paper may run out while the frame is carried out. */
  readonly mayRefuseWhatItDid = true;
  readonly comparesSums = true;
  /** A cancelled document keeps its number. */
  readonly storesPayment = false;
  #own: OwnNumber = unopened(0);
  /** A frame that pays has gone out, whatever came of it. */
  #mayBePaid = false;
  /** The device's document number as last seen while ours was open. */
  #shownOpen = 0;
  /** What was found open in the place of ours. */
  #foreign: CurrentReceipt | undefined;

  constructor(
    readonly device: IslDevice,
    readonly plan: DocumentPlan,
  ) {}

  async begin(): Promise<Baseline> {
    const { number } = await clearTheWay(this.device);
    this.#own = { ...unopened(number), whileOpen: knownWhileOpen(this.device, number) };
    // It counts all papers: what somebody has printed since may be the Z report.
    await this.device.kept.refreshBehind(String(number), () => readZNumber(this.device));
    const waiting = this.#linesWait() ? { [LINES_WAIT]: true } : {};
    return { ...this.#own, ...waiting, zNumber: this.device.kept.zNumber };
  }

  /**
   * True until it was seen when a device counts that tells its number apart from its receipt. Where the
   * gateway is killed, the baseline alone does not tell ours from the next one then: so our lines wait
   * until what it shows while ours is open is on disk.
   */
  #linesWait(): boolean {
    return this.device.can("lastDocument") && this.#own.whileOpen === null;
  }

  async open(): Promise<OpeningOutcome> {
    const { action, values } = this.plan.open;
    const answer = await this.device.send(action, values);
    if (answer.fault) {
      // The device took the frame and then ran out of paper, or took it twice and refused the second.
      const isDoubtful = answer.resentInDoubt;
      const isSuspect = isDoubtful || this.device.shows("fiscal_receipt_open");
      const isOpen = async () => isSuspect && (await readCurrentReceipt(this.device)).open;
      return { refusal: answer.fault, isDoubtful, isOpen };
    }
    // The status bytes of this answer show whether it may go on.
    const outcome = this.#outcomeOf(answer);
    const { number } = this.#own;
    const isBaselineAwaited = this.#linesWait();
    this.#own =
      answer.optional("number") === undefined
        ? { number, ownNumber: null, whileOpen: await readWhileOpen(this.device, number) }
        : { number, ownNumber: answer.integer("number"), whileOpen: null };
    const over = isBaselineAwaited ? { [LINES_WAIT]: false } : {};
    return { ...outcome, isBaselineAwaited, baseline: { ...this.#own, ...over } };
  }

  async send(step: Step): Promise<FrameOutcome> {
    if (step.action === "payment") return this.#pay(step);
    const answer = await this.device.send(step.action, step.values);
    if (this.#isOfAnother(answer)) return { refusal: otherHands() };
    return this.#outcomeOf(answer);
  }

  /** True when the answer names a document that is not ours. */
  #isOfAnother(answer: Answer): boolean {
    const { ownNumber } = this.#own;
    if (answer.fault || ownNumber === null || answer.optional("number") === undefined) return false;
    return answer.integer("number") !== ownNumber;
  }

  /** The answer to the closing frame names the document, or the count before it still is ours. */
  async isOursPaid(): Promise<boolean> {
    if (this.#own.ownNumber !== null) return true;
    const number = await readLastNumber(this.device);
    return isOursOpen(this.#own, { open: true, number });
  }

  async #pay(payment: Step): Promise<FrameOutcome> {
    this.#mayBePaid = true;
    const answer = await this.device.sendOnce(payment.action, payment.values);
    if (answer instanceof FiscalError) return { refusal: answer, isLost: true };
    if (!answer.fault) this.#checkRest(answer, payment.after);
    return { ...this.#outcomeOf(answer), isDoubtful: isOfThePinpad(answer.fault) };
  }

  /**
   * Compares what the device says is still to be paid with what we expect. Our tenders add up to the
   * total: change says that the document is worth something else by now.
   */
  #checkRest(answer: Answer, { paidMinor }: Sums): void {
    const amount = answer.minor("amount");
    const told = answer.text("outcome") === "D" ? amount : 0 - amount;
    const rest = this.plan.paid.amountMinor - paidMinor;
    if (told !== rest) throw otherRest(told, rest);
  }

  async close(): Promise<FrameOutcome> {
    const answer = await this.device.sendOnce("close");
    if (answer instanceof FiscalError) return { refusal: answer, isLost: true };
    if (this.#isOfAnother(answer)) return { refusal: otherHands(), isDoubtful: true };
    const refusal = closingRefusal(answer);
    return { refusal, isLost: refusal !== answer.fault };
  }

  async readClosing(): Promise<Fate> {
    const now = await readCurrentReceipt(this.device);
    if (now.open) return isOursOpen(this.#own, now) ? "not_carried_out" : "unclear";
    // Whoever loaded the paper may have ended the document otherwise: it must have been paid.
    const isOurs = now.number === ownNumberOf(this.#own);
    return isOurs && sameSums(now, this.plan.paid) ? "carried_out" : "unclear";
  }

  async readPrinted(): Promise<PrintedDocument> {
    return { number: await this.#readNumber() };
  }

  /** Ours took one number: when that is all the device has counted since, it is the last one. */
  async #readNumber(): Promise<number | null> {
    if (this.#own.ownNumber !== null) return this.#own.ownNumber;
    const last = await readLastNumber(this.device);
    learnCounting(this.device, this.#own, { open: this.#shownOpen, closed: last });
    return last === ownNumberOf(this.#own) ? last : null;
  }

  async readCurrentReceipt(): Promise<CurrentReceipt> {
    const now = await readCurrentReceipt(this.device);
    const isOurs = isOursOpen(this.#own, now);
    if (isOurs) this.#shownOpen = now.number;
    if (now.open && !isOurs) {
      this.#foreign = now;
      doubtCounting(this.device);
    }
    return { ...now, open: isOurs };
  }

  async readPause(): Promise<FiscalError | undefined> {
    await this.device.send("status");
    return this.#shownPause();
  }

  sumsDiffer(now: Sums, ours: Sums): FiscalError {
    return this.#foreign ? otherHands() : otherSumsCounted(now, ours);
  }

  async cancel(ours: readonly Sums[]): Promise<void> {
    const theirs = await this.#readTheirs(ours);
    const { fault } = await this.device.send("cancel");
    if (!fault && theirs) {
      noteTheirs(this.device.environment, theirs, toldNumber(this.device, theirs));
    }
    // What was cancelled may have been somebody else's, and a device that has cancelled ours by
    // itself, at power-on for example, refuses to do it again.
    const mayBePaid = this.#mayBePaid && fault !== undefined;
    const now = await readBack(this.device, this.#own, mayBePaid);
    if (whyGone(this.#own, now, mayBePaid) === undefined) throw fault ?? otherHands();
    notePaper(this.device, now.number);
  }

  /** What is open, where others have rung it up, or a part of it, as far as the device tells. */
  async #readTheirs(ours: readonly Sums[]): Promise<CurrentReceipt | undefined> {
    if (this.#foreign) return this.#foreign;
    const now = await unlessUntold(this.readCurrentReceipt());
    return this.#foreign ?? (now?.open && !isOursAlone(now, ours) ? now : undefined);
  }

  #outcomeOf(answer: Answer): FrameOutcome {
    return {
      refusal: answer.fault,
      pause: answer.fault ? undefined : this.#shownPause(),
    };
  }

  /** What the last answer's status bytes show that stops a document. */
  #shownPause(): FiscalError | undefined {
    if (this.device.shows("paper_out")) return stateFault("E306");
    return this.device.shows("cover_open") ? stateFault("E307") : undefined;
  }
}

/** Refusals after which nobody knows whether the card was charged. */
function isOfThePinpad(fault: FiscalError | undefined): boolean {
  return fault?.device !== undefined && DOUBTFUL_NUMBERS.has(fault.device.code);
}
