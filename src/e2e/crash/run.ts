/** One case: a document that is struck while it is printed, and what is true afterwards. */

import { isFinal, type ShownCommand } from "../harness/gateway.ts";
import type { BookedReceipt, Books } from "../harness/simulator.ts";
import { until } from "../harness/until.ts";
import { type CrashCase, describeCase, faultOf, hasDeed, isLinkCut, type Strike } from "./cases.ts";
import type { DocumentKind, Order } from "./documents.ts";
import { isToBeAsked, readerOf, requireOwnFrames } from "./own-questions.ts";
import { answer, look, putAway } from "./person.ts";
import type { Place, RemotePlace, StrikablePlace } from "./place.ts";
import { checkTruth, type Verdict } from "./truth.ts";

/**
 * Brings a place to the same quiet state before each case: connected, and nothing due to be read.
 * What a start has the printer asked is answered first. A status command comes last: it is answered with
 * what the printer said last, after whatever came before it, and behind it alone no state is read of the
 * gateway's own accord. Where commands have little time, one may be over before a busy machine has begun
 * it, and is given again.
 * @throws Error when the printer does not answer
 */
export async function quieten(place: QuietPlace): Promise<void> {
  const { database, deviceId } = place;
  do {
    await until(
      "the printer's answer to the gateway's own question",
      () => !isToBeAsked(readerOf(database), deviceId),
    );
    await until("the printer's status", () => hasTold(place));
    // What it is asked on its first line comes when that is up, maybe behind the state.
  } while (isToBeAsked(readerOf(database), deviceId));
}

async function hasTold({ till, deviceId }: QuietPlace): Promise<boolean> {
  const { id } = await till.submit(deviceId, "get_status");
  const command = await till.wait(id);
  if (command.status === "timeout") return false;
  if (command.status !== "completed") throw new Error(`no quiet: ${JSON.stringify(command)}`);
  return true;
}

type QuietPlace = Omit<Place, "printer">;

/** Prints a document without any trouble. @returns how many frames it takes */
export async function countFrames(place: Place, order: Order): Promise<number> {
  await quieten(place);
  const before = await place.printer.frames();
  await printUndisturbed(place, order);
  return (await place.printer.frames()) - before;
}

/** The same for the messages between a remote controller and the gateway. */
export async function countMessages(
  place: Place,
  line: RemotePlace["line"],
  order: Order,
): Promise<number> {
  await quieten(place);
  const before = line.messages;
  await printUndisturbed(place, order);
  return line.messages - before;
}

async function printUndisturbed(place: Place, order: Order): Promise<void> {
  const { id } = await place.till.submit(place.deviceId, order.type, order.payload);
  await requireUndisturbed(place, id);
}

/**
 * Waits for the end of a document that nothing was done to.
 * @throws Error when it was not printed, or when something else was asked of the printer meanwhile
 */
export async function requireUndisturbed({ till, database }: Place, id: string): Promise<void> {
  const command = await till.wait(id);
  if (command.status !== "completed") {
    throw new Error(`the undisturbed document failed: ${JSON.stringify(command.result)}`);
  }
  requireOwnFrames(readerOf(database), id);
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
    await this.#aim(first, first.frame);
    if (second && !takesHands(first)) {
      const sinceBeginning = isLinkCut(first) ? second.frame : first.frame + second.frame;
      await this.#aim(second, isLinkCut(second) ? second.frame : sinceBeginning);
      this.#secondAt = this.#before.frames + sinceBeginning;
    }
    const { type, payload } = this.#document.order;
    this.#commandId = (await till.submit(deviceId, type, payload)).id;
    if (!takesHands(first)) return;
    await this.#frameCame(firstAt);
    if (first.blow === "kill") return;
    await this.#takeAway(first);
    await this.#aimSecond();
    if (first.blow === "kill_controller") await this.#place.remote?.start();
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
    await this.#takeAway(second);
    if (second.blow === "kill_controller") await this.#place.remote?.start();
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
      isShared: hasDeed(this.#strikes),
    });
  }

  /** A second strike counts from the first, which has just fallen. */
  async #aimSecond(): Promise<void> {
    const [, second] = this.#strikes;
    if (!second) return;
    const { printer } = this.#place;
    this.#secondAt = (await printer.frames()) + second.frame;
    await this.#aim(second, second.frame);
  }

  /** Lets a strike fall at this frame or message, counted from now. */
  async #aim(strike: Strike, at: number): Promise<void> {
    const { printer, remote } = this.#place;
    if (!isLinkCut(strike)) await printer.fault(faultOf(strike, at));
    else remote?.line.cut({ at, side: strike.side === "request" ? "before" : "after" });
  }

  /** The printer, or the controller beside it; the gateway is killed by somebody else. */
  async #takeAway({ blow }: Strike): Promise<void> {
    const { remote, printer } = this.#place;
    if (blow === "unplug") await this.#place.restartPrinter();
    if (blow !== "kill_controller") return;
    await remote?.kill();
    await printer.clear();
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
  return isFinal(command);
}

/** True for a strike that the printer cannot deal itself. */
function takesHands({ blow }: Strike): boolean {
  return blow === "kill" || blow === "unplug" || blow === "kill_controller";
}

/** Waits for the end of a command and compares it with the printer's books. */
export async function concludeCase(
  place: StrikablePlace,
  facts: {
    readonly kind: DocumentKind;
    readonly commandId: string;
    readonly since: { readonly lastReceiptNumber: number };
    readonly name: string;
    readonly isShared: boolean;
  },
): Promise<Verdict> {
  const { till, printer } = place;
  const command = await till.wait(facts.commandId);
  requireOwnFrames(readerOf(place.database), facts.commandId);
  await printer.clear();
  place.remote?.line.clear();
  // Not by the last document: some devices give the number of an annulled receipt again.
  const { receipts, openDocument } = await printer.books(facts.since.lastReceiptNumber);
  const { kind, name, isShared } = facts;
  const fiscalIdOf = (receipt: BookedReceipt) => place.fiscalIdOf(receipt);
  const truth = { command, kind, receipts, open: openDocument, fiscalIdOf, name, isShared };
  const verdict = checkTruth(truth);
  // Somebody has to look at the paper before the device prints anything else.
  if (isShared) await putAway(place);
  await look(place, facts);
  await answer(place);
  return verdict;
}
