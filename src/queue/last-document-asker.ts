/**
 * Asks printers for their last document: over a record whose line is up, and again until there is an
 * answer. Each question is a command that is kept for long, so where none is answered they become rare.
 */

import { type Command, isFinal } from "#core/command/command.ts";
import type { OpenPrinter } from "#core/device/printer.ts";
import { openAt, recordsToAsk } from "#db/stores/device-records.ts";
import type { Device } from "#db/stores/devices.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Transaction, Writer } from "#db/writer.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";
import type { CommandQueue } from "./command-queue.ts";
import { isLastDocumentQuestion, lastDocumentQuestion } from "./known-documents.ts";
import { heardAs, type LastWord, type Taken } from "./last-document-answer.ts";
import type { ControllerPort } from "./ports.ts";
import type { TimerQueue } from "./timer-queue.ts";

/** A printer that is to be asked. */
export interface ToAsk extends OpenPrinter {
  /** See `documentChecks`. */
  readonly questionId: string | null;
}

export interface LastDocumentAskerOptions {
  readonly stores: Pick<Stores, "commands" | "devices">;
  readonly writer: Writer;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  readonly random: Random;
  readonly timers: TimerQueue;
  readonly queue: Pick<CommandQueue, "accept" | "expiryOf" | "isBusy">;
  readonly controllers: Pick<ControllerPort, "reaches">;
}

/** The printers that are to be asked, as they are stored. */
export interface AskedList<Row extends ToAsk> {
  /** For the names of deadlines. */
  readonly name: string;
  list(): readonly Row[];
  /** @param deviceId of the row */
  setQuestion(deviceId: string, questionId: string | null): void;
}

/** What comes of an answer. */
export interface Learning<Row extends ToAsk, Learned> {
  /**
   * Stores it, inside an operation.
   * @param rows that the question was asked of, at least one
   */
  learn(tx: Transaction, rows: readonly Row[], word: LastWord): Learned;
  /** That is on disk; undefined where nothing was learned. */
  stored(learned: Learned | undefined): void;
}

/** Waiting before a printer is asked again that gave no answer; twice as long each further time. */
const ASK_AGAIN_MS = 5_000;
const ASK_AGAIN_MAX_MS = 600_000;
/** Unanswered questions in a row behind which a line that comes up waits for the end of a pause. */
const AT_ONCE_MAX = 3;
/**
 * Refusals until a printer counts as one that will not tell. By the pauses above that takes some two
 * and a half minutes, so what a till sends at the start is still in its time then.
 */
const REFUSED_MAX = 6;

export class LastDocumentAsker<Row extends ToAsk> {
  readonly #o: LastDocumentAskerOptions;
  readonly #asked: AskedList<Row>;
  /** Questions in a row without an answer, by the record of the row. */
  readonly #unanswered = new Map<string, number>();
  /** Refusals without an answer in between, by the record of the row. */
  readonly #refusals = new Map<string, number>();
  /** The rows whose next question is set to a time, or whose answer is being stored. */
  readonly #waiting = new Set<string>();

  constructor(options: LastDocumentAskerOptions, asked: AskedList<Row>) {
    this.#o = options;
    this.#asked = asked;
  }

  /** The line of a device is up: its printer is asked over it, unless it is over another that works. */
  reached(deviceId: string): void {
    const isPutOff = (row: ToAsk): boolean =>
      this.#waiting.has(row.deviceId) && (this.#unanswered.get(row.deviceId) ?? 0) > AT_ONCE_MAX;
    if (this.#toAsk(deviceId).some((row) => !isPutOff(row))) this.#ask(deviceId);
  }

  /**
   * The printer of a device is to be asked since now, or a command of it has ended behind which a
   * question may be taken up: it is asked over whichever line is up.
   */
  lookAgain(deviceId: string): void {
    const rows = this.#asked.list();
    const device = rows.length === 0 ? undefined : this.#o.stores.devices.find(deviceId);
    if (device === undefined) return;
    for (const row of openAt(this.#o.stores, rows, device)) {
      if (!this.#waiting.has(row.deviceId)) this.#askOf(row.deviceId);
    }
  }

  /**
   * A command has ended. Where it was a question, what comes of its answer is stored, and it is asked
   * again later where there was none; behind any other, a question may be taken up.
   */
  ended<Learned>(command: Command, { learn, stored }: Learning<Row, Learned>): void {
    const { writer, log } = this.#o;
    const { id: commandId, deviceId } = command;
    const asked = isLastDocumentQuestion(command) ? this.#askedBy(command) : [];
    if (asked.length === 0) {
      this.lookAgain(deviceId);
      return;
    }
    const taken = this.#heard(command, asked);
    writer
      .run((tx) => {
        const rows = this.#askedBy(command);
        if (taken !== "not now") return rows.length === 0 ? undefined : learn(tx, rows, taken);
        for (const row of rows) this.#asked.setQuestion(row.deviceId, null);
        return undefined;
      })
      .then((learned) => {
        if (taken === "not now") this.#again(asked);
        else this.#done(asked);
        stored(learned);
      })
      .catch((error: unknown) => {
        log.error("answer of a printer not stored", { deviceId, commandId, error });
        this.#again(asked);
      });
  }

  /** What a command was to ask of; empty where it asks nothing any more. */
  #askedBy({ id }: Pick<Command, "id">): Row[] {
    return this.#asked.list().filter(({ questionId }) => questionId === id);
  }

  /**
   * How the answer to a question is to be taken. Nothing else is asked of the rows until that is on
   * disk: `#again` or `#done` follows.
   */
  #heard({ result }: Pick<Command, "result">, rows: readonly ToAsk[]): Taken {
    for (const { deviceId } of rows) this.#waiting.add(deviceId);
    const heard = heardAs(result);
    if (heard === "none") return "not now";
    if (heard !== "refused") return heard;
    let most = 0;
    for (const { deviceId } of rows) {
      const times = (this.#refusals.get(deviceId) ?? 0) + 1;
      this.#refusals.set(deviceId, times);
      most = Math.max(most, times);
    }
    return most < REFUSED_MAX ? "not now" : "will not tell";
  }

  /** They gave no answer, or it could not be stored: they are asked again later. */
  #again(rows: readonly ToAsk[]): void {
    const { clock, timers } = this.#o;
    for (const { deviceId } of rows) {
      const times = (this.#unanswered.get(deviceId) ?? 0) + 1;
      this.#unanswered.set(deviceId, times);
      this.#waiting.add(deviceId);
      const pauseMs = Math.min(ASK_AGAIN_MS * 2 ** (times - 1), ASK_AGAIN_MAX_MS);
      timers.set(`${this.#asked.name}:${deviceId}`, clock.now() + pauseMs, () => {
        this.#waiting.delete(deviceId);
        this.#askOf(deviceId, { isAgain: true });
      });
    }
  }

  /** They need not be asked any more. */
  #done(rows: readonly ToAsk[]): void {
    for (const { deviceId } of rows) {
      this.#unanswered.delete(deviceId);
      this.#refusals.delete(deviceId);
      this.#waiting.delete(deviceId);
      this.#o.timers.cancel(`${this.#asked.name}:${deviceId}`);
    }
  }

  /**
   * Asks of a row over a line that is up. Where that one's row of commands stands still, as behind a
   * document that waits for paper, another question behind it would run out of its time as well: the
   * end of that document brings it.
   */
  #askOf(rowId: string, { isAgain = false }: { readonly isAgain?: boolean } = {}): void {
    const { stores, controllers, queue } = this.#o;
    const row = this.#asked.list().find(({ deviceId }) => deviceId === rowId);
    if (row === undefined || this.#isUnderWay(row)) return;
    const up = recordsToAsk(stores, row).filter(({ id }) => controllers.reaches(id));
    const free = up.find(({ id }) => !queue.isBusy(id)) ?? (isAgain ? undefined : up[0]);
    if (free !== undefined) this.#ask(free.id);
  }

  #ask(deviceId: string): void {
    const { writer, queue, log, stores } = this.#o;
    const asked = this.#toAsk(deviceId);
    writer
      .run((tx) => {
        const rows = this.#toAsk(deviceId);
        const device = stores.devices.find(deviceId);
        if (rows.length === 0 || device === undefined) return;
        const question = lastDocumentQuestion(device, this.#o);
        for (const row of rows) this.#asked.setQuestion(row.deviceId, question.id);
        queue.accept(tx, question);
      })
      .catch((error: unknown) => {
        log.error("printer not asked", { deviceId, error });
        this.#again(asked);
      });
  }

  /** What is to be asked over the line of a device. */
  #toAsk(deviceId: string): Row[] {
    const rows = this.#asked.list();
    const device = rows.length === 0 ? undefined : this.#o.stores.devices.find(deviceId);
    return device
      ? openAt(this.#o.stores, rows, device).filter((row) => !this.#isUnderWay(row, device))
      : [];
  }

  /** @param other a device whose line is up: who is asked over one that is not, is over that */
  #isUnderWay({ questionId }: ToAsk, other?: Device): boolean {
    const { stores, controllers } = this.#o;
    if (questionId === null) return false;
    const question = stores.commands.get(null, questionId);
    // One that has ended asks nothing, even where its answer could not be stored.
    if (question === undefined || isFinal(question.status)) return false;
    const at = question.deviceId;
    return other === undefined || at === other.id || controllers.reaches(at);
  }
}
