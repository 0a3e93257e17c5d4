/**
 * What a CUSTOM device says at each point of a fiscal document; `printOnce` takes it from one to
 * the next.
 *
 * A sale is opened by its first line, a storno by a frame of its own. A line may be sent again
 * once when the device was silent, and a device that lost its power would then register it twice,
 * so the subtotal is compared before the first payment. Behind the closing frame the receipt is
 * only cut off; up to then nobody can begin another one, so that is when its number is read.
 */

import type { Baseline } from "#core/command/marks.ts";
import type { CommandProgress } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { formatMinor } from "#core/money.ts";
import { BusyWait } from "../shared/busy.ts";
import { otherRest } from "../shared/document-faults.ts";
import type {
  DocumentProtocol,
  Fate,
  FrameOutcome,
  OpeningOutcome,
} from "../shared/document-protocol.ts";
import { printOnce } from "../shared/document-run.ts";
import { isOursAlone, noteTheirs } from "../shared/put-away.ts";
import { NO_SUMS, type Sums } from "../shared/sums.ts";
import { type CustomDevice, integerOf, type Reply } from "./device.ts";
import type { DocumentPlan, Step } from "./plan.ts";
import { cancelReceipt, clearTheWay, eject } from "./put-away.ts";
import {
  type CurrentReceipt,
  type DocumentBaseline,
  isFirstSince,
  isNextOpen,
  type LastDocument,
  readCurrentReceipt,
  readLastDocument,
} from "./receipts.ts";
import { pauseFault } from "./status.ts";
import { readZNumber } from "./z-number.ts";

/** What a printed document is known by. */
export interface PrintedDocument {
  /** Null when the device does not tell. */
  readonly number: number | null;
  /** Number of the last Z report before it; null when the device does not tell. */
  readonly lastZNumber: number | null;
  /** UTC milliseconds; null when the device does not tell. */
  readonly issuedAt: number | null;
}

/** Answer of 7101: the original was found, and the storno may be made. */
const STORNO_FOUND = "1";

/** Prints a planned document. @throws FiscalError @throws DocumentInDoubt as `printOnce` */
export function printDocument(
  device: CustomDevice,
  plan: DocumentPlan,
  progress: CommandProgress,
): Promise<PrintedDocument> {
  return printOnce(new CustomDocument(device, withSubtotal(plan, device)), progress);
}

/** Where the device has a subtotal, that is the last thing before the payments. */
function withSubtotal(plan: DocumentPlan, device: CustomDevice): DocumentPlan {
  if (!device.can("subtotal")) return plan;
  const after = plan.lines.at(-1)?.after ?? NO_SUMS;
  return { ...plan, lines: [...plan.lines, { name: "subtotal", values: {}, after }] };
}

class CustomDocument implements DocumentProtocol<Step, PrintedDocument> {
  readonly firstLineOpens = true;
  readonly mayRefuseWhatItDid = true;
  readonly comparesSums: boolean;
  /** Where a cancelled document keeps no number, the next one gets it. */
  readonly storesPayment: boolean;
  #before: DocumentBaseline = { number: null, trace: null, zNumber: null };
  /** A storno of ours, on a device that does not call it a sale. */
  #isToldFromSales = false;
  /** Ours is cut off, and what stands there now is another's. */
  #isCutOff = false;

  constructor(
    readonly device: CustomDevice,
    readonly plan: DocumentPlan,
  ) {
    this.comparesSums = device.can("account") && device.confirms;
    this.storesPayment = this.comparesSums;
  }

  async begin(): Promise<Baseline> {
    await clearTheWay(this.device);
    const last = await readLastDocument(this.device);
    const zNumber = await readZNumber(this.device);
    this.#before = { number: last?.number ?? null, trace: last?.trace ?? null, zNumber };
    return { ...this.#before };
  }

  async open(): Promise<OpeningOutcome> {
    const { opening } = this.plan;
    if (!opening) return { refusal: undefined };
    const frames = ["stornoCheck", "stornoOpen"] as const;
    for (const name of this.device.can("stornoCheck") ? frames : frames.slice(1)) {
      const refusal = this.#refusalIn(await this.device.send(name, opening));
      if (refusal) return this.#giveUpStorno(refusal);
    }
    // Where somebody puts it away now, our first line opens a sale that is worth the same.
    const now = await readCurrentReceipt(this.device);
    this.#isToldFromSales = !(now.open && now.isSale);
    return { refusal: undefined };
  }

  /**
   * An answer of "not found" may leave a document open all the same. Ours has no line yet: what is
   * worth something is rung up by somebody else.
   */
  async #giveUpStorno(refusal: FiscalError): Promise<OpeningOutcome> {
    const now = await readCurrentReceipt(this.device);
    if (now.open && now.amountMinor !== 0) return { refusal };
    await this.cancel([NO_SUMS]);
    if (this.device.can("stornoReset")) await this.device.send("stornoReset");
    return { refusal };
  }

  #refusalIn({ fault, fields }: Reply): FiscalError | undefined {
    const flag = fields.get("flag");
    if (fault || !this.device.confirms || flag === STORNO_FOUND) return fault;
    const message =
      flag === "0"
        ? "The device does not know the original receipt"
        : "The device does not allow a storno of this receipt";
    return new FiscalError("E305", message, { device: { code: flag ?? "", message: "7101" } });
  }

  async send({ name, values, after }: Step): Promise<FrameOutcome> {
    const { fault, fields } = await this.device.offer(name, values);
    if (!fault) compareRest(fields, after);
    return { refusal: fault };
  }

  async close(): Promise<FrameOutcome> {
    // Where the device lacks it, the last payment closes.
    const closing = this.device.can("close") ? await this.device.offer("close") : undefined;
    if (closing?.fault) return { refusal: closing.fault };
    if (this.device.confirms) return { refusal: undefined };
    throw new FiscalError("E501", "This device confirms nothing");
  }

  async readClosing(): Promise<Fate> {
    const now = await this.readCurrentReceipt();
    const last = await readLastDocument(this.device);
    const zNumber = await readZNumber(this.device);
    const isOurs = this.#isOurs(last, zNumber);
    const { trace, zNumber: day } = this.#before;
    const isUntouched = (last?.trace ?? null) === trace && zNumber === day;
    // Some devices tell of it only once it is cut off.
    if (now.isClosed) return isOurs || isUntouched ? "carried_out" : "unclear";
    // It was seen with its payments, so nobody can begin the next one but behind it.
    this.#isCutOff = isOurs && last?.totalMinor != null;
    if (this.#isCutOff) return "carried_out";
    // Whoever loaded the paper may have switched the device off and on: it is gone, not closed.
    return isUntouched && now.open ? "not_carried_out" : "unclear";
  }

  async isOursPaid(): Promise<boolean> {
    if (!this.comparesSums) return true;
    const fields = await this.device.tryAsk("account");
    if (!fields) return true;
    return isNextOpen(this.#before.number, { open: true, number: integerOf(fields, "number") });
  }

  async readPrinted(): Promise<PrintedDocument> {
    const inside = await readLastDocument(this.device);
    const refusal = this.#isCutOff ? undefined : await eject(this.device);
    if (refusal) {
      // The receipt is closed; paper or cutter are for the next document to see to.
      this.device.environment.log("warn", "the receipt was not cut off", { code: refusal.code });
    }
    // Some devices may tell of it only now.
    const isTold = this.#isOurs(inside, this.#before.zNumber);
    const last = isTold ? inside : await readLastDocument(this.device);
    // Last, so that the day of the baseline is also that of the document.
    const isOurs = this.#isOurs(last, await readZNumber(this.device));
    return toPrinted(isOurs ? last : undefined, this.#before);
  }

  #isOurs(last: LastDocument | undefined, zNumber: number | null): boolean {
    return last !== undefined && isOurs(this.#before, { last, zNumber }, this.plan.paid);
  }

  async readCurrentReceipt(): Promise<CurrentReceipt> {
    const now = await readCurrentReceipt(this.device);
    const isAnother = this.#isToldFromSales && now.isSale;
    return { ...now, open: isNextOpen(this.#before.number, now) && !isAnother };
  }

  async readPause(): Promise<FiscalError | undefined> {
    return pauseFault(await this.device.readSensors());
  }

  sumsDiffer(now: Sums, ours: Sums): FiscalError {
    const [counted, expected] = [formatMinor(now.amountMinor), formatMinor(ours.amountMinor)];
    const found = counted === expected ? "holds another document" : `counts ${counted}`;
    return new FiscalError("E305", `The device ${found}, not ours of ${expected}; cancelled`);
  }

  async cancel(ours: readonly Sums[]): Promise<void> {
    const impossible = new FiscalError("E305", "The document cannot be cancelled");
    const busy = new BusyWait(this.device.environment);
    let refusal: FiscalError | undefined;
    do {
      const now = await readCurrentReceipt(this.device);
      if (!now.open) break;
      if (now.isPaying) throw impossible;
      refusal = await cancelReceipt(this.device);
      const isOurs = isNextOpen(this.#before.number, now) && isOursAlone(now, ours);
      if (!refusal && !isOurs) noteTheirs(this.device.environment, now, undefined);
    } while (await busy.passed(refusal));
    if (refusal && (await readCurrentReceipt(this.device)).open) throw refusal;
    const last = await readLastDocument(this.device);
    if ((last?.trace ?? null) === this.#before.trace) return;
    if (last?.cancelled !== true) throw impossible;
    // Where another one was finished before the last one, that was ours or has followed it.
    const zNumber = await readZNumber(this.device);
    if (!isFirstSince(this.#before, { last, zNumber })) throw impossible;
  }
}

/** The answer to a payment names what is left to pay. @throws FiscalError E305 when that is another amount */
function compareRest(fields: ReadonlyMap<string, string>, after: Sums): void {
  const rest = fields.get("rest");
  if (rest === undefined) return;
  const restMinor = Number(rest) * (fields.get("sign") === "-" ? -1 : 1);
  const expected = after.amountMinor - after.paidMinor;
  if (restMinor - expected !== 0) throw otherRest(restMinor, expected);
}

/** True when the last document can only be ours: the first since the baseline, and of our amount. */
export function isOurs(
  before: DocumentBaseline,
  now: { readonly last: LastDocument; readonly zNumber: number | null },
  paid: Pick<Sums, "amountMinor">,
): boolean {
  const { cancelled, totalMinor } = now.last;
  const isAmount = totalMinor === null || totalMinor === paid.amountMinor;
  return cancelled !== true && isAmount && isFirstSince(before, now);
}

/** What the last document is known by, when it is ours. */
export function toPrinted(
  last: LastDocument | undefined,
  { zNumber }: DocumentBaseline,
): PrintedDocument {
  return {
    number: last?.number ?? null,
    lastZNumber: zNumber,
    issuedAt: last?.issuedAt ?? null,
  };
}
