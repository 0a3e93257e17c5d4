/**
 * One open line to a device: sends a command, waits for its answer, one at a time. What it does on
 * silence, NAK and damage is in `exchange-rules.ts`; here are the bytes and timers.
 */

import type { DriverEnvironment, Line } from "#core/driver.ts";
import { FiscalError, type FiscalErrorCode } from "#core/errors.ts";
import { type CommandLimit, CommandTimer } from "../shared/command-timer.ts";
import type { FrameNumbers } from "../shared/frame-numbers.ts";
import { LineTurn } from "../shared/line-turn.ts";
import { RestartingTimer } from "../shared/restarting-timer.ts";
import {
  firstSent,
  type LineInput,
  type LineStep,
  nextStep,
  type ResendPolicy,
  silenceMs,
  type Waiting,
} from "./exchange-rules.ts";
import {
  encodeRequest,
  type Generation,
  ReplyDecoder,
  type ReplyEvent,
  type ReplyFrame,
} from "./frame.ts";

export interface SessionRequest {
  readonly command: number;
  readonly data: Uint8Array;
  readonly limit?: CommandLimit;
  readonly resend?: ResendPolicy;
  /** True for commands that only read. */
  readonly reads?: boolean;
  /**
   * A command that only reads and is quick, to be put behind one that is sent again after NAK alone:
   * it then waits for its answer up to its limit. Without it such a command ends with the first
   * silence.
   */
  readonly question?: Pick<SessionRequest, "command" | "data">;
}

export interface SessionReply {
  readonly frame: ReplyFrame;
  /** True when the frame went out more than once, after silence or a damaged answer. */
  readonly resentInDoubt: boolean;
}

export interface IslSessionOptions {
  readonly generation: Generation;
  /**
   * Where the frames get their numbers. The device does not carry out a command that repeats the
   * number of its last one, so the first has to be a harmless read (`probe`), which moves the
   * device on to our numbers.
   */
  readonly numbers: FrameNumbers;
  readonly environment: DriverEnvironment;
}

/** Faults of one exchange, behind which the line may still carry the next one. */
const UNANSWERED: ReadonlySet<FiscalErrorCode> = new Set(["E202", "E203", "E501"]);

interface Pending {
  readonly request: SessionRequest;
  waiting: Waiting;
  /** As last sent. */
  bytes: Uint8Array;
  /** The question behind it, once that was put. */
  question?: Uint8Array;
}

/** An open line at work. After a fault that is thrown it is of no more use: open a new line. */
export class IslSession {
  readonly #line: Line;
  readonly #generation: Generation;
  readonly #environment: DriverEnvironment;
  readonly #decoder: ReplyDecoder;
  readonly #numbers: FrameNumbers;
  readonly #turn: LineTurn<Pending, SessionReply>;
  readonly #byteTimer: RestartingTimer;
  readonly #limitTimer: CommandTimer;

  constructor(line: Line, { generation, numbers, environment }: IslSessionOptions) {
    this.#line = line;
    this.#generation = generation;
    this.#environment = environment;
    this.#decoder = new ReplyDecoder(generation);
    this.#byteTimer = new RestartingTimer(environment);
    this.#limitTimer = new CommandTimer(environment, () => this.#tell({ kind: "limit" }));
    this.#numbers = numbers;
    this.#turn = new LineTurn(line, () => {
      this.#byteTimer.stop();
      this.#limitTimer.stop();
    });
    this.#turn.listen((chunk) => this.#hear(chunk));
  }

  /**
   * Sends one command and waits for its answer.
   * @throws FiscalError a line fault (E102, E202, E203, E500, E501), or E400 for data that is too
   *   long for a frame; only the latter leaves the session usable
   */
  exchange(request: SessionRequest): Promise<SessionReply> {
    const { command, data } = request;
    const prepare = (): Pending => {
      const seq = this.#numbers.next();
      const bytes = encodeRequest(this.#generation, { seq, command, data });
      const policy = request.resend ?? "always";
      const reads = request.reads === true;
      return {
        request,
        waiting: firstSent({ seq, command, policy, reads, mayAsk: request.question !== undefined }),
        bytes,
      };
    };
    return this.#turn.take(prepare, (pending) => this.#send(pending));
  }

  /**
   * Sends one command a single time. Where its answer does not come, the line stays in use: it keeps
   * its order, so what the device is asked next it is asked behind that command, and an answer that
   * comes late is known by its number.
   * @returns the answer, or why there is none: E202, E203 or E501
   * @throws FiscalError as `exchange`, for a line that is lost or a device that does not end
   */
  async exchangeOnce(request: SessionRequest): Promise<SessionReply | FiscalError> {
    try {
      return await this.exchange({ ...request, resend: "never" });
    } catch (error) {
      if (!(error instanceof FiscalError) || !UNANSWERED.has(error.code)) throw error;
      this.#turn.mend();
      return error;
    }
  }

  /**
   * Sends a harmless read, to find out whether a device of this generation listens. A NAK does not
   * decide that: it may be the late answer to a frame of the other generation.
   * @returns undefined when it did not answer, or not in a frame of this generation
   * @throws FiscalError E102 when the line is gone
   */
  async probe(request: SessionRequest): Promise<ReplyFrame | undefined> {
    try {
      return (await this.exchange(request)).frame;
    } catch (error) {
      if (error instanceof FiscalError && error.code !== "E102") {
        this.#turn.mend();
        return undefined;
      }
      throw error;
    }
  }

  /** Ends the session and its line; a command under way rejects with E102. */
  close(): void {
    this.#turn.close();
  }

  #hear(chunk: Uint8Array): void {
    for (const event of this.#decoder.push(chunk)) this.#take(event);
    const pending = this.#turn.command;
    if (!pending) return;
    // Whatever came in, a "still working" or half a frame, is a sign of life.
    this.#startLimitTimer(pending);
    this.#startByteTimer(pending);
  }

  #take(event: ReplyEvent): void {
    const pending = this.#turn.command;
    if (!pending) return;
    const step = nextStep(pending.waiting, event);
    if (event.kind === "reply" && step.kind === "deliver") {
      this.#turn.answer({ frame: event, resentInDoubt: pending.waiting.resentInDoubt });
    } else this.#carryOut(pending, step, event.kind);
  }

  #carryOut(pending: Pending, step: LineStep, reason: LineInput["kind"]): void {
    switch (step.kind) {
      case "deliver":
      case "ignore":
        return;
      case "extend":
        pending.waiting = step.waiting;
        this.#limitTimer.extend();
        return;
      case "resend":
        this.#sendAgain(pending, step.waiting, reason);
        return;
      case "renew": {
        const seq = this.#numbers.next();
        const { command, data } = pending.request;
        pending.bytes = encodeRequest(this.#generation, { seq, command, data });
        this.#sendAgain(pending, { ...step.waiting, seq }, reason);
        return;
      }
      case "ask":
        this.#ask(pending, step.waiting);
        return;
      case "fail":
        this.#turn.break(new FiscalError(step.code, step.message));
        return;
      default:
        step satisfies never;
    }
  }

  #sendAgain(pending: Pending, waiting: Waiting, reason: LineInput["kind"]): void {
    pending.waiting = waiting;
    const { command } = waiting;
    this.#environment.log("debug", "frame sent again", { command, reason });
    this.#startLimitTimer(pending);
    this.#send(pending);
  }

  #ask(pending: Pending, waiting: Waiting): void {
    const { question } = pending.request;
    if (!question) return;
    const questionSeq = waiting.questionSeq ?? this.#numbers.next();
    pending.question ??= encodeRequest(this.#generation, { ...question, seq: questionSeq });
    pending.waiting = { ...waiting, questionSeq };
    this.#environment.log("debug", "answer late", { command: waiting.command });
    this.#startLimitTimer(pending);
    this.#startByteTimer(pending);
    this.#line.write(pending.question);
  }

  #send(pending: Pending): void {
    this.#startByteTimer(pending);
    this.#line.write(pending.bytes);
  }

  #startByteTimer({ waiting }: Pending): void {
    this.#byteTimer.start(silenceMs(waiting), () => this.#tell({ kind: "silence" }));
  }

  /** Started only when an answer takes long, so that a quick one costs a single timer. */
  #startLimitTimer(pending: Pending): void {
    if (!this.#limitTimer.isRunning) this.#limitTimer.start(pending.request.limit ?? "normal");
  }

  #tell(input: Exclude<LineInput, { kind: "reply" }>): void {
    const pending = this.#turn.command;
    if (pending) this.#carryOut(pending, nextStep(pending.waiting, input), input.kind);
  }
}
