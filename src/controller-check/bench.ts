/** What a scenario works with: the gateway's end, the one device and its simulated printer. */

import type { Baseline, Mark } from "#core/command/marks.ts";
import type { ToController } from "#core/controller/messages.ts";
import type { ToldCommand } from "#core/controller/told-command.ts";
import type { DeviceConfig } from "#core/device/device.ts";
import { CheckFailed, type GatewayEnd, hasEnded, type Said } from "./gateway-end.ts";

/** What the scenarios look at of the printer's books. Amounts in minor units. */
export interface Books {
  readonly receiptCount: number;
  readonly openDocument: unknown;
  /** Frames that it was sent so far. */
  readonly frames: number;
  readonly device: { readonly serialNumber: string; readonly fiscalMemory: string };
}

export interface Printer {
  books(): Books;
  /** True while somebody holds a connection to it open. */
  hasHost(): boolean;
  /** Sets a fault of the printer: see docs/simulator.md. */
  fault(fault: Readonly<Record<string, unknown>>): Promise<void>;
  /** Ends every fault. */
  clear(): Promise<void>;
}

/** How long is waited for what. Milliseconds. */
export interface Pace {
  /** A command is answered within this on a printer without faults. */
  readonly answerMs: number;
  /** For which nothing may happen that must not. */
  readonly quietMs: number;
  /** A connection is to be there again after this, however long the waits have grown. */
  readonly reconnectMs: number;
  /** For which the gateway is away. */
  readonly awayMs: number;
}

/** For a controller on another computer. */
export const USUAL_PACE: Pace = {
  ...{ answerMs: 30_000, quietMs: 1_500 },
  ...{ reconnectMs: 60_000, awayMs: 5_000 },
};

type Resolve = Extract<ToController, { readonly type: "command.resolve" }>;

const SALE = {
  items: [{ name: "Bread", quantity: 2, price: 1.5, vatGroup: "VAT1" }],
  payments: [{ method: "cash", amount: 3 }],
};
/** In which a command that is handed out has to begin. */
const BEGIN_MS = 180_000;

/** Hand-overs of what a person settled; who has not answered by then never does. */
const ASKED_MAX = 5;

const REPORTS = ["command.mark", "command.result"] as const;

/** A scenario cannot begin, for what the controller was left with by another one; the message says what. */
export class NotTried extends Error {
  override readonly name = "NotTried";
}

export class CheckBench {
  readonly gateway: GatewayEnd;
  readonly printer: Printer;
  readonly device: DeviceConfig;
  readonly pace: Pace;
  /** Made so far. */
  #commands = 0;
  /** Those of the scenario, with the epoch of their last hand-over. */
  readonly #handedOver = new Map<string, number>();
  /** Commands of failed scenarios that may keep the controller from the next one. */
  #held: readonly string[] = [];

  constructor(
    { gateway, printer, device }: Pick<CheckBench, "gateway" | "printer" | "device">,
    pace: Pace,
  ) {
    this.gateway = gateway;
    this.printer = printer;
    this.device = device;
    this.pace = pace;
  }

  /**
   * Waits until the controller is connected and carries commands out.
   * @throws NotTried when another scenario is why it does not
   */
  async ready(): Promise<void> {
    try {
      await this.#idle();
    } catch (error) {
      if (!(error instanceof CheckFailed) || this.#held.length === 0) throw error;
      await this.#idleAnew();
    }
    this.#held = [];
    this.gateway.forget();
  }

  /**
   * A scenario is over, and with it its commands.
   * @param how whether the controller failed it: what it waits for is refused then
   */
  end({ isFailed }: { readonly isFailed: boolean }): void {
    const { gateway } = this;
    const held: string[] = [];
    for (const [commandId, epoch] of this.#handedOver) {
      gateway.end(commandId);
      if (!isFailed) continue;
      const hasResult = gateway.hasResultOf(commandId);
      if (!hasResult) held.push(commandId);
      if (!gateway.isConnected) continue;
      if (hasResult) gateway.say({ type: "result.stored", commandId });
      else gateway.say(hasEnded({ commandId, epoch }));
    }
    this.#handedOver.clear();
    this.#held = [...this.#held, ...held];
  }

  async #idle(): Promise<void> {
    const { gateway } = this;
    const { reconnectMs } = this.pace;
    await gateway.until("connection of the controller", reconnectMs, () => gateway.isConnected);
    await this.carriesOut("get_status");
  }

  /** What it waits for it tells again over a new connection, and hears then that it has ended. */
  async #idleAnew(): Promise<void> {
    this.end({ isFailed: false });
    this.gateway.cut();
    try {
      await this.#idle();
    } catch (error) {
      if (!(error instanceof CheckFailed)) throw error;
      const held = this.#held.filter((commandId) => !this.gateway.hasResultOf(commandId));
      throw new NotTried(`the controller still holds ${held.join(", ")}: ${error.message}`);
    }
  }

  /** A command with an id of its own. */
  command(type: ToldCommand["type"], payload: unknown = {}): ToldCommand {
    this.#commands += 1;
    const number = String(this.#commands).padStart(4, "0");
    return { id: `cmd_check_${number}`, type, payload };
  }

  sale(): ToldCommand {
    const number = String(this.#commands + 1).padStart(7, "0");
    return this.command("print_receipt", { ...SALE, uniqueSaleNumber: `DT000600-0001-${number}` });
  }

  /** Hands a command over. */
  dispatch(
    command: ToldCommand,
    how: { readonly epoch?: number; readonly begun?: boolean; readonly inMs?: number } = {},
  ): void {
    const { epoch = 1, begun = false, inMs = BEGIN_MS } = how;
    const times = { expiresAt: new Date(Date.now() + inMs).toISOString(), expiresInMs: inMs };
    const { device } = this;
    this.#handedOver.set(command.id, epoch);
    this.gateway.say({ type: "command.dispatch", command, device, epoch, begun, ...times });
  }

  /** Asks what became of a command. */
  resolve(
    command: ToldCommand,
    how: Pick<Resolve, "epoch" | "mark" | "baseline" | "settled" | "mayPrint" | "neverFinish">,
  ): void {
    this.#handedOver.set(command.id, how.epoch);
    this.gateway.say({ type: "command.resolve", command, device: this.device, ...how });
  }

  /** Refuses a report, as one that is said under an older hand-over or of what has ended. */
  refuse(
    { commandId, epoch = 1 }: Said<"command.mark" | "command.result">,
    code: "FINAL" | "STALE",
  ): void {
    const about = { commandId, epoch };
    if (code === "FINAL") this.gateway.say(hasEnded(about));
    else this.gateway.say({ type: "error", code, message: "It was handed over anew", ...about });
  }

  /** The next mark of a command, which may not end before it. */
  async mark({ id: commandId }: ToldCommand): Promise<Said<"command.mark">> {
    const { gateway } = this;
    const { answerMs } = this.pace;
    const isThere = () => REPORTS.some((type) => gateway.has(type, commandId));
    await gateway.until(`mark or result within ${answerMs / 1_000} s`, answerMs, isThere);
    if (gateway.has("command.mark", commandId)) {
      return gateway.next("command.mark", { commandId, withinMs: 0 });
    }
    const { result } = await gateway.next("command.result", { commandId, withinMs: 0 });
    const end = result.success ? "success" : `${result.errorCode}: ${result.errorMessage}`;
    throw new CheckFailed(`the command ended before the mark that is due: ${end}`);
  }

  stored({ commandId, mark, markId }: Said<"command.mark">): void {
    const named = markId === undefined ? {} : { markId };
    this.gateway.say({ type: "mark.stored", commandId, mark, ...named });
  }

  /** Answers each mark up to this one, which is not answered. @returns all that was read, and the mark before it */
  async upTo(command: ToldCommand, wanted: Mark): Promise<{ baseline: Baseline; before: Mark }> {
    let baseline: Baseline = {};
    // Also of who leaves it out.
    let before: Mark = "baseline";
    for (;;) {
      const mark = await this.mark(command);
      baseline = { ...baseline, ...mark.baseline };
      if (mark.mark === wanted) return { baseline, before };
      this.stored(mark);
      before = mark.mark;
    }
  }

  /** Answers every mark until the result comes. */
  async result(command: ToldCommand, epoch: number): Promise<Said<"command.result">> {
    const { gateway } = this;
    const { id: commandId, type } = command;
    const { answerMs } = this.pace;
    const endsAt = performance.now() + answerMs;
    while (!gateway.has("command.result", commandId)) {
      if (gateway.has("command.mark", commandId)) this.stored(await this.mark(command));
      if (performance.now() > endsAt) {
        throw new CheckFailed(`no result of ${type} within ${answerMs / 1_000} s`);
      }
      await Bun.sleep(1);
    }
    const result = await gateway.next("command.result", { commandId, withinMs: 0 });
    if (result.epoch !== epoch) {
      const said = result.epoch === undefined ? "none" : `epoch ${result.epoch}`;
      throw new CheckFailed(
        `the result repeats ${said}, and the command was handed over as ${epoch}`,
      );
    }
    return result;
  }

  /**
   * Asks what became of a sale that a person settled: anew, where the controller asks to go on with it,
   * as one does that has not heard of `settled`.
   * @param word called not printed unless given
   */
  async settled(
    sale: ToldCommand,
    baseline: Baseline,
    word: Pick<Resolve, "mayPrint" | "neverFinish"> = { neverFinish: true },
  ): Promise<Said<"command.result">> {
    const asked = { mark: "committing", baseline, settled: true, ...word } as const;
    for (let epoch = 2; epoch < 2 + ASKED_MAX; epoch += 1) {
      this.resolve(sale, { ...asked, epoch });
      const result = await this.#endUnder(sale, epoch);
      if (result) return result;
      await this.quiet();
    }
    throw new CheckFailed("it asks to go on whenever it is asked what became of the command");
  }

  /** @returns undefined where it asks to go on instead, which is refused */
  async #endUnder({ id: commandId }: ToldCommand, epoch: number) {
    const { gateway } = this;
    const { answerMs } = this.pace;
    const what = `mark or result within ${answerMs / 1_000} s`;
    for (;;) {
      const isThere = () => REPORTS.some((type) => gateway.has(type, commandId));
      await gateway.until(what, answerMs, isThere);
      const isEnd = gateway.has("command.result", commandId);
      const type = isEnd ? "command.result" : "command.mark";
      const said = await gateway.next(type, { commandId, withinMs: 0 });
      const isCurrent = (said.epoch ?? epoch) === epoch;
      if (said.type === "command.mark") this.refuse(said, isCurrent ? "FINAL" : "STALE");
      else if (isCurrent) return said;
      if (isCurrent) return undefined;
    }
  }

  /** Tells that the result is on disk. */
  keep({ commandId }: Said<"command.result">): void {
    this.gateway.say({ type: "result.stored", commandId });
  }

  /** Has a command carried out from its dispatch to the storing of its result. */
  async carriesOut(type: ToldCommand["type"], payload: unknown = {}): Promise<void> {
    const command = this.command(type, payload);
    this.dispatch(command);
    const result = await this.result(command, 1);
    this.keep(result);
    const { success, errorCode, errorMessage } = result.result;
    if (!success) throw new CheckFailed(`${type} failed: ${errorCode}: ${errorMessage}`);
  }

  /** @throws CheckFailed when the sale was not printed, or the result says something else */
  requirePrinted(result: Said<"command.result">, before: Books): void {
    this.requireTrue(result, before);
    const { success, errorCode, errorMessage } = result.result;
    if (!success) throw new CheckFailed(`the sale failed: ${errorCode}: ${errorMessage}`);
  }

  /** @throws CheckFailed when what is said of a sale is not what the printer printed of it */
  requireTrue({ result }: Said<"command.result">, before: Books): void {
    const printed = this.printer.books().receiptCount - before.receiptCount;
    if (printed > 1) throw new CheckFailed(`the receipt was printed ${printed} times`);
    const outcome = result.success ? "printed" : result.data?.outcome;
    const truth = printed === 1 ? "printed" : "not_printed";
    if (outcome === truth) return;
    throw new CheckFailed(`the result says ${String(outcome)}, and the printer says ${truth}`);
  }

  /** @throws CheckFailed when something came out of the printer since, or stands open in it */
  requireUntouched(before: Books, while_: string): void {
    const now = this.printer.books();
    if (now.receiptCount !== before.receiptCount) throw new CheckFailed(`it printed ${while_}`);
    if (now.openDocument !== null) throw new CheckFailed(`it opened a receipt ${while_}`);
  }

  /** Lets a while pass in which something must not happen. */
  async quiet(): Promise<void> {
    await Bun.sleep(this.pace.quietMs);
  }
}
