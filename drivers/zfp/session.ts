/**
 * One open line to a device: sends a command, waits for its answer, one at a time. What it does on
 * silence, NAK and damage is in `exchange-rules.ts`; here are the bytes and timers.
 */

import type { DriverEnvironment, Line } from "#core/driver.ts";
import { LineFault } from "#core/errors.ts";
import { type CommandLimit, CommandTimer } from "../shared/command-timer.ts";
import { FrameNumbers } from "../shared/frame-numbers.ts";
import { LineTurn } from "../shared/line-turn.ts";
import { RestartingTimer } from "../shared/restarting-timer.ts";
import {
  firstSent,
  type LineInput,
  type LineStep,
  nextStep,
  PING_WAIT_MS,
  silenceMs,
  type Waiting,
} from "./exchange-rules.ts";
import {
  type AckFrame,
  type DataFrame,
  encodeRequest,
  MESSAGE_NUMBERS,
  PING,
  ReplyDecoder,
} from "./frame.ts";

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
  /** As last sent. */
  bytes: Uint8Array;
  waiting: Waiting;
}

/** An open line at work. After a fault it is of no more use: open a new line. */
export class ZfpSession {
  readonly #line: Line;
  readonly #environment: DriverEnvironment;
  readonly #decoder = new ReplyDecoder();
  readonly #numbers: FrameNumbers;
  readonly #turn: LineTurn<Pending, SessionReply>;
  readonly #silenceTimer: RestartingTimer;
  readonly #limitTimer: CommandTimer;
  #pinged: ((state: number | undefined) => void) | undefined;

  constructor(line: Line, environment: DriverEnvironment) {
    this.#line = line;
    this.#environment = environment;
    this.#silenceTimer = new RestartingTimer(environment);
    this.#limitTimer = new CommandTimer(environment, () => this.#take({ kind: "limit" }));
    this.#numbers = new FrameNumbers(environment, MESSAGE_NUMBERS);
    this.#turn = new LineTurn(line, () => {
      this.#silenceTimer.stop();
      this.#limitTimer.stop();
      // Who asks whether a device is there has no turn, but the same line.
      this.#pinged?.(undefined);
    });
    this.#turn.listen((chunk) => this.#hear(chunk));
  }

  /**
   * Sends one command and waits for its answer.
   * @throws FiscalError a line fault (E102, E202, E203, E500, E501, E304 and E306 of a device that
   *   holds its answer back), or E400 for data that is too long for a frame; only the latter leaves
   *   the session usable
   */
  exchange(request: SessionRequest): Promise<SessionReply> {
    const { command, data, reads } = request;
    const prepare = (): Pending => {
      const nbl = this.#numbers.next();
      const bytes = encodeRequest({ nbl, command, data });
      return { request, bytes, waiting: firstSent({ nbl, command, reads }) };
    };
    return this.#turn.take(prepare, (pending) => {
      this.#limitTimer.start(request.limit ?? "normal");
      this.#send(pending);
    });
  }

  /**
   * Asks whether a device is there, as often as the manual wants.
   * @returns its state byte; undefined when nobody answers
   * @throws FiscalError E102 when the line is gone
   */
  async ping(): Promise<number | undefined> {
    for (let round = 0; round < PINGS_MAX; round += 1) {
      if (this.#turn.fault) throw this.#turn.fault;
      const state = await this.#pingOnce();
      if (state !== undefined) return state;
    }
    if (this.#turn.fault) throw this.#turn.fault;
    return undefined;
  }

  /** Ends the session and its line; a command under way rejects with E102. */
  close(): void {
    this.#turn.close();
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

  #hear(chunk: Uint8Array): void {
    for (const event of this.#decoder.push(chunk)) {
      if (event.kind === "ping" && this.#pinged) this.#pinged(event.state);
      else this.#take(event);
    }
  }

  #take(input: LineInput): void {
    const pending = this.#turn.command;
    if (pending) this.#carryOut(pending, nextStep(pending.waiting, input));
  }

  #carryOut(pending: Pending, step: LineStep): void {
    switch (step.kind) {
      case "deliver":
        this.#turn.answer(step.frame);
        return;
      case "ignore":
        return;
      case "extend":
        this.#limitTimer.extend();
        pending.waiting = step.waiting;
        this.#listen(step.waiting);
        return;
      case "wait":
        pending.waiting = step.waiting;
        this.#listen(step.waiting);
        return;
      case "ping":
        pending.waiting = step.waiting;
        this.#listen(step.waiting);
        this.#line.write(Uint8Array.of(PING));
        return;
      case "resend":
      case "renew":
        this.#sendAgain(pending, step);
        return;
      case "fail":
        this.#turn.break(new LineFault(step.code, step.message));
        return;
      default:
        step satisfies never;
    }
  }

  #sendAgain(pending: Pending, step: Extract<LineStep, { waiting: Waiting }>): void {
    const { command, data } = pending.request;
    const nbl = step.kind === "renew" ? this.#numbers.next() : step.waiting.nbl;
    pending.waiting = { ...step.waiting, nbl };
    pending.bytes = encodeRequest({ nbl, command, data });
    this.#environment.log("debug", "frame sent again", { command, reason: step.kind });
    this.#send(pending);
  }

  #send(pending: Pending): void {
    this.#listen(pending.waiting);
    this.#line.write(pending.bytes);
  }

  #listen(waiting: Waiting): void {
    this.#silenceTimer.start(silenceMs(waiting), () => this.#take({ kind: "silence" }));
  }
}
