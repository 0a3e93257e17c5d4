/**
 * Prints one fiscal document, once.
 *
 * The device's account is read and stored (`baseline`) before the first frame; `opened` is stored
 * before the first line. Everything up to the closing frame can be cancelled, and that one frame
 * pays, closes and prints: `committing` is stored before it, `committed` after its answer. No frame
 * of a document is sent again in doubt, so nothing is ever registered twice; what broke off is
 * found out by `resolve.ts`.
 */

import type { CommandProgress } from "#core/driver.ts";
import { DocumentInDoubt, FiscalError, isPauseFault } from "#core/errors.ts";
import { markDuring } from "../shared/mark-during.ts";
import { PauseKeeper } from "../shared/pause.ts";
import {
  type Account,
  cancelReceipt,
  clearTheWay,
  readAccount,
  requireFiscalReadiness,
} from "./account.ts";
import { isUnsupported, type ShtrihDevice } from "./device.ts";
import type { DocumentPlan, Step } from "./plan.ts";
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

/**
 * Prints a planned document.
 * @throws FiscalError when nothing was printed
 * @throws DocumentInDoubt when the line failed after the baseline was stored
 */
export async function printDocument(
  device: ShtrihDevice,
  plan: DocumentPlan,
  progress: CommandProgress,
): Promise<PrintedDocument> {
  const state = await clearTheWay(device);
  requireFiscalReadiness(state);
  const before = await readAccount(device, plan.kind, state);
  const { document, receipt, cancelled } = before;
  await progress.mark("baseline", { document, receipt, cancelled });
  return new DocumentRun(device, plan, progress).print(before);
}

class DocumentRun {
  readonly #device: ShtrihDevice;
  readonly #plan: DocumentPlan;
  readonly #progress: CommandProgress;
  readonly #pauses: PauseKeeper;
  /** An error after which nothing is in doubt: the document was cancelled, or is marked closed. */
  #settled: unknown;

  constructor(device: ShtrihDevice, plan: DocumentPlan, progress: CommandProgress) {
    this.#device = device;
    this.#plan = plan;
    this.#progress = progress;
    this.#pauses = new PauseKeeper({
      environment: device.environment,
      progress,
      look: () => lookAtPrinter(device),
    });
  }

  async print(before: Account): Promise<PrintedDocument> {
    try {
      await this.#open();
      for (const step of this.#plan.lines) await this.#register(step);
      await this.#checkTotal();
      return await this.#close(before);
    } catch (error) {
      // From the baseline on the outcome is open, whatever was lost or refused, until it is settled.
      if (error !== this.#settled && error instanceof FiscalError) throw new DocumentInDoubt(error);
      throw error;
    }
  }

  async #open(): Promise<void> {
    const reply = await this.#send(this.#plan.open);
    // Models of before this command open the receipt with its first item.
    if (reply.fault && !isUnsupported(reply)) this.#settle(reply.fault);
    await this.#progress.mark("opened").catch((refusal) => this.#giveUp(refusal));
  }

  /** Registers a text or an item. A refusal is definite, so after a pause it is simply repeated. */
  async #register(step: Step): Promise<void> {
    for (;;) {
      const { fault } = await this.#send(step);
      if (!fault) return;
      await this.#pauseOrRefuse(fault);
    }
  }

  /** Asks for the total while `committing` is being stored. */
  async #checkTotal(): Promise<void> {
    let totalMinor = 0;
    const refused = await markDuring(this.#progress, "committing", async () => {
      const subtotal = await this.#device.ask("subtotal", undefined, this.#plan.password);
      subtotal.bytes(1);
      totalMinor = subtotal.uint(5);
    });
    if (refused) await this.#giveUp(refused.refusal);
    if (totalMinor === this.#plan.totalMinor) return;
    this.#device.environment.log("warn", "the device adds up another total", {
      expectedMinor: this.#plan.totalMinor,
      foundMinor: totalMinor,
    });
    await this.#refuse(new FiscalError("E305", "The device adds up another total; cancelled"));
  }

  async #close(before: Account): Promise<PrintedDocument> {
    for (;;) {
      const { fault, data } = await this.#send(this.#plan.close);
      if (!fault) return this.#describe(before, data);
      if (fault.device?.code === ALREADY_CLOSED) throw new DocumentInDoubt(fault);
      await this.#pauseOrRefuse(fault);
    }
  }

  async #describe(before: Account, closing: Uint8Array): Promise<PrintedDocument> {
    await this.#progress.mark("committed").catch((refusal: unknown) => this.#settle(refusal));
    const state = await this.#device.fullState();
    return {
      document: state.document,
      receipt: before.receipt + 1,
      changeMinor: changeOf(closing),
      issuedAt: this.#device.instantOf(state) ?? null,
    };
  }

  #send({ request, parameters }: Step) {
    return this.#device.send(request, parameters, this.#plan.password);
  }

  /** Waits for a person where one can help; otherwise nothing stays behind. */
  async #pauseOrRefuse(fault: FiscalError): Promise<void> {
    if (!isPauseFault(fault)) await this.#refuse(fault);
    const expired = await this.#pauses.wait(fault);
    if (expired) await this.#refuse(expired);
  }

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

  /** Cancels our document. @throws DocumentInDoubt when it is not gone afterwards */
  async #cancel(): Promise<void> {
    try {
      await cancelReceipt(this.#device, this.#plan.password);
    } catch (error) {
      if (error instanceof FiscalError) throw new DocumentInDoubt(error);
      throw error;
    }
  }
}

/** What keeps the printer from going on; one that waits to be told to go on is told. */
async function lookAtPrinter(device: ShtrihDevice): Promise<FiscalError | undefined> {
  const state = await device.printerState();
  const fault = device.printFault(state);
  if (!fault && state.submode === SUBMODE.waitsForContinue) await device.send("proceed");
  return fault;
}

/** The change in the answer to the closing frame, after the operator's number. */
function changeOf(closing: Uint8Array): number {
  return closing.slice(1, 6).reduceRight((value, byte) => value * 256 + byte, 0);
}
