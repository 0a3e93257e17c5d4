/**
 * Whose turn it is on a line: one command at a time, until it is answered or the line is lost. How
 * a command is sent, repeated and understood is the protocol's; who waits for it, how the line ends,
 * and what becomes of whoever comes after a fault, is the same everywhere.
 */

import type { Line } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";

/** One command at a time. After a fault the line is of no more use, but for `mend`: open a new one. */
export class LineTurn<Command, Reply> {
  readonly #line: Line;
  readonly #stopTimers: () => void;
  #waiter:
    | {
        readonly command: Command;
        readonly resolve: (reply: Reply) => void;
        readonly reject: (error: unknown) => void;
      }
    | undefined;
  #fault: FiscalError | undefined;

  /** @param stopTimers stops what the protocol waits for: a turn is over, or the line is lost */
  constructor(line: Line, stopTimers: () => void) {
    this.#line = line;
    this.#stopTimers = stopTimers;
  }

  /** Hears the line. What it brought before is told at once, so whoever hears it must be ready. */
  listen(hear: (chunk: Uint8Array) => void): void {
    this.#line.listen({ data: hear, closed: (error) => this.break(lineLost(error)) });
  }

  /** The command that waits for its answer. */
  get command(): Command | undefined {
    return this.#waiter?.command;
  }

  /** What broke the line; undefined while it holds. */
  get fault(): FiscalError | undefined {
    return this.#fault;
  }

  /**
   * Gives the turn to a command, at once.
   * @param prepare makes what is to be known of it while it waits; where it throws, nothing was
   *   sent, and the line stays in use
   * @param send puts it on the line
   * @returns its answer
   * @throws FiscalError the fault of the line, from before or during the turn
   * @throws RangeError while another command has the turn
   */
  take(prepare: () => Command, send: (command: Command) => void): Promise<Reply> {
    if (this.#fault) return Promise.reject(this.#fault);
    if (this.#waiter) return Promise.reject(new RangeError("a command is on the line already"));
    return new Promise((resolve, reject) => {
      const command = prepare();
      this.#waiter = { command, resolve, reject };
      send(command);
    });
  }

  /**
   * As `take`, for an exchange that is one piece of work: its result ends the turn, and a
   * FiscalError that it throws the use of the line as well.
   */
  perform(prepare: () => Command, work: (command: Command) => Promise<Reply>): Promise<Reply> {
    return this.take(prepare, (command) => {
      work(command).then(
        (reply) => this.answer(reply),
        (error: unknown) => {
          if (error instanceof FiscalError) this.break(error);
          else this.abandon(error);
        },
      );
    });
  }

  /** Ends the turn with an answer. */
  answer(reply: Reply): void {
    this.#end()?.resolve(reply);
  }

  /** Ends the turn without one, and leaves the line in use. */
  abandon(error: unknown): void {
    this.#end()?.reject(error);
  }

  /** Ends the turn and the use of the line; the first fault is the one that is told from then on. */
  break(fault: FiscalError): void {
    this.#fault ??= fault;
    this.abandon(this.#fault);
  }

  /** Ends the use of the line, and the line; a command under way rejects with E102. */
  close(): void {
    this.break(new FiscalError("E102", "The session was closed"));
    this.#line.close();
  }

  /** Takes the line into use again, where the fault only said that one command was not answered. */
  mend(): void {
    this.#fault = undefined;
  }

  #end() {
    const waiter = this.#waiter;
    this.#waiter = undefined;
    this.#stopTimers();
    return waiter;
  }
}

/** The fault of a line that was lost, for whatever reason the transport gives. */
export function lineLost(error: Error): FiscalError {
  if (error instanceof FiscalError) return error;
  return new FiscalError("E102", "The connection to the device was lost", { cause: error });
}
