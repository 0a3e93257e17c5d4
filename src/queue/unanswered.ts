/**
 * The end of questions that a remote controller never answers: it holds the printer, whatever a person
 * says. Only time counts in which it has the question, is connected and could ask the printer, so that
 * no outage ends one, however long. The built-in controller has a limit of its own.
 */

import { UNHEARD_LIMIT_MS } from "#core/limits.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Transaction, Writer } from "#db/writer.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { ControllerPort } from "./ports.ts";
import type { Questions } from "./questions.ts";
import type { TimerQueue } from "./timer-queue.ts";

export interface UnansweredOptions {
  readonly stores: Pick<Stores, "openQuestions">;
  readonly writer: Writer;
  readonly clock: Pick<Clock, "elapsed" | "now">;
  readonly log: Log;
  readonly timers: TimerQueue;
  readonly controllers: Pick<ControllerPort, "controllerOf" | "mayAnswer">;
  readonly questions: Pick<Questions, "askedAt" | "unanswered">;
  /** One has ended; that is on disk. */
  ended(): void;
}

const TIMER = "unanswered";
/** Between two looks; time in which the machine slept counts as one. */
const LOOK_MS = 30_000;

export class Unanswered {
  readonly #o: UnansweredOptions;
  /** How long each open question could have been answered, by command. Milliseconds. */
  readonly #counted = new Map<string, number>();
  /** By the clock's `elapsed`; undefined while there is nothing to look at. */
  #lookedAt: number | undefined;

  constructor(options: UnansweredOptions) {
    this.#o = options;
  }

  /** There may be an open question. */
  watch(): void {
    if (this.#lookedAt !== undefined || this.#o.stores.openQuestions.list().length === 0) return;
    this.#next();
  }

  #next(): void {
    const { clock, timers } = this.#o;
    this.#lookedAt = clock.elapsed();
    timers.set(TIMER, clock.now() + LOOK_MS, () => this.#look());
  }

  #look(): void {
    const { clock, stores } = this.#o;
    const passedMs = Math.min(LOOK_MS, clock.elapsed() - (this.#lookedAt ?? clock.elapsed()));
    this.#lookedAt = undefined;
    const open = stores.openQuestions.list();
    const before = new Map(this.#counted);
    this.#counted.clear();
    for (const { commandId } of open) {
      const isCounted = this.#mayBeAnswered(commandId);
      const countedMs = (before.get(commandId) ?? 0) + (isCounted ? passedMs : 0);
      this.#counted.set(commandId, countedMs);
      if (isCounted && countedMs >= UNHEARD_LIMIT_MS) this.#end(commandId);
    }
    if (open.length > 0) this.#next();
  }

  #mayBeAnswered(commandId: string): boolean {
    const { controllers, questions } = this.#o;
    const askedAt = questions.askedAt(commandId);
    if (askedAt === undefined || !controllers.mayAnswer(askedAt)) return false;
    const key = controllers.controllerOf(askedAt);
    return key !== undefined && key.orgId !== null;
  }

  #end(commandId: string): void {
    const { writer, questions, clock, log } = this.#o;
    const end = (tx: Transaction): void => questions.unanswered(tx, commandId, clock.now());
    writer.run(end).then(
      () => this.#o.ended(),
      // The next look tries again.
      (error: unknown) => log.error("end of a question not stored", { commandId, error }),
    );
  }
}
