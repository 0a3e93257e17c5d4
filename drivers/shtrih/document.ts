/**
 * What a Shtrih-M device says at each point of a fiscal document; `printOnce` takes it from one to
 * the next.
 *
 * One frame pays, closes and prints, and everything before it can be cancelled. No frame of a
 * document is sent again in doubt, so nothing is ever registered twice, and each refusal is
 * definite.
 */

import type { Baseline } from "#core/command/marks.ts";
import type { CommandProgress } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import {
  type DocumentProtocol,
  type Fate,
  type FrameOutcome,
  printOnce,
} from "../shared/document-run.ts";
import { type CountedReceipt, NO_SUMS } from "../shared/sums.ts";
import { readCounters } from "./counters.ts";
import { isUnsupported, type Reply, type ShtrihDevice } from "./device.ts";
import type { DocumentPlan, Frame, Step } from "./plan.ts";
import { cancelReceipt, clearTheWay, requireFiscalReadiness } from "./put-away.ts";
import { SUBMODE } from "./status.ts";

/** What a printed document is known by. */
export interface PrintedDocument {
  /** Its number among all documents of the device. */
  readonly document: number;
  /** Its number among the receipts of its kind. */
  readonly receipt: number;
  /** What the device says is given back, in minor units. */
  readonly changeMinor: number;
  /** UTC milliseconds by the device's clock; null when it shows none. */
  readonly issuedAt: number | null;
}

/** The receipt was closed before: by whom is for the counters to say. */
const ALREADY_CLOSED = "55h";

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
  readonly comparesSums = "always";
  /** Running number of the last receipt of our kind before ours. */
  #receiptBefore = 0;
  #changeMinor = 0;

  constructor(
    readonly device: ShtrihDevice,
    readonly plan: DocumentPlan,
  ) {}

  async begin(): Promise<Baseline> {
    const state = await clearTheWay(this.device);
    requireFiscalReadiness(state);
    const before = await readCounters(this.device, this.plan.kind, state);
    const { document, receipt, cancelled } = before;
    this.#receiptBefore = receipt;
    return { document, receipt, cancelled };
  }

  async open(): Promise<FrameOutcome> {
    const reply = await this.#send(this.plan.open);
    // Models of before this command open the receipt with its first item.
    return { refusal: isUnsupported(reply) ? undefined : reply.fault };
  }

  async send(line: Step): Promise<FrameOutcome> {
    return { refusal: (await this.#send(line)).fault };
  }

  async close(): Promise<FrameOutcome> {
    const { fault, data } = await this.#send(this.plan.close);
    if (!fault) this.#changeMinor = changeOf(data);
    return { refusal: fault, isDoubtful: fault?.device?.code === ALREADY_CLOSED };
  }

  async readClosing(): Promise<Fate> {
    return "not_carried_out";
  }

  async readPrinted(): Promise<PrintedDocument> {
    const state = await this.device.fullState();
    return {
      document: state.document,
      receipt: this.#receiptBefore + 1,
      changeMinor: this.#changeMinor,
      issuedAt: this.device.instantOf(state) ?? null,
    };
  }

  async readCurrentReceipt(): Promise<CountedReceipt> {
    const subtotal = await this.device.ask("subtotal", undefined, this.plan.password);
    subtotal.bytes(1);
    return { ...NO_SUMS, open: true, amountMinor: subtotal.uint(5) };
  }

  /** What keeps the printer from going on; one that waits to be told to go on is told. */
  async readPause(): Promise<FiscalError | undefined> {
    const state = await this.device.printerState();
    const fault = this.device.printFault(state);
    if (!fault && state.submode === SUBMODE.waitsForContinue) await this.device.send("proceed");
    return fault;
  }

  sumsDiffer(): FiscalError {
    return new FiscalError("E305", "The device adds up another total; cancelled");
  }

  cancel(): Promise<void> {
    return cancelReceipt(this.device, this.plan.password);
  }

  #send({ request, parameters }: Frame): Promise<Reply> {
    return this.device.send(request, parameters, this.plan.password);
  }
}

/** The change in the answer to the closing frame, after the operator's number. */
function changeOf(closing: Uint8Array): number {
  return closing.slice(1, 6).reduceRight((value, byte) => value * 256 + byte, 0);
}
