/**
 * Commands in doubt that a person settled while their printer could not be asked. The doubt goes on
 * as a question: as soon as a controller serves the printer it is handed over to be resolved, as
 * any doubt is, before anything else of the printer that prints. The answer changes nothing of the
 * command; a receipt whose number the person did not know gets it, and a report its figures. Where it
 * contradicts the person, somebody is told; where the device printed what was called not printed, the
 * person is asked again, because a till may print it a second time.
 */

import type { Command, CommandResult } from "#core/command/command.ts";
import { failure } from "#core/command/lifecycle.ts";
import type { Baseline } from "#core/command/marks.ts";
import type { Answer } from "#core/command/settled.ts";
import type { ControllerKey } from "#core/controller/controller.ts";
import { openAt, recordsOf } from "#db/stores/device-records.ts";
import { type DocumentPrinterStores, documentPrinter } from "#db/stores/document-printer.ts";
import type { Stores } from "#db/stores/index.ts";
import type { OpenQuestion } from "#db/stores/open-questions.ts";
import type { Transaction, Writer } from "#db/writer.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { HandOut } from "./hand-out.ts";
import type { Holds } from "./holds.ts";
import type { Lanes } from "./lanes.ts";
import type { LateResults } from "./late-results.ts";
import { ASKED_ELSEWHERE, type ControllerPort, callOff } from "./ports.ts";
import { noteSentTo } from "./printer-records.ts";
import type { RecordKeeper } from "./record-keeper.ts";
import type { TimerQueue } from "./timer-queue.ts";

export interface QuestionsOptions {
  readonly stores: DocumentPrinterStores & Pick<Stores, "audit" | "commands" | "openQuestions">;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly log: Log;
  readonly timers: TimerQueue;
  readonly controllers: Pick<ControllerPort, "controllerOf" | "reaches" | "send">;
  readonly lanes: Lanes;
  readonly holds: Holds;
  readonly handOut: HandOut;
  readonly lateResults: LateResults;
  readonly records: Pick<RecordKeeper, "complete" | "countAgain">;
}

/** What a printer told of a settled command. */
export interface Told {
  readonly answer: Answer;
  readonly result: CommandResult;
  /** The number in it, if any, is the document's own: see `Verdict`. */
  readonly isProven: boolean;
  readonly from: ControllerKey;
  /** UTC milliseconds. */
  readonly now: number;
}

/** Longer than most devices take to cancel a receipt. */
const ASK_ANEW_MS = 5_000;
const NEVER_ANSWERED = "The controller never said what the printer tells of the command";

export class Questions {
  readonly #o: QuestionsOptions;
  /** The device through which a printer is being asked, by command. */
  readonly #askedAt = new Map<string, string>();

  constructor(options: QuestionsOptions) {
    this.#o = options;
  }

  /** Keeps a question about a command that a person settles. Inside that operation. */
  raise(command: Command, raisedAt: number): void {
    const { stores, lanes } = this.#o;
    const { id: commandId, orgId, deviceId, controllerId, epoch, baseline } = command;
    if (!stores.devices.get(orgId, deviceId)) {
      stores.commands.forgetSecrets(commandId);
      return;
    }
    const printer = documentPrinter(stores, command);
    const asked = { controllerId, epoch, baseline };
    stores.openQuestions.raise({ ...printer, ...asked, commandId, orgId, raisedAt });
    lanes.of(deviceId).held = true;
  }

  /** The question that is open about a command. */
  find(commandId: string): OpenQuestion | undefined {
    return this.#o.stores.openQuestions.find(commandId);
  }

  /** The device through which the printer is being asked of a command. */
  askedAt(commandId: string): string | undefined {
    return this.#askedAt.get(commandId);
  }

  /** A controller serves the device: it is asked what is open of its printer, anew if need be. */
  ask(deviceId: string): void {
    const { writer, controllers, stores } = this.#o;
    for (const { commandId } of this.#of(deviceId)) {
      const key = controllers.controllerOf(deviceId);
      if (!key || this.#isAskedElsewhere(commandId, deviceId)) continue;
      this.#leave(commandId, deviceId);
      this.#askedAt.set(commandId, deviceId);
      writer
        .run((tx) => {
          const former = stores.openQuestions.find(commandId)?.controllerId ?? key.controllerId;
          if (former !== key.controllerId) stores.commands.noteFormer(commandId, former);
          noteSentTo(stores, { commandId, deviceId });
          const question = stores.openQuestions.handOver(commandId, key.controllerId);
          tx.after(() => this.#handOut(commandId, question, deviceId));
        })
        .catch((error: unknown) => this.#retry(deviceId, error));
    }
  }

  /**
   * Which printer stands behind which device, or whose line works, may have changed: who is not being
   * asked yet is, and over a line that works.
   */
  askWhoeverCanTell(): void {
    const { stores, controllers } = this.#o;
    const isWithout = ({ commandId }: OpenQuestion): boolean => {
      const askedAt = this.#askedAt.get(commandId);
      if (askedAt === undefined || !controllers.reaches(askedAt)) return true;
      // It is not its own, and another one is by now.
      return !this.#isOf(askedAt, commandId);
    };
    if (!stores.openQuestions.list().some(isWithout)) return;
    for (const { id } of stores.devices.listAll()) {
      const isWaitedFor = this.#of(id).some((one) => {
        const isUnasked = this.#askedAt.get(one.commandId) === undefined;
        return isUnasked || (isWithout(one) && controllers.reaches(id));
      });
      if (isWaitedFor) this.ask(id);
    }
  }

  /** Nobody serves the device any more, or it is gone: another may lead to its printer. */
  withdrawn(deviceId: string): void {
    this.#o.timers.cancel(`question:${deviceId}`);
    for (const [commandId, askedAt] of this.#askedAt) {
      if (askedAt === deviceId) this.#askedAt.delete(commandId);
    }
  }

  /**
   * Whoever asked to go on with a command that was settled was refused, which ends his duty: he is
   * asked anew what became of it, once he can have taken off the device what he began. Inside an
   * operation.
   */
  refused(tx: Transaction, commandId: string): void {
    const { timers, clock } = this.#o;
    tx.after(() => {
      const deviceId = this.#askedAt.get(commandId) ?? this.find(commandId)?.deviceId;
      if (deviceId === undefined) return;
      timers.set(`question:${deviceId}`, clock.now() + ASK_ANEW_MS, () => this.ask(deviceId));
    });
  }

  /** What was seen of a command and will not be seen again is kept for the next attempt. */
  learn(commandId: string, baseline: Baseline): void {
    this.#o.stores.openQuestions.learn(commandId, baseline);
  }

  /** Takes an answer, inside an operation. One that another printer gave answers nothing. */
  answered(tx: Transaction, command: Command, told: Told): void {
    const { stores, lateResults, holds } = this.#o;
    const { id: commandId, orgId } = command;
    const question = this.find(commandId);
    if (!question) return;
    const deviceId = this.#askedAt.get(commandId) ?? question.deviceId;
    tx.after(() => this.#askedAt.delete(commandId));
    if (!this.#isOf(deviceId, commandId)) return;
    stores.openQuestions.remove(commandId);
    stores.commands.forgetSecrets(commandId);
    const { answer, result, from, now } = told;
    // Where nobody else could be asked it ends the question, and proves nothing.
    const isProven = told.isProven && recordsOf(stores, question).some(({ id }) => id === deviceId);
    const deviceTold = { deviceId, answer, said: command.result, result };
    if (answer === "agrees" && isProven) this.#o.records.complete(tx, command, { result, now });
    if (answer === "contradicts") {
      lateResults.append(tx, command, { result, isProven, from, now, deviceId });
    } else {
      const entry = { orgId, at: now, actor: `controller:${from.controllerId}` };
      const proof = answer === "agrees" && isProven ? { isProven } : {};
      this.#note({ ...entry, resource: commandId, details: { ...deviceTold, ...proof } });
    }
    if (answer === "stands_open") {
      this.#o.records.countAgain(commandId);
      holds.askAgain(tx, command, { deviceId, now, shownBy: command, standsOpen: true });
    }
  }

  /** Ends a question that its controller does not answer: nobody knows more than the person. */
  unanswered(tx: Transaction, commandId: string, now: number): void {
    const { stores, controllers, log } = this.#o;
    const question = this.find(commandId);
    const command = question && stores.commands.get(question.orgId, commandId);
    if (!question || !command) return;
    const { orgId } = question;
    const deviceId = this.askedAt(commandId) ?? question.deviceId;
    stores.openQuestions.remove(commandId);
    stores.commands.forgetSecrets(commandId);
    const result = failure(command, "E102", NEVER_ANSWERED);
    const details = { deviceId, answer: "untold", said: command.result, result };
    this.#note({ orgId, at: now, actor: "gateway", resource: commandId, details });
    const key = controllers.controllerOf(deviceId);
    tx.after(() => {
      this.#askedAt.delete(commandId);
      log.warn("a controller never answered a question", { commandId, deviceId });
      callOff(controllers, key, { commandId, message: NEVER_ANSWERED });
    });
  }

  #note(entry: Omit<Parameters<Stores["audit"]["append"]>[0], "action">): void {
    this.#o.stores.audit.append({ ...entry, action: "command.device_asked" });
  }

  #handOut(commandId: string, question: OpenQuestion | undefined, deviceId: string): void {
    try {
      if (question) this.#o.handOut.question(question, deviceId);
      else this.#askedAt.delete(commandId);
    } catch (error) {
      this.#retry(deviceId, error);
    }
  }

  #retry(deviceId: string, error: unknown): void {
    const { log, timers } = this.#o;
    log.error("question not handed out", { deviceId, error });
    timers.again(`question:${deviceId}`, () => this.ask(deviceId));
  }

  /** What the device's printer is asked of. Another organization's is not to be seen here. */
  #of(deviceId: string): OpenQuestion[] {
    const { devices, openQuestions } = this.#o.stores;
    const open = openQuestions.list();
    const device = open.length === 0 ? undefined : devices.find(deviceId);
    return device ? openAt(this.#o.stores, open, device) : [];
  }

  #isOf(deviceId: string, commandId: string): boolean {
    return this.#of(deviceId).some((one) => one.commandId === commandId);
  }

  /** Two devices may lead to one printer; the one that is being asked goes on while it is reached. */
  #isAskedElsewhere(commandId: string, deviceId: string): boolean {
    const { controllers } = this.#o;
    const askedAt = this.#askedAt.get(commandId);
    if (askedAt === undefined || askedAt === deviceId) return false;
    if (controllers.controllerOf(askedAt) === undefined) return false;
    if (!controllers.reaches(askedAt) && controllers.reaches(deviceId)) return false;
    return this.#isOf(askedAt, commandId);
  }

  /** Whoever was to ask over another line need not any more. */
  #leave(commandId: string, deviceId: string): void {
    const { controllers } = this.#o;
    const askedAt = this.#askedAt.get(commandId);
    const former = askedAt === undefined ? undefined : controllers.controllerOf(askedAt);
    if (askedAt === deviceId) return;
    callOff(controllers, former, { commandId, message: ASKED_ELSEWHERE });
  }
}
