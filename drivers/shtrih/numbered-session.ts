/**
 * One open line to a device that is set to the alternative lower level: sends a command, waits for
 * its answer, one at a time.
 *
 * Host and device count the commands together: a device carries out only the number after that of
 * its last answer, and answers any other with its last answer. So the identical frame may be sent
 * again when its answer did not come or came damaged, whatever the command does: it is carried out
 * once. An answer with our number and the code of another command belongs to somebody else's, and
 * ends the session: the next one asks for the number first.
 *
 * A device that has lost its power begins with number 1. A frame with the number 2 that was carried
 * out right before, and is sent again, would be the next one then; so commands that change
 * something never go out with numbers that low.
 * Source: Shtrih-M "KKT protocol" 2.0, alternative lower level. It says that a frame is sent again
 * after more than the byte time-out of the device (50 or 100 ms), and names no other time-outs.
 */

import type { DriverEnvironment, Line } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { LineTurn } from "../shared/line-turn.ts";
import { RestartingTimer } from "../shared/restarting-timer.ts";
import {
  type CommandLine,
  checkedAnswer,
  type Exchange,
  SENDS_MAX,
  SIGN_TIMEOUT_MS,
  SLACK_MS,
} from "./command-line.ts";
import {
  encodeNumbered,
  FRAME_NUMBERS,
  NumberedDecoder,
  type NumberedToken,
  QUESTION,
} from "./numbered-frame.ts";
import { REQUESTS } from "./requests.ts";
import { TokenInbox } from "./token-inbox.ts";

/** How often the number is asked for before the device counts as silent. */
const QUESTIONS_MAX = 3;
/** How long is waited for the first answer to a command that may print. */
const PRINT_WAIT_MS = 10_000;
/** The same for a command that only reads, and for any frame that was sent again. */
const REPEAT_AFTER_MS = 2_500;
/** The highest number that a device without a last answer may take for the next one. */
const RESTART_NUMBER_MAX = 2;
/** Numbers that one command may use up: those of a restart, and some that were not taken. */
const ROUNDS_MAX = RESTART_NUMBER_MAX + SENDS_MAX;
/** Answers kept between two looks at the line: more is noise, and as good as less. */
const TOKENS_MAX = 16;
/** Changes nothing, and needs no password. */
const HARMLESS = {
  body: Uint8Array.of(REQUESTS.deviceType.code),
  answerMs: REQUESTS.deviceType.answerMs,
  isRead: true,
} as const satisfies Exchange;

type Heard = NumberedToken | { readonly kind: "silence" };
type Answer = { readonly kind: "answer"; readonly body: Uint8Array } | { readonly kind: "ahead" };

/** The exchange at work. After a fault it is of no more use: open a new line. */
export class NumberedSession implements CommandLine {
  readonly #line: Line;
  readonly #environment: DriverEnvironment;
  readonly #turn: LineTurn<Exchange, Uint8Array>;
  readonly #inbox: TokenInbox<NumberedToken>;
  readonly #limitTimer: RestartingTimer;
  #heardFrame = false;
  /** Number of the device's last answer; undefined until it is asked. */
  #number: number | undefined;

  constructor(line: Line, environment: DriverEnvironment) {
    this.#line = line;
    this.#environment = environment;
    this.#inbox = new TokenInbox(environment, {
      decoder: new NumberedDecoder(),
      isTold: ({ kind }) => kind !== "question",
      tokensMax: TOKENS_MAX,
    });
    this.#limitTimer = new RestartingTimer(environment);
    this.#turn = new LineTurn(line, () => {
      this.#inbox.stop();
      this.#limitTimer.stop();
    });
    this.#turn.listen((chunk) => this.#inbox.hear(chunk));
  }

  /** True when the device has ever sent a frame of this lower level. */
  get heardFrame(): boolean {
    return this.#heardFrame;
  }

  /**
   * Sends one command and waits for its answer.
   * @returns the body of the answer: command code, error byte, data
   * @throws FiscalError a line fault (E102, E202, E500, E501, E902), or E400 for a body that is too
   *   long for a frame; only the latter leaves the session usable
   */
  exchange(exchange: Exchange): Promise<Uint8Array> {
    const prepare = () => {
      encodeNumbered(0, exchange.body);
      return exchange;
    };
    return this.#turn.perform(prepare, (command) => {
      this.#limitTimer.start(exchange.answerMs + SLACK_MS, () =>
        this.#turn.break(new FiscalError("E500", "The device did not finish in time")),
      );
      return this.#run(command);
    });
  }

  /** Ends the session and its line; a command under way rejects with E102. */
  close(): void {
    this.#turn.close();
  }

  async #run(command: Exchange): Promise<Uint8Array> {
    for (let rounds = 0; rounds < ROUNDS_MAX; rounds += 1) {
      const number = next(this.#number ?? (await this.#askNumber()));
      // Numbers that a device takes after a restart are spent on what may be done twice.
      const isSpent = !command.isRead && number <= RESTART_NUMBER_MAX;
      const sent = isSpent ? HARMLESS : command;
      const answer = await this.#send(sent, number);
      if (answer.kind === "ahead") {
        if (!sent.isRead) throw outOfStep();
        this.#number = undefined;
        this.#noteRepeat("out of step");
        continue;
      }
      const checked = checkedAnswer(answer.body, sent.body);
      this.#number = number;
      if (!isSpent) return checked;
    }
    throw outOfStep();
  }

  /**
   * Sends a frame, again and again for as long as the command may take, until its answer comes, or
   * one that shows that the device counts otherwise.
   */
  async #send({ body, answerMs, isRead }: Exchange, number: number): Promise<Answer> {
    const frame = encodeNumbered(number, body);
    let waitedMs = 0;
    let wasDamaged = false;
    for (let sends = 0; sends < SENDS_MAX || waitedMs < answerMs; sends += 1) {
      if (sends > 0) this.#noteRepeat(wasDamaged ? "damaged" : "lost");
      this.#line.write(frame);
      const isPatient = sends === 0 && !isRead;
      const waitMs = Math.min(answerMs, isPatient ? PRINT_WAIT_MS : REPEAT_AFTER_MS);
      const answer = await this.#answerTo(number, waitMs);
      if (answer.kind === "answer" || answer.kind === "ahead") return answer;
      wasDamaged = answer.kind === "damaged";
      waitedMs += waitMs;
    }
    throw wasDamaged
      ? new FiscalError("E202", "The device's answer had a wrong checksum")
      : new FiscalError("E501", "The device did not answer");
  }

  /** Waits for the answer with a number; repeated answers to the command before are passed over. */
  async #answerTo(
    number: number,
    waitMs: number,
  ): Promise<Answer | { readonly kind: "damaged" | "silence" }> {
    for (;;) {
      const heard = await this.#next(waitMs);
      if (heard.kind === "question") continue;
      if (heard.kind !== "frame") return heard;
      if (heard.number === number) return { kind: "answer", body: heard.body };
      if (next(heard.number) !== number) return { kind: "ahead" };
    }
  }

  /** Asks for the number of the device's last answer. @throws FiscalError E501 when it is silent */
  async #askNumber(): Promise<number> {
    for (let questions = 0; questions < QUESTIONS_MAX; questions += 1) {
      this.#line.write(QUESTION);
      const heard = await this.#next(SIGN_TIMEOUT_MS);
      if (heard.kind === "frame") return heard.number;
    }
    throw new FiscalError("E501", "The device did not answer");
  }

  #noteRepeat(reason: string): void {
    this.#environment.log("debug", "command sent again", { reason });
  }

  /** The next frame on the line, or silence; one that breaks off counts as damaged. */
  async #next(ms: number): Promise<Heard> {
    if (this.#turn.fault) throw this.#turn.fault;
    const heard = await this.#inbox.next(ms);
    this.#heardFrame ||= heard.kind === "frame";
    return heard;
  }
}

function outOfStep(): FiscalError {
  return new FiscalError("E501", "The device counts its commands otherwise than the gateway");
}

function next(number: number): number {
  return (number + 1) % FRAME_NUMBERS;
}
