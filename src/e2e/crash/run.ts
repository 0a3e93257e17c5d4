/** One case: a document that is struck while it is printed, and what is true afterwards. */

import type { ShownCommand } from "../harness/gateway.ts";
import type { BookedReceipt, Books } from "../harness/simulator.ts";
import { until } from "../harness/until.ts";
import { type CrashCase, describeCase, faultOf, type Strike } from "./cases.ts";
import type { DocumentKind, Order } from "./documents.ts";
import type { Place, StrikablePlace } from "./place.ts";
import { checkTruth, type Verdict } from "./truth.ts";

/**
 * Brings a place to the same quiet state before each case: connected, and nothing due to be read.
 * A status command is answered with what the printer said last, after whatever came before it.
 */
export async function quieten({ till, deviceId }: Omit<Place, "printer">): Promise<void> {
  const { id } = await till.submit(deviceId, "get_status");
  const command = await till.wait(id);
  if (command.status !== "completed") throw new Error(`no quiet: ${JSON.stringify(command)}`);
}

/** Prints a document without any trouble. @returns how many frames it takes */
export async function countFrames(place: Place, order: Order): Promise<number> {
  await quieten(place);
  const before = await place.printer.frames();
  const { id } = await place.till.submit(place.deviceId, order.type, order.payload);
  const command = await place.till.wait(id);
  if (command.status !== "completed") {
    throw new Error(`the undisturbed document failed: ${JSON.stringify(command.result)}`);
  }
  return (await place.printer.frames()) - before;
}

/**
 * A case on its way, in steps between which somebody else kills and starts the gateway, because
 * one gateway may serve several of them.
 *
 * A strike that is a kill only brings the printer to the frame and makes it silent; the case then
 * waits in that step's end to be killed.
 */
export class Trial {
  readonly #place: StrikablePlace;
  readonly #document: { readonly kind: DocumentKind; readonly order: Order };
  readonly #strikes: CrashCase;
  #before: Books | undefined;
  #commandId = "";
  /** Frames the printer has received when the second strike falls. */
  #secondAt = 0;

  constructor(
    place: StrikablePlace,
    document: { readonly kind: DocumentKind; readonly order: Order },
    strikes: CrashCase,
  ) {
    this.#place = place;
    this.#document = document;
    this.#strikes = strikes;
  }

  /** Submits the document and waits for its first strike. */
  async begin(): Promise<void> {
    const [first, second] = this.#strikes;
    const { printer, till, deviceId } = this.#place;
    await quieten(this.#place);
    this.#before = await printer.books();
    const firstAt = this.#before.frames + first.frame;
    await printer.fault(faultOf(first, first.frame));
    if (second && !takesHands(first)) {
      await printer.fault(faultOf(second, first.frame + second.frame));
      this.#secondAt = firstAt + second.frame;
    }
    const { type, payload } = this.#document.order;
    this.#commandId = (await till.submit(deviceId, type, payload)).id;
    if (!takesHands(first)) return;
    await this.#frameCame(firstAt);
    if (first.blow !== "unplug") return;
    await this.#place.restartPrinter();
    await this.#aimSecond();
  }

  /** The gateway was killed, and is not there: whatever the printer was told to suffer is over. */
  async afterKill({ isLast }: { readonly isLast: boolean }): Promise<void> {
    await this.#place.printer.clear();
    if (!isLast) await this.#aimSecond();
  }

  /** Waits for the second strike, if there is one that falls by hand. */
  async goOn(): Promise<void> {
    const [, second] = this.#strikes;
    if (!second || !takesHands(second)) return;
    await this.#frameCame(this.#secondAt);
    if (second.blow === "unplug") await this.#place.restartPrinter();
  }

  /**
   * Waits for the end of the command and compares it with the printer's books.
   * @throws Error when what the gateway says is not the truth
   */
  conclude(): Promise<Verdict> {
    if (!this.#before) throw new Error("the case has not begun");
    return concludeCase(this.#place, {
      kind: this.#document.kind,
      commandId: this.#commandId,
      since: this.#before,
      name: describeCase(this.#strikes),
    });
  }

  /** A second strike counts from the first, which has just fallen. */
  async #aimSecond(): Promise<void> {
    const [, second] = this.#strikes;
    if (!second) return;
    const { printer } = this.#place;
    this.#secondAt = (await printer.frames()) + second.frame;
    await printer.fault(faultOf(second, second.frame));
  }

  /** Where the command ends before that frame comes, the strike falls then. */
  async #frameCame(frame: number): Promise<void> {
    const { printer, till } = this.#place;
    let isOver = false;
    // A gateway that is killed meanwhile answers nothing, and the strike has fallen by then.
    till.wait(this.#commandId).then(
      () => {
        isOver = true;
      },
      () => undefined,
    );
    await until(`frame ${frame}`, async () => isOver || (await printer.frames()) >= frame);
  }
}

/** True when a command has come to its end. */
export async function isOver({ till }: Place, commandId: string): Promise<boolean> {
  const path = `/commands/${commandId}`;
  const { command } = await till.expect<{ command: ShownCommand }>("GET", path);
  return ["completed", "failed", "timeout"].includes(command.status);
}

/** True for a strike that the printer cannot deal itself. */
function takesHands({ blow }: Strike): boolean {
  return blow === "kill" || blow === "unplug";
}

/** Waits for the end of a command and compares it with the printer's books. */
export async function concludeCase(
  place: StrikablePlace,
  facts: {
    readonly kind: DocumentKind;
    readonly commandId: string;
    readonly since: Pick<Books, "receiptCount">;
    readonly name: string;
  },
): Promise<Verdict> {
  const { till, printer } = place;
  const command = await till.wait(facts.commandId);
  await printer.clear();
  const { receipts: all, openDocument } = await printer.books();
  // By their count, because some devices give the number of a cancelled document again.
  const receipts = all.slice(facts.since.receiptCount);
  const { kind, name } = facts;
  const fiscalIdOf = (receipt: BookedReceipt) => place.fiscalIdOf(receipt);
  const truth = { command, kind, receipts, open: openDocument, fiscalIdOf, name };
  const verdict = checkTruth(truth);
  if (verdict.outcome === "unknown") {
    // Somebody has to look at the paper before the device prints anything else.
    const [receipt] = receipts;
    const seen = receipt
      ? { outcome: "printed", fiscalId: place.fiscalIdOf(receipt) }
      : { outcome: "not_printed" };
    await till.expect("POST", `/commands/${facts.commandId}/resolve`, seen);
  }
  return verdict;
}
