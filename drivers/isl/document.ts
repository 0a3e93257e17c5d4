/**
 * What a device of the ISL family says at each point of a fiscal document; `printOnce` takes it
 * from one to the next.
 *
 * Frames may be sent again by the rules of an exchange. A device that lost power in between would
 * carry the repeat out a second time, so after any such repeat its sums are compared with ours
 * before the first payment; payments that are not the last one are never sent again after silence.
 */

import type { Baseline } from "#core/command/marks.ts";
import type { CommandProgress } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { stateFault } from "../shared/device-fault.ts";
import {
  type DocumentProtocol,
  type Fate,
  type FrameOutcome,
  type OpeningOutcome,
  printOnce,
} from "../shared/document-run.ts";
import { sameSums } from "../shared/sums.ts";
import type { Answer } from "./answer.ts";
import type { IslDevice } from "./device.ts";
import { DOUBTFUL_NUMBERS } from "./error-numbers.ts";
import type { DocumentPlan, Step } from "./plan.ts";
import { clearTheWay } from "./put-away.ts";
import { type CurrentReceipt, readCurrentReceipt } from "./receipts.ts";

/** What a printed document is known by. */
export interface PrintedDocument {
  readonly number: number;
  /** What the device says is given back, in minor units. */
  readonly changeMinor: number;
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
  /** A receipt without any trouble takes no frame more than it has parts. */
  readonly comparesSums = "after_repeat";
  #numberBefore = 0;
  /** Our document's own number, where the device tells it when it is opened. */
  #ownNumber: number | null = null;
  #changeMinor = 0;
  /** The answer to the closing frame, once that was carried out. */
  #closing: Answer | undefined;

  constructor(
    readonly device: IslDevice,
    readonly plan: DocumentPlan,
  ) {}

  async begin(): Promise<Baseline> {
    this.#numberBefore = (await clearTheWay(this.device)).number;
    return this.#baseline();
  }

  #baseline(): Baseline {
    return { number: this.#numberBefore, ownNumber: this.#ownNumber };
  }

  async open(): Promise<OpeningOutcome> {
    const { action, values } = this.plan.open;
    const answer = await this.device.send(action, values);
    if (answer.fault) {
      // It may be open all the same: the device took the frame and then ran out of paper, or took
      // it twice and refused the second.
      const isSuspect = answer.resentInDoubt || this.device.shows("fiscal_receipt_open");
      const isOpen = isSuspect && (await readCurrentReceipt(this.device)).open;
      return { refusal: answer.fault, isOpen };
    }
    if (answer.optional("number") !== undefined) this.#ownNumber = answer.integer("number");
    return { ...this.#outcomeOf(answer), baseline: this.#baseline() };
  }

  async send(step: Step): Promise<FrameOutcome> {
    if (step.action === "payment") return this.#pay(step);
    return this.#outcomeOf(await this.device.send(step.action, step.values));
  }

  async #pay(payment: Step): Promise<FrameOutcome> {
    const isLast = payment === this.plan.payments.at(-1);
    const resend = isLast ? "always" : "unless_silent";
    const answer = await this.device.send(payment.action, payment.values, resend);
    if (!answer.fault) this.#checkRest(answer, payment, isLast);
    const isDoubtful = answer.resentInDoubt || isOfThePinpad(answer.fault);
    return { ...this.#outcomeOf(answer), isDoubtful };
  }

  /** Compares what the device says is still to be paid with what we expect. */
  #checkRest(answer: Answer, step: Step, isLast: boolean): void {
    const told = answer.minor("amount");
    const isRest = answer.text("outcome") === "D";
    const rest = this.plan.paid.amountMinor - step.after.paidMinor;
    if (isLast && !isRest) this.#changeMinor = told;
    if ((isRest ? told : 0) === rest) return;
    throw new FiscalError("E902", "The device counts another rest to pay than the document has");
  }

  async close(): Promise<FrameOutcome> {
    const answer = await this.device.send("close");
    if (!answer.fault) this.#closing = answer;
    return { refusal: answer.fault };
  }

  async readClosing(): Promise<Fate> {
    const now = await readCurrentReceipt(this.device);
    if (now.open) return "not_carried_out";
    // Whoever loaded the paper may have ended the document otherwise: it must have been paid.
    return sameSums(now, this.plan.paid) ? "carried_out" : "unclear";
  }

  async readPrinted(): Promise<PrintedDocument> {
    this.device.day = { open: true, closeRequired: this.device.day.closeRequired };
    const told = this.#closing?.optional("number");
    const isNumber = told !== undefined && /^\d{1,15}$/.test(told);
    const number = this.#ownNumber ?? (isNumber ? Number(told) : undefined);
    return {
      number: number ?? (await this.device.ask("lastDocument")).integer("number"),
      changeMinor: this.#changeMinor,
    };
  }

  readCurrentReceipt(): Promise<CurrentReceipt> {
    return readCurrentReceipt(this.device);
  }

  async readPause(): Promise<FiscalError | undefined> {
    await this.device.send("status");
    return this.#shownPause();
  }

  sumsDiffer(): FiscalError {
    const message =
      "The device lost its memory of the last frame; the document was cancelled, not printed";
    return new FiscalError("E102", message);
  }

  async cancel(): Promise<void> {
    const { fault } = await this.device.send("cancel");
    if (!fault) return;
    // A device that has cancelled it by itself, at power-on for example, refuses to do it again.
    const now = await readCurrentReceipt(this.device);
    if (now.open || now.paidMinor > 0) throw fault;
  }

  #outcomeOf(answer: Answer): FrameOutcome {
    return {
      refusal: answer.fault,
      wasRepeated: answer.resentInDoubt,
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
