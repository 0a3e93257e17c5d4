/**
 * One open line to a device: sends a command, waits for its answer, one at a time. What it does on
 * silence, NAK and damage is in `exchange-rules.ts`; here are the bytes and timers.
 */

import type { DriverEnvironment, Line } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { LineTurn } from "../shared/line-turn.ts";
import { RestartingTimer } from "../shared/restarting-timer.ts";
import type { ActionRule } from "./actions.ts";
import type { Profile } from "./compile-profile.ts";
import {
  ASKED_MAX,
  firstSent,
  type LineInput,
  type LineStep,
  nextStep,
  SENDS_MAX,
  type Waiting,
} from "./exchange-rules.ts";
import { COUNTER_MODULUS, encodeFrame, ReplyDecoder } from "./frame.ts";

export interface SessionRequest {
  readonly body: string;
  readonly effect: ActionRule["effect"];
  /** True for commands that may take as long as a report. */
  readonly slow: boolean;
  /** True for a text that is the whole answer; of a text that may go on only silence tells. */
  isWhole?(answer: string): boolean;
}

interface Pending {
  readonly request: SessionRequest;
  /** As last sent. */
  bytes: Uint8Array;
  waiting: Waiting;
  /** Copies that went out, and those of them that the device has not yet taken or refused. */
  sent: number;
  unsigned: number;
}

/** What the line needs to know of a profile. */
export type LineRules = Pick<
  Profile,
  "format" | "hostAck" | "replies" | "echoLength" | "timeouts" | "errors"
>;

/** An open line at work. After a fault it is of no more use: open a new line. */
export class CustomSession {
  readonly #line: Line;
  readonly #environment: DriverEnvironment;
  readonly #turn: LineTurn<Pending, string>;
  readonly #silenceTimer: RestartingTimer;
  readonly #limitTimer: RestartingTimer;
  #rules: LineRules;
  #decoder: ReplyDecoder;
  /** A device takes counter 0 whatever came before; so it is where each line begins. */
  #counter = 0;
  /**
   * Copies of the frame before that the device has not refused yet. It will, as its counter stands
   * still: that NACK comes late, and says nothing of the frame that is on the line now.
   */
  #copiesDue = 0;

  constructor(line: Line, rules: LineRules, environment: DriverEnvironment) {
    this.#line = line;
    this.#rules = rules;
    this.#environment = environment;
    this.#silenceTimer = new RestartingTimer(environment);
    this.#limitTimer = new RestartingTimer(environment);
    this.#decoder = decoderOf(rules);
    this.#turn = new LineTurn(line, () => {
      this.#silenceTimer.stop();
      this.#limitTimer.stop();
    });
    this.#turn.listen((chunk) => this.#hear(chunk));
  }

  /** Goes on by the rules of another profile: the device has said which one is its own. */
  adopt(rules: LineRules): void {
    this.#rules = rules;
    this.#decoder = decoderOf(rules);
  }

  /**
   * True when the next frame has counter 0, which a device takes twice: only a question may be
   * sent then.
   */
  get isAtSync(): boolean {
    return this.#rules.format.counterDigits > 0 && this.#counter === 0;
  }

  /**
   * Sends one command and waits for its answer.
   * @returns the answer, a refusal included; empty on lines without answers
   * @throws FiscalError a line fault (E102, E202, E203, E500, E501), or E400 for a command that is
   *   too long for a frame; only the latter leaves the session usable
   */
  exchange(request: SessionRequest): Promise<string> {
    const prepare = (): Pending => {
      if (this.isAtSync && request.effect !== "reads") {
        throw new RangeError("only a question may have counter 0");
      }
      const waiting = this.#firstSent(request);
      return { request, bytes: this.#frame(request.body), waiting, sent: 0, unsigned: 0 };
    };
    return this.#turn.take(prepare, (pending) => {
      if (this.#rules.replies === "none") {
        this.#line.write(pending.bytes);
        this.#turn.answer("");
        return;
      }
      const { ackMs } = this.#rules.timeouts;
      // Noise without an end must not hold a command for ever.
      const limitMs = ASKED_MAX * (SENDS_MAX * ackMs + this.#replyMs(pending));
      this.#limitTimer.start(limitMs, () =>
        this.#turn.break(new FiscalError("E500", "The device did not finish the command in time")),
      );
      this.#send(pending);
    });
  }

  /** Ends the session and its line; a command under way rejects with E102. */
  close(): void {
    this.#turn.close();
  }

  #firstSent({ body, effect }: SessionRequest): Waiting {
    const { format, echoLength, errors } = this.#rules;
    return firstSent({
      effect,
      echo: body.slice(0, echoLength),
      refusal: errors.prefix,
      acknowledged: format.ack === undefined,
    });
  }

  /** Frames a command under the next counter. @throws FiscalError E400 */
  #frame(body: string): Uint8Array {
    const { format } = this.#rules;
    const bytes = encodeFrame({ counter: this.#counter, body }, format);
    const modulus = Math.min(COUNTER_MODULUS, 10 ** format.counterDigits);
    this.#counter = (this.#counter + 1) % modulus;
    return bytes;
  }

  #send(pending: Pending): void {
    pending.sent += 1;
    pending.unsigned += 1;
    this.#awaitDevice(pending);
    this.#line.write(pending.bytes);
  }

  /** Waits for the acknowledgement or, once that is there or late, for the answer. */
  #awaitDevice(pending: Pending): void {
    const { ackMs, replyMs } = this.#rules.timeouts;
    const { acknowledged, isLate } = pending.waiting;
    if (acknowledged) this.#wait(this.#replyMs(pending));
    else this.#wait(isLate ? replyMs : ackMs);
  }

  #replyMs({ request }: Pending): number {
    const { replyMs, reportMs } = this.#rules.timeouts;
    return request.slow ? reportMs : replyMs;
  }

  #hear(chunk: Uint8Array): void {
    for (const event of this.#decoder.push(chunk)) this.#take(event);
    const pending = this.#turn.command;
    if (!pending || this.#decoder.bare === "") return;
    const isWhole = pending.waiting.acknowledged && pending.request.isWhole?.(this.#decoder.bare);
    if (isWhole) this.#onSilence();
    else this.#wait(this.#rules.timeouts.quietMs);
  }

  /**
   * Devices want their own acknowledgement, or the answer, acknowledged. Only what means something
   * to us is: a device of another kind may answer each ACK with a byte of its own, for ever.
   */
  #acknowledge(event: LineInput): void {
    const { format, hostAck } = this.#rules;
    if (format.ack === undefined || hostAck === "never") return;
    const isSignal = event.kind === "ack" || event.kind === "nack";
    const isWanted = isSignal
      ? hostAck === "afterAckNack" || hostAck === "both"
      : event.kind === "frame" && (hostAck === "afterReply" || hostAck === "both");
    if (isWanted) this.#line.write(Uint8Array.of(format.ack));
  }

  #take(input: LineInput): void {
    // Also between two commands: what came then is not due any more.
    if (input.kind === "nack" && this.#copiesDue > 0) {
      this.#copiesDue -= 1;
      this.#acknowledge(input);
      return;
    }
    const pending = this.#turn.command;
    if (!pending) return;
    if (input.kind === "ack" || input.kind === "nack") pending.unsigned -= 1;
    const step = nextStep(pending.waiting, input);
    if (step.kind !== "ignore") this.#acknowledge(input);
    this.#carryOut(pending, step);
  }

  #carryOut(pending: Pending, step: LineStep): void {
    switch (step.kind) {
      case "deliver":
        // A frame that went out once is answered after all that went before it.
        this.#copiesDue = pending.sent > 1 ? Math.max(0, pending.unsigned) : 0;
        this.#turn.answer(step.body);
        return;
      case "ignore":
        return;
      case "await_reply":
        pending.waiting = step.waiting;
        this.#awaitDevice(pending);
        return;
      case "await_late":
        pending.waiting = step.waiting;
        // Not for as long as a report takes: one that is under way was acknowledged, and has had that.
        this.#wait(this.#rules.timeouts.replyMs);
        return;
      case "resend":
        pending.waiting = step.waiting;
        this.#environment.log("debug", "frame sent again", { sends: step.waiting.sends });
        this.#send(pending);
        return;
      case "renew":
        this.#renew(pending, step.waiting);
        return;
      case "fail":
        this.#turn.break(new FiscalError(step.code, step.message));
        return;
      default:
        step satisfies never;
    }
  }

  #renew(pending: Pending, waiting: Waiting): void {
    pending.bytes = this.#frame(pending.request.body);
    pending.waiting = { ...waiting, acknowledged: this.#rules.format.ack === undefined };
    this.#environment.log("debug", "question asked anew", { asked: waiting.asked });
    this.#send(pending);
  }

  #wait(ms: number): void {
    this.#silenceTimer.start(ms, () => this.#onSilence());
  }

  #onSilence(): void {
    const bare = this.#decoder.flush();
    this.#take(bare ?? { kind: "silence" });
    const pending = this.#turn.command;
    // What ended was no answer to our command: that is still to come.
    if (bare && pending && !this.#silenceTimer.isRunning) this.#awaitDevice(pending);
  }
}

function decoderOf({ format, replies }: LineRules): ReplyDecoder {
  return new ReplyDecoder(format, replies !== "framed");
}
