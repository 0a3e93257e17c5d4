/**
 * One open line to a device: sends a command, waits for its answer, one at a time. Runs the line
 * discipline with real bytes and timers; the rules themselves are in `discipline.ts`.
 */

import type { DriverEnvironment, Line } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import {
  BYTE_TIMEOUT_MS,
  type LineInput,
  nextStep,
  type ResendPolicy,
  type Waiting,
} from "./discipline.ts";
import {
  encodeRequest,
  type Generation,
  ReplyDecoder,
  type ReplyEvent,
  type ReplyFrame,
  SEQ_MAX,
  SEQ_MIN,
} from "./frame.ts";

/** Limits of one whole command, from its first byte to its answer. */
export const COMMAND_LIMITS_MS = {
  normal: 10_000,
  /** X report, duplicate, electronic journal. */
  long: 60_000,
  zReport: 120_000,
} as const;
export type CommandLimit = keyof typeof COMMAND_LIMITS_MS;

export interface SessionRequest {
  readonly command: number;
  readonly data: Uint8Array;
  readonly limit?: CommandLimit;
  readonly resend?: ResendPolicy;
}

export interface SessionReply {
  readonly frame: ReplyFrame;
  /** True when the frame went out more than once, after silence or a damaged answer. */
  readonly resentInDoubt: boolean;
}

interface Pending {
  waiting: Waiting;
  readonly bytes: Uint8Array;
  readonly limitMs: number;
  readonly resolve: (reply: SessionReply) => void;
  readonly reject: (fault: FiscalError) => void;
}

/** The line discipline at work. After a fault it is of no more use: open a new line. */
export class IslSession {
  readonly #line: Line;
  readonly #generation: Generation;
  readonly #environment: DriverEnvironment;
  readonly #decoder: ReplyDecoder;
  #seq: number;
  #pending: Pending | undefined;
  #fault: FiscalError | undefined;
  #cancelByteTimer: (() => void) | undefined;
  #cancelLimitTimer: (() => void) | undefined;
  #heardAnything = false;

  constructor(line: Line, generation: Generation, environment: DriverEnvironment) {
    this.#line = line;
    this.#generation = generation;
    this.#environment = environment;
    this.#decoder = new ReplyDecoder(generation);
    // The device remembers the number of its last command and would not execute a new one that
    // repeats it. Which one that was is unknown here, so the first number is a random one and the
    // first command a harmless read (`probe`), which moves the device on to our numbers.
    this.#seq = SEQ_MIN + environment.random(SEQ_MAX - SEQ_MIN + 1);
    line.listen({
      data: (chunk) => this.#hear(chunk),
      closed: (error) => this.#fail(asLoss(error)),
    });
  }

  /** True when the device sent any byte at all. */
  get heardAnything(): boolean {
    return this.#heardAnything;
  }

  /**
   * Sends one command and waits for its answer.
   * @throws FiscalError a line fault (E102, E202, E203, E500, E501), or E400 for data that is too
   *   long for a frame; only the latter leaves the session usable
   */
  exchange(request: SessionRequest): Promise<SessionReply> {
    if (this.#fault) return Promise.reject(this.#fault);
    if (this.#pending) return Promise.reject(new RangeError("a command is on the line already"));
    const { command, data } = request;
    const seq = this.#seq;
    let bytes: Uint8Array;
    try {
      bytes = encodeRequest(this.#generation, { seq, command, data });
    } catch (error) {
      return Promise.reject(error);
    }
    this.#seq = seq === SEQ_MAX ? SEQ_MIN : seq + 1;
    return new Promise((resolve, reject) => {
      this.#pending = {
        waiting: {
          seq,
          command,
          policy: request.resend ?? "always",
          resends: 0,
          resentInDoubt: false,
        },
        bytes,
        limitMs: COMMAND_LIMITS_MS[request.limit ?? "normal"],
        resolve,
        reject,
      };
      this.#send();
    });
  }

  /**
   * Sends a harmless read, to find out whether a device of this generation listens. A NAK does not
   * settle that: it may be the late answer to a frame of the other generation.
   * @returns undefined when it did not answer, or not in a frame of this generation
   * @throws FiscalError E102 when the line is gone
   */
  async probe(request: SessionRequest): Promise<ReplyFrame | undefined> {
    try {
      return (await this.exchange(request)).frame;
    } catch (error) {
      if (error instanceof FiscalError && error.code !== "E102") {
        this.#fault = undefined;
        return undefined;
      }
      throw error;
    }
  }

  /** Ends the session and its line; a command under way rejects with E102. */
  close(): void {
    this.#fail(new FiscalError("E102", "The session was closed"));
    this.#line.close();
  }

  #hear(chunk: Uint8Array): void {
    this.#heardAnything = true;
    for (const event of this.#decoder.push(chunk)) this.#take(event);
    if (!this.#pending) return;
    // Whatever came in, a "still working" or half a frame, is a sign of life.
    this.#startLimitTimer(this.#pending);
    this.#startByteTimer();
  }

  #take(event: ReplyEvent): void {
    const pending = this.#pending;
    if (!pending) return;
    if (event.kind !== "reply") {
      this.#step(pending, event);
      return;
    }
    const step = nextStep(pending.waiting, event);
    if (step.kind !== "deliver") return;
    this.#settle();
    pending.resolve({ frame: event, resentInDoubt: pending.waiting.resentInDoubt });
  }

  #step(pending: Pending, input: Exclude<LineInput, { kind: "reply" }>): void {
    const step = nextStep(pending.waiting, input);
    switch (step.kind) {
      case "deliver":
      case "ignore":
        return;
      case "resend":
        pending.waiting = step.waiting;
        this.#environment.log("debug", "frame sent again", {
          command: step.waiting.command,
          reason: input.kind,
        });
        this.#startLimitTimer(pending);
        this.#send();
        return;
      case "fail":
        this.#fail(new FiscalError(step.code, step.message));
        return;
      default:
        step satisfies never;
    }
  }

  #send(): void {
    this.#startByteTimer();
    if (this.#pending) this.#line.write(this.#pending.bytes);
  }

  #startByteTimer(): void {
    this.#cancelByteTimer?.();
    this.#cancelByteTimer = this.#environment.setTimer(BYTE_TIMEOUT_MS, () => {
      this.#cancelByteTimer = undefined;
      if (this.#pending) this.#step(this.#pending, { kind: "silence" });
    });
  }

  /** Started only when an answer takes long, so that a quick one costs a single timer. */
  #startLimitTimer(pending: Pending): void {
    this.#cancelLimitTimer ??= this.#environment.setTimer(pending.limitMs, () => {
      this.#cancelLimitTimer = undefined;
      if (this.#pending) this.#step(this.#pending, { kind: "limit" });
    });
  }

  #settle(): void {
    this.#pending = undefined;
    this.#cancelByteTimer?.();
    this.#cancelByteTimer = undefined;
    this.#cancelLimitTimer?.();
    this.#cancelLimitTimer = undefined;
  }

  #fail(fault: FiscalError): void {
    this.#fault ??= fault;
    const pending = this.#pending;
    if (!pending) return;
    this.#settle();
    pending.reject(fault);
  }
}

function asLoss(error: Error): FiscalError {
  if (error instanceof FiscalError) return error;
  return new FiscalError("E102", "The connection to the device was lost", { cause: error });
}
