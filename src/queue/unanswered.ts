/**
 * The end of questions that a remote controller never answers: each holds its printer, whatever a
 * person says.
 */

import { UNHEARD_LIMIT_MS } from "#core/limits.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Transaction, Writer } from "#db/writer.ts";
import type { Log } from "../platform/log.ts";
import { AnsweringTime, type AnsweringTimeOptions, type Owed } from "./answering-time.ts";
import type { Questions } from "./questions.ts";

export interface UnansweredOptions extends AnsweringTimeOptions {
  readonly stores: Pick<Stores, "openQuestions">;
  readonly writer: Writer;
  readonly log: Log;
  readonly questions: Pick<Questions, "askedAt" | "unanswered">;
  /** One has ended; that is on disk. */
  ended(): void;
}

export class Unanswered extends AnsweringTime<Owed> {
  readonly #o: UnansweredOptions;

  constructor(options: UnansweredOptions) {
    super(options, "unanswered");
    this.#o = options;
  }

  protected override owed(): Owed[] {
    const { stores, questions } = this.#o;
    return stores.openQuestions
      .list()
      .map(({ commandId }) => ({ commandId, askedAt: questions.askedAt(commandId) }));
  }

  protected override counted({ commandId }: Owed, { now }: { readonly now: number }): void {
    if (now < UNHEARD_LIMIT_MS) return;
    const { writer, questions, clock, log } = this.#o;
    const end = (tx: Transaction): void => questions.unanswered(tx, commandId, clock.now());
    writer.run(end).then(
      () => this.#o.ended(),
      // The next look tries again.
      (error: unknown) => log.error("end of a question not stored", { commandId, error }),
    );
  }
}
