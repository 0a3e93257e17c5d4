/**
 * One open line to a device of the standard lower level: sends a command, waits for its answer,
 * one at a time.
 *
 * ENQ goes before each command. NAK to it means that the device waits for one; ACK, that an answer
 * is on its way which nobody has acknowledged: it is read first, because a new command would be
 * taken for the answer to it. After silence or damage ENQ is what tells whether the command was
 * taken: ACK brings its answer. NAK then proves nothing, because the device forgets an answer with
 * its power, so only a command that changes nothing is sent again; of any other the outcome is
 * open. A NAK to the command itself means that it was not taken. But a NAK may also be noise, or
 * what another program's ENQ brought: only where ENQ brings a second one, and then no ACK comes for as
 * long as a sign may take, a command that changes something is sent again.
 *
 * Source: Shtrih-M "FR protocol" 1.10, exchange diagrams. It names no time-outs of its own but the
 * byte time-out of the device (50 or 100 ms); the values here follow the vendor's drivers.
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
import { ACK, ENQ, encodeFrame, FrameDecoder, type LineToken, NAK } from "./frame.ts";
import { TokenInbox } from "./token-inbox.ts";

/** How long each ENQ waits for its sign before the device counts as silent. */
const ENQUIRIES_MS = [SIGN_TIMEOUT_MS, SIGN_TIMEOUT_MS, SIGN_TIMEOUT_MS];
/**
 * The same behind a command that may not be sent again: its answer may be all that ever tells what
 * became of it, and a network or a busy machine may delay that. The specification allows a device
 * ten seconds. Longer waits instead of more ENQs, for a device signs each of them.
 */
const PATIENT_ENQUIRIES_MS = [...ENQUIRIES_MS, 2 * SIGN_TIMEOUT_MS, 4 * SIGN_TIMEOUT_MS];
/** How often one answer is asked for. */
const READS_MAX = 4;
/**
 * How long an answer is waited for before the device is asked by ENQ whether it has one. It may
 * prepare it for longer, and then says so; but an answer that was lost on the way is kept until it
 * is asked for. As long as the vendor's drivers wait for a byte.
 */
const ANSWER_LOOK_MS = 3_000;

type Sign = "ack" | "nak";
interface SentCommand extends Exchange {
  readonly frame: Uint8Array;
}
type Heard = LineToken | { readonly kind: "silence" };

/** The exchange at work. After a fault it is of no more use: open a new line. */
export class ShtrihSession implements CommandLine {
  readonly #line: Line;
  readonly #environment: DriverEnvironment;
  readonly #turn: LineTurn<SentCommand, Uint8Array>;
  readonly #inbox: TokenInbox<LineToken>;
  readonly #limitTimer: RestartingTimer;
  #heardAnything = false;
  #heardSign = false;
  /**
   * Signs still due: the device gives one for each ENQ and for each copy of a command, in their
   * order. So a NAK that comes in while more are due belongs to something older that was given up,
   * and says nothing of the command sent last. Signs that were lost for good are due for ever,
   * which only means that a NAK is believed less.
   */
  #signsDue = 0;

  constructor(line: Line, environment: DriverEnvironment) {
    this.#line = line;
    this.#environment = environment;
    // The order of the bytes is what tells whose sign is whose, so what comes late is kept.
    this.#inbox = new TokenInbox(environment, {
      decoder: new FrameDecoder(),
      isTold,
      tokensMax: TOKENS_MAX,
    });
    this.#limitTimer = new RestartingTimer(environment);
    this.#turn = new LineTurn(line, () => {
      this.#inbox.stop();
      this.#limitTimer.stop();
    });
    this.#turn.listen((chunk) => this.#hear(chunk));
  }

  /** True when the device sent any byte at all. */
  get heardAnything(): boolean {
    return this.#heardAnything;
  }

  /** True when the device has ever answered ENQ as this protocol has it. */
  get heardSign(): boolean {
    return this.#heardSign;
  }

  /**
   * Sends one command and waits for its answer.
   * @returns the body of the answer: command code, error byte, data
   * @throws FiscalError a line fault (E102, E202, E203, E500, E501, E902), or E400 for a body that
   *   is too long for a frame; only the latter leaves the session usable
   */
  exchange(exchange: Exchange): Promise<Uint8Array> {
    const prepare = () => ({ ...exchange, frame: encodeFrame(exchange.body) });
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

  async #run({ body, frame, answerMs, isRead }: SentCommand): Promise<Uint8Array> {
    await this.#becomeIdle(answerMs);
    for (let sends = 0; sends < SENDS_MAX; sends += 1) {
      this.#line.write(frame);
      this.#signsDue += 1;
      const first = await this.#signOfFrame();
      const isKnown = first === "ack" || (first === "nak" && isRead);
      const waitsMs = isRead ? ENQUIRIES_MS : PATIENT_ENQUIRIES_MS;
      let sign = isKnown ? first : await this.#enquire(waitsMs);
      if (first === "nak" && sign === "nak") {
        if (isRead || !(await this.#isTakenAfterAll())) {
          this.#noteRepeat("refused");
          continue;
        }
        sign = "ack";
      }
      if (sign === "ack") {
        // The NAK was nobody's sign, so this one was the command's, and that of ENQ is still due.
        if (first === "nak") this.#signsDue += 1;
        const answer = await this.#readAnswer(answerMs);
        if (answer) return checkedAnswer(answer, body);
      }
      if (!isRead) {
        throw new FiscalError("E501", "The device holds no answer to the last command");
      }
      this.#noteRepeat("lost");
    }
    throw new FiscalError("E202", "The device did not accept the command");
  }

  /**
   * Asks until the device waits for a command, reading what it still has to say. Each sign that is
   * due may have its last answer behind it: on a line that stood still it was asked for it often.
   */
  async #becomeIdle(answerMs: number): Promise<void> {
    // Whatever came in while nothing was due is noise, or meant for somebody else.
    if (this.#signsDue === 0) this.#inbox.clear();
    const readsMax = READS_MAX + this.#signsDue;
    for (let reads = 0; reads < readsMax; reads += 1) {
      const sign = await this.#enquire();
      if (sign === "nak") return;
      if (sign === undefined) throw this.#silence();
      const stale = await this.#readAnswer(answerMs);
      this.#environment.log("info", "an answer was left from before", {
        command: stale?.[0],
        error: stale?.[1],
      });
    }
    throw new FiscalError("E203", "The device keeps repeating an earlier answer");
  }

  /** Sends ENQ until it is answered; undefined when it never is. */
  async #enquire(waitsMs = ENQUIRIES_MS): Promise<Sign | undefined> {
    for (const waitMs of waitsMs) {
      this.#line.write(Uint8Array.of(ENQ));
      this.#signsDue += 1;
      for (;;) {
        const { kind } = await this.#next(waitMs);
        if (kind === "silence") break;
        if (kind !== "ack" && kind !== "nak") continue;
        this.#countSign();
        this.#heardSign = true;
        return kind;
      }
    }
    return undefined;
  }

  /** The sign that a command brings; undefined for silence. */
  async #signOfFrame(): Promise<Sign | undefined> {
    for (;;) {
      const { kind } = await this.#next(SIGN_TIMEOUT_MS);
      if (kind === "silence") return undefined;
      if (kind !== "ack" && kind !== "nak") continue;
      this.#countSign();
      if (kind === "ack" || this.#signsDue === 0) return kind;
    }
  }

  /** True where the command's ACK, or its answer, comes behind NAKs that were all noise. */
  async #isTakenAfterAll(): Promise<boolean> {
    for (;;) {
      const { kind } = await this.#next(SIGN_TIMEOUT_MS);
      if (kind !== "nak") return kind !== "silence";
    }
  }

  #countSign(): void {
    this.#signsDue = Math.max(0, this.#signsDue - 1);
  }

  /** Reads and acknowledges an answer; undefined when the device has none (any more). */
  async #readAnswer(answerMs: number): Promise<Uint8Array | undefined> {
    let damaged = 0;
    for (let waitedMs = 0; ; waitedMs += ANSWER_LOOK_MS) {
      const heard = await this.#nextFrame(Math.min(ANSWER_LOOK_MS, answerMs));
      if (heard.kind === "frame") {
        this.#line.write(Uint8Array.of(ACK));
        return heard.body;
      }
      if (heard.kind === "damaged") {
        damaged += 1;
        // The device stays quiet after NAK and repeats the answer when it is asked.
        this.#line.write(Uint8Array.of(NAK));
      }
      if (damaged >= READS_MAX) {
        throw new FiscalError("E202", "The device's answer had a wrong checksum");
      }
      const sign = await this.#enquire();
      if (sign === "nak") return undefined;
      // A device that prints may be deaf to ENQ until it has its answer.
      if (sign === undefined && waitedMs + ANSWER_LOOK_MS >= answerMs) throw this.#silence();
    }
  }

  async #nextFrame(
    answerMs: number,
  ): Promise<Extract<Heard, { kind: "frame" | "damaged" | "silence" }>> {
    for (;;) {
      const heard = await this.#next(answerMs);
      switch (heard.kind) {
        case "frame":
        case "damaged":
        case "silence":
          return heard;
        case "ack":
        case "nak":
        case "enq":
        case "junk":
          break;
        default:
          heard satisfies never;
      }
    }
  }

  #silence(): FiscalError {
    return this.#heardAnything && !this.#heardSign
      ? new FiscalError("E203", "The device answers with bytes that this protocol does not have")
      : new FiscalError("E501", "The device did not answer");
  }

  #noteRepeat(reason: string): void {
    this.#environment.log("debug", "command sent again", { reason });
  }

  /** The next thing on the line, or silence; a frame that breaks off counts as damaged. */
  #next(ms: number): Promise<Heard> {
    return this.#turn.fault ? Promise.reject(this.#turn.fault) : this.#inbox.next(ms);
  }

  #hear(chunk: Uint8Array): void {
    this.#heardAnything = true;
    this.#inbox.hear(chunk);
  }
}

/** Tokens kept between two looks at the line: more is noise, and as good as less. */
const TOKENS_MAX = 64;

function isTold({ kind }: LineToken): boolean {
  return kind !== "junk" && kind !== "enq";
}
