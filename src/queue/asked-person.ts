/** What persons say of commands in doubt, and what becomes of a device by that. */

import { isFiscalDocument, waitsForPerson } from "#core/command/catalogue.ts";
import type { Command, CommandResult } from "#core/command/command.ts";
import type { Saying } from "#core/command/saying.ts";
import type { Report } from "#core/controller/judge.ts";
import { countsFor } from "#core/device/printer.ts";
import type { Transaction, Writer } from "#db/writer.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { type CorrectedStores, correctNumber } from "./corrected-number.ts";
import type { Dispatch } from "./dispatch.ts";
import type { Doubts } from "./doubts.ts";
import type { Holds } from "./holds.ts";
import { type ControllerPort, callOff } from "./ports.ts";
import type { Questions } from "./questions.ts";
import type { RecordKeeper } from "./record-keeper.ts";
import { type DoubtOptions, settleDoubt, settleHold } from "./settlement.ts";
import type { TimerQueue } from "./timer-queue.ts";
import { Unanswered } from "./unanswered.ts";

export interface AskedPersonOptions extends DoubtOptions {
  readonly stores: DoubtOptions["stores"] & CorrectedStores;
  readonly clock: Clock;
  readonly writer: Writer;
  readonly log: Log;
  readonly timers: TimerQueue;
  readonly records: RecordKeeper;
  readonly controllers: ControllerPort;
  readonly holds: Holds;
  readonly dispatch: Dispatch;
  readonly questions: Questions;
  readonly doubts: Doubts;
}

/** How a command has ended. */
interface End {
  /** It did what it was to do, as far as its controller is believed. */
  readonly isDone: boolean;
  /** The code that its controller told, whatever its failure is taken for. */
  readonly refusedWith: CommandResult["errorCode"] | undefined;
  /** UTC milliseconds. */
  readonly now: number;
}

export class AskedPerson {
  readonly #o: AskedPersonOptions;
  readonly #unanswered: Unanswered;

  constructor(options: AskedPersonOptions) {
    this.#o = options;
    this.#unanswered = new Unanswered({ ...options, ended: () => this.holdsChanged() });
  }

  /**
   * A person says what became of a command, inside an operation, or corrects the number that was said.
   * @returns the command as it then is; undefined when its outcome is not open, and its number stays
   */
  settle(tx: Transaction, command: Command, said: Saying): Command | undefined {
    const { stores, records, controllers } = this.#o;
    const { id: commandId, deviceId } = command;
    if (settleHold(tx, command, { said, stores, records })) {
      tx.after(() => this.holdsChanged());
      return command;
    }
    if (correctNumber(tx, command, { said, stores, records })) return command;
    // Over whose line its printer is asked until now.
    const askedAt = this.#o.lanes.find(deviceId)?.via ?? deviceId;
    const ended = settleDoubt(tx, command, { ...this.#o, said });
    if (!ended) return undefined;
    // The device has not been asked: it is as soon as it can be.
    this.#o.questions.raise(ended, said.now);
    const key = controllers.controllerOf(askedAt);
    tx.after(() => {
      callOff(controllers, key, { commandId, message: "A person said what became of it" });
      this.#o.questions.ask(deviceId);
      this.holdsChanged();
      this.#o.dispatch.advance(deviceId);
    });
    return ended;
  }

  /** A controller serves the device: it is asked all that its printer is to be asked over its line. */
  ready(deviceId: string): void {
    this.#o.questions.ask(deviceId);
    this.#o.doubts.ready(deviceId);
  }

  /** Devices were registered, identified or removed, or holds settled: what is held now? */
  holdsChanged(): void {
    this.#o.questions.askWhoeverCanTell();
    this.#unanswered.watch();
    this.#o.doubts.askWhoeverCanTell();
    for (const deviceId of this.#o.holds.refresh()) this.#o.dispatch.advance(deviceId);
  }

  /**
   * Puts a command back that is about to change a printer that is held: it went out while another one
   * stood there, or before anybody knew, and waits like what comes after it. Inside an operation.
   * @returns false when it may go on
   */
  refuses(
    tx: Transaction,
    command: Command,
    { report, now }: { readonly report: Report; readonly now: number },
  ): boolean {
    if (report.kind !== "mark" || command.mark !== null) return false;
    if (!waitsForPerson(command.type) || !this.#o.holds.isHeld(command.deviceId)) return false;
    this.#o.changes.apply(tx, command, { input: { kind: "put_back" }, now });
    tx.after(() => {
      this.holdsChanged();
      this.#o.dispatch.advance(command.deviceId);
    });
    return true;
  }

  /** What a result says of the document before: a person may have to be asked again. */
  learn(tx: Transaction, command: Command, { isDone, refusedWith, now }: End): void {
    const { deviceId, type } = command;
    if (isDone) {
      if (isFiscalDocument(type)) this.#o.holds.disowned.printed(deviceId);
      return;
    }
    // A report or cash movement leaves any open receipt to a person: its E301 tells of none in particular.
    const mayShow = isFiscalDocument(type) || type === "non_fiscal_receipt";
    const isInTheWay = mayShow && refusedWith === "E301";
    const disowned = isInTheWay ? this.#o.holds.disowned.of(deviceId) : undefined;
    if (disowned === undefined || !countsFor(disowned.orgId, command)) return;
    const asked = this.#o.stores.commands.get(disowned.orgId, disowned.commandId);
    if (asked === undefined) return;
    this.#o.records.countAgain(asked.id);
    const shown = { deviceId, shownBy: command, standsOpen: true, now };
    this.#o.holds.askAgain(tx, asked, shown);
    tx.after(() => this.holdsChanged());
  }
}
