/**
 * One open line to a device: sends a command, waits for its answer, one at a time. Runs the line
 * discipline with real bytes and timers; the rules themselves are in `discipline.ts`.
 */

import type { DriverEnvironment, Line } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import {
  ANSWER_WAIT_MS,
  firstSent,
  type LineInput,
  type LineStep,
  nextStep,
  PING_WAIT_MS,
  type Waiting,
} from "./discipline.ts";
import {
  type AckFrame,
  type DataFrame,
  encodeRequest,
  NBL_MAX,
  NBL_MIN,
  PING,
  ReplyDecoder,
} from "./frame.ts";

/** Limits of one whole command, from its first byte to its answer. */
export const COMMAND_LIMITS_MS = {
  normal: 10_000,
  /** X report, duplicate. */
  long: 60_000,
  zReport: 120_000,
} as const;
export type CommandLimit = keyof typeof COMMAND_LIMITS_MS;

export interface SessionRequest {
  readonly command: number;
  readonly data: Uint8Array;
  /** True for commands that only read: those may be asked again. */
  readonly reads: boolean;
  readonly limit?: CommandLimit;
}

export type SessionReply = AckFrame | DataFrame;

const PINGS_MAX = 5;

interface Pending {
  readonly request: SessionRequest;
  waiting: Waiting;
  readonly resolve: (reply: SessionReply) => void;
  readonly reject: (fault: FiscalError) => void;
}

/** The line discipline at work. After a fault it is of no more use: open a new line. */
export class ZfpSession {
  readonly #line: Line;
  readonly #environment: DriverEnvironment;
  readonly #decoder = new ReplyDecoder();
  #nbl: number;
  #pending: Pending | undefined;
  #pinged: ((state: number | undefined) => void) | undefined;
  #fault: FiscalError | undefined;
  #cancelSilence: (() => void) | undefined;
  #cancelLimit: (() => void) | undefined;
  #heardAnything = false;

  constructor(line: Line, environment: DriverEnvironment) {
    this.#line = line;
    this.#environment = environment;
    // A number must differ from the one before it, which is unknown here: a random one seldom is.
    this.#nbl = NBL_MIN + environment.random(NBL_MAX - NBL_MIN + 1);
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
    const { command, data, reads } = request;
    const nbl = this.#nextNumber();
    let bytes: Uint8Array;
    try {
      bytes = encodeRequest({ nbl, command, data });
    } catch (error) {
      return Promise.reject(error);
    }
    return new Promise((resolve, reject) => {
      const waiting = firstSent({ nbl, command, reads });
      this.#pending = { request, waiting, resolve, reject };
      const limitMs = COMMAND_LIMITS_MS[request.limit ?? "normal"];
      this.#cancelLimit = this.#environment.setTimer(limitMs, () => this.#take({ kind: "limit" }));
      this.#send(bytes);
    });
  }

  /**
   * Asks whether a device is there, as often as the manual wants.
   * @returns its state byte; undefined when nobody answers
   * @throws FiscalError E102 when the line is gone
   */
  async ping(): Promise<number | undefined> {
    for (let round = 0; round < PINGS_MAX; round += 1) {
      if (this.#fault) throw this.#fault;
      const state = await this.#pingOnce();
      if (state !== undefined) return state;
    }
    if (this.#fault) throw this.#fault;
    return undefined;
  }

  /** Ends the session and its line; a command under way rejects with E102. */
  close(): void {
    this.#fail(new FiscalError("E102", "The session was closed"));
    this.#line.close();
  }

  #pingOnce(): Promise<number | undefined> {
    return new Promise((resolve) => {
      const cancel = this.#environment.setTimer(PING_WAIT_MS, () => this.#pinged?.(undefined));
      this.#pinged = (state) => {
        cancel();
        this.#pinged = undefined;
        resolve(state);
      };
      this.#line.write(Uint8Array.of(PING));
    });
  }

  #nextNumber(): number {
    const nbl = this.#nbl;
    this.#nbl = nbl === NBL_MAX ? NBL_MIN : nbl + 1;
    return nbl;
  }

  #hear(chunk: Uint8Array): void {
    this.#heardAnything = true;
    for (const event of this.#decoder.push(chunk)) {
      if (event.kind === "ping" && this.#pinged) this.#pinged(event.state);
      else this.#take(event);
    }
  }

  #take(input: LineInput): void {
    const pending = this.#pending;
    if (pending) this.#carryOut(pending, nextStep(pending.waiting, input));
  }

  #carryOut(pending: Pending, step: LineStep): void {
    switch (step.kind) {
      case "deliver":
        this.#settle();
        pending.resolve(step.frame);
        return;
      case "ignore":
        return;
      case "wait":
        pending.waiting = step.waiting;
        this.#listen(step.waiting.silentPings > 0 ? PING_WAIT_MS : ANSWER_WAIT_MS);
        return;
      case "ping":
        pending.waiting = step.waiting;
        this.#listen(PING_WAIT_MS);
        this.#line.write(Uint8Array.of(PING));
        return;
      case "resend":
      case "renew":
        this.#sendAgain(pending, step);
        return;
      case "fail":
        this.#fail(new FiscalError(step.code, step.message));
        return;
      default:
        step satisfies never;
    }
  }

  #sendAgain(pending: Pending, step: Extract<LineStep, { waiting: Waiting }>): void {
    const { command, data } = pending.request;
    const nbl = step.kind === "renew" ? this.#nextNumber() : step.waiting.nbl;
    pending.waiting = { ...step.waiting, nbl };
    this.#environment.log("debug", "frame sent again", { command, reason: step.kind });
    this.#send(encodeRequest({ nbl, command, data }));
  }

  #send(bytes: Uint8Array): void {
    this.#listen(ANSWER_WAIT_MS);
    this.#line.write(bytes);
  }

  #listen(ms: number): void {
    this.#cancelSilence?.();
    this.#cancelSilence = this.#environment.setTimer(ms, () => {
      this.#cancelSilence = undefined;
      this.#take({ kind: "silence" });
    });
  }

  #settle(): void {
    this.#pending = undefined;
    this.#cancelSilence?.();
    this.#cancelSilence = undefined;
    this.#cancelLimit?.();
    this.#cancelLimit = undefined;
  }

  #fail(fault: FiscalError): void {
    this.#fault ??= fault;
    this.#pinged?.(undefined);
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
