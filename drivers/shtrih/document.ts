/**
 * What a Shtrih-M device says at each point of a fiscal document; `printOnce` takes it from one to
 * the next.
 *
 * One frame pays, closes and prints, and everything before it can be cancelled. No frame of a
 * document is sent again in doubt, so nothing is ever registered twice. The refusal of a line is
 * definite, as the document is cancelled then; of the opening and the closing frame the device is
 * asked what it has done. A printer that still prints, or had to be told to go on, is given a line again
 * at once, but the closing only behind another look at what is open: it pays.
 */

import type { Baseline } from "#core/command/marks.ts";
import type { CommandProgress } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { BusyWait, DeviceBusy } from "../shared/busy.ts";
import { otherHands, unlessUntold } from "../shared/device-fault.ts";
import type {
  DocumentProtocol,
  Fate,
  FrameOutcome,
  OpeningOutcome,
} from "../shared/document-protocol.ts";
import { printOnce } from "../shared/document-run.ts";
import { isOursAlone } from "../shared/put-away.ts";
import { type CountedReceipt, NO_SUMS, type Sums } from "../shared/sums.ts";
import {
  type Counters,
  countedBetween,
  isNext,
  isNoneCancelled,
  isOneCancelled,
  isOnlyReceipt,
  readCancelled,
  readCounters,
  readNumberBehind,
  readTaken,
  type Taken,
} from "./counters.ts";
import { isUnsupported, type Reply, type ShtrihDevice } from "./device.ts";
import { FieldReader } from "./fields.ts";
import type { DocumentPlan, Frame, Step } from "./plan.ts";
import { cancelReceipt, clearTheWay, noteCancelled, requireFiscalReadiness } from "./put-away.ts";
import { proceed } from "./read-status.ts";
import { type FullState, isFiscalReceiptOpen } from "./status.ts";

/** What a printed document is known by. */
export interface PrintedDocument {
  /**
   * Its number among all documents of the device; null where others have printed too, and the
   * device does not tell which one is ours.
   */
  readonly document: number | null;
  /** Its number among the receipts of its kind, where the other one is known. */
  readonly receipt: number | null;
  /** UTC milliseconds by the device's clock; null when it shows none. */
  readonly issuedAt: number | null;
}

/** What is stored before anything is changed. */
export interface DocumentBaseline extends Pick<Counters, "document" | "receipt" | "cancelled"> {
  readonly taken: Taken;
}

/** Prints a planned document. @throws FiscalError @throws DocumentInDoubt as `printOnce` */
export function printDocument(
  device: ShtrihDevice,
  plan: DocumentPlan,
  progress: CommandProgress,
): Promise<PrintedDocument> {
  return printOnce(new ShtrihDocument(device, plan), progress);
}

class ShtrihDocument implements DocumentProtocol<Step, PrintedDocument> {
  readonly firstLineOpens = false;
  readonly mayRefuseWhatItDid = false;
  readonly comparesSums = true;
  readonly storesPayment = false;
  #before: DocumentBaseline = NO_COUNTS;
  /** Read when the document was closed. */
  #closed: FullState | undefined;
  /** Something was cancelled meanwhile: what is open is somebody else's. */
  #isForeign = false;

  constructor(
    readonly device: ShtrihDevice,
    readonly plan: DocumentPlan,
  ) {}

  async begin(): Promise<Baseline> {
    const state = await clearTheWay(this.device);
    requireFiscalReadiness(state);
    const before = await readCounters(this.device, this.plan.kind, state);
    const { document, receipt, cancelled } = before;
    const taken = await readTaken(this.device, this.plan.kind);
    this.#before = { document, receipt, cancelled, taken };
    return { ...this.#before, zNumber: state.lastClosedDay };
  }

  async open(): Promise<OpeningOutcome> {
    const reply = await this.#send(this.plan.open);
    // Models of before this command open the receipt with its first item.
    if (isUnsupported(reply)) return { refusal: undefined };
    const { fault: refusal } = reply;
    if (!refusal) return { refusal, baseline: { ...this.#before, isOpen: true } };
    const isOpen = async () => isFiscalReceiptOpen(await this.device.settledState());
    return { refusal, isOpen };
  }

  async send(line: Step): Promise<FrameOutcome> {
    return { refusal: (await this.#send(line)).fault };
  }

  async close(): Promise<FrameOutcome> {
    const { request, parameters } = this.plan.close;
    const { fault, data } = await this.device.offer(request, parameters, this.plan.password);
    if (fault instanceof DeviceBusy) return { refusal: fault };
    if (fault) return { refusal: fault, isDoubtful: !(await this.#isUnfinished()) };
    this.#closed = await this.device.fullState();
    const isOurs = changeOf(data) === 0 && (await this.#isOursClosed(this.#closed));
    return isOurs ? { refusal: undefined } : { refusal: otherHands(), isDoubtful: true };
  }

  /** True when no receipt of our kind was finished since the baseline. */
  async #isUnfinished(): Promise<boolean> {
    return (await this.#readCounters()).receipt === this.#before.receipt;
  }

  /**
   * Whoever put a receipt in the place of ours has cancelled that. A document after ours says
   * nothing yet.
   */
  async #isOursClosed({ document }: FullState): Promise<boolean> {
    if (isNext(this.#before.document, document)) return true;
    return isNoneCancelled(this.#before, { cancelled: await readCancelled(this.device) });
  }

  /** Payment and closing are one frame. */
  async isOursPaid(): Promise<boolean> {
    return true;
  }

  async readClosing(): Promise<Fate> {
    const now = await this.#readCounters();
    if (now.open) {
      // Whoever finished ours may have opened one of theirs since.
      const isOurs = now.receipt === this.#before.receipt && isNoneCancelled(this.#before, now);
      return isOurs ? "not_carried_out" : "unclear";
    }
    if (!isOnlyReceipt(this.#before, now)) return "unclear";
    // Whoever loaded the paper may have ended the document otherwise.
    const { kind, amounts, totalMinor } = this.plan;
    const taken = await readTaken(this.device, kind);
    const { amountMinor, paidMinor } = countedBetween(this.#before.taken, taken, amounts);
    if (amountMinor !== totalMinor || paidMinor !== totalMinor) return "unclear";
    this.#closed = now.state;
    return "carried_out";
  }

  async readPrinted(): Promise<PrintedDocument> {
    const state = this.#closed ?? (await this.device.fullState());
    const isLast = isNext(this.#before.document, state.document);
    return {
      document: isLast ? state.document : null,
      receipt: isLast ? await this.#readReceiptNumber() : null,
      issuedAt: this.device.instantOf(state) ?? null,
    };
  }

  #readReceiptNumber(): Promise<number> {
    return readNumberBehind(this.device, this.plan.kind, this.#before.receipt);
  }

  async readCurrentReceipt(): Promise<CountedReceipt> {
    const { fault, data } = await this.device.send("subtotal", undefined, this.plan.password);
    // Last, because only the closing frame may come behind it. A model that does not count what is
    // cancelled shows the amount alone.
    const cancelled = await readCancelled(this.device);
    this.#isForeign = isOneCancelled(this.#before, { cancelled });
    if (this.#isForeign) return { ...NO_SUMS, open: false };
    if (fault) throw fault;
    const subtotal = new FieldReader(data);
    subtotal.bytes(1);
    return { ...NO_SUMS, open: true, amountMinor: subtotal.uint(5) };
  }

  #readCounters(): Promise<Counters> {
    return readCounters(this.device, this.plan.kind);
  }

  /** What keeps the printer from going on; one that waits to be told to go on is told. */
  async readPause(): Promise<FiscalError | undefined> {
    const state = await this.device.printerState();
    const fault = this.device.printFault(state);
    if (!fault) await proceed(this.device, state);
    return fault;
  }

  sumsDiffer(): FiscalError {
    if (this.#isForeign) return otherHands();
    return new FiscalError("E305", "The device adds up another total; cancelled");
  }

  async cancel(ours: readonly Sums[]): Promise<void> {
    const busy = new BusyWait(this.device.environment);
    let refusal: DeviceBusy | undefined;
    do {
      const isOurs = await this.#isOursAlone(ours);
      const done = await cancelReceipt(this.device, this.plan.password);
      refusal = done instanceof DeviceBusy ? done : undefined;
      if (done === "cancelled" && !isOurs) await noteCancelled(this.device);
    } while (await busy.passed(refusal));
    if (refusal) throw refusal;
    if (await this.#isUnfinished()) return;
    throw new FiscalError("E305", "A receipt was finished on the device meanwhile");
  }

  /** False where others have rung up what is open, or a part of it, as far as the device tells. */
  async #isOursAlone(ours: readonly Sums[]): Promise<boolean> {
    const now = await unlessUntold(this.readCurrentReceipt());
    return !this.#isForeign && (now === undefined || isOursAlone(now, ours));
  }

  #send({ request, parameters }: Frame): Promise<Reply> {
    return this.device.send(request, parameters, this.plan.password);
  }
}

const NO_COUNTS = { document: 0, receipt: 0, cancelled: 0, taken: [] } as const;

/** The change in the answer to the closing frame, after the operator's number. */
function changeOf(closing: Uint8Array): number {
  return closing.slice(1, 6).reduceRight((value, byte) => value * 256 + byte, 0);
}
