/**
 * The Shtrih-M side of a simulated device: takes commands, carries them out on the books, and keeps
 * each answer until it is acknowledged. The answer is lost with the power.
 */

import type { LineEvent, ProtocolFace } from "../../simulator/engine.ts";
import type { DeviceMemory } from "../../simulator/memory.ts";
import { ACK, encodeFrame, FrameDecoder, type LineToken, NAK } from "../frame.ts";
import { Parameters, Refused, refused, type VolatileState } from "./call.ts";
import { COMMANDS, type CommandRow } from "./commands.ts";
import type { ShtrihModel } from "./model.ts";
import { ERROR } from "./refusal-bytes.ts";

const ACK_SIGN = Uint8Array.of(ACK);
const NAK_SIGN = Uint8Array.of(NAK);
const PASSWORD_BYTES = 4;
const ADMINISTRATORS_FROM = 29;

export class ShtrihFace implements ProtocolFace {
  readonly busySign = undefined;
  readonly #memory: DeviceMemory;
  readonly #model: ShtrihModel;
  /** The last answer, until a host acknowledges it. */
  #answer: Uint8Array | undefined;
  #volatile: VolatileState = { loose: [], unfinished: false };

  constructor(memory: DeviceMemory, model: ShtrihModel) {
    this.#memory = memory;
    this.#model = model;
  }

  listen(): (chunk: Uint8Array) => readonly LineEvent[] {
    const decoder = new FrameDecoder();
    return (chunk) => decoder.push(chunk).flatMap((token) => this.#take(token));
  }

  forget(): void {
    this.#answer = undefined;
    this.#volatile = { loose: [], unfinished: false };
  }

  #take(token: LineToken): LineEvent[] {
    switch (token.kind) {
      case "enq":
        // While a command runs, its answer is on its way and nothing is there to be repeated.
        return [
          {
            kind: "answer",
            bytes: this.#answer ? join(ACK_SIGN, this.#answer) : NAK_SIGN,
            whenBusy: ACK_SIGN,
          },
        ];
      case "ack":
        this.#answer = undefined;
        return [];
      case "damaged":
        return [{ kind: "answer", bytes: NAK_SIGN }];
      case "frame":
        return [
          {
            kind: "frame",
            accepted: ACK_SIGN,
            execute: (executed) => this.#execute(token.body, executed),
          },
        ];
      case "nak":
      case "junk":
        return [];
      default:
        return token satisfies never;
    }
  }

  #execute(body: Uint8Array, executed: () => void): Uint8Array {
    const isLong = body[0] === 0xff || body[0] === 0xfe;
    const code = body.subarray(0, isLong ? 2 : 1);
    const answer = this.#carryOut(isLong ? -1 : (body[0] ?? 0), body.subarray(code.length));
    executed();
    const { paper, printingWaits } = this.#memory.books.conditions;
    if (paper === "out" && printingWaits) this.#volatile.unfinished = true;
    this.#answer = encodeFrame(Uint8Array.from([...code, ...answer]));
    return this.#answer;
  }

  /** Error byte and data. */
  #carryOut(code: number, rest: Uint8Array): readonly number[] {
    const row = COMMANDS.get(code);
    try {
      if (!row || (row.needs && !this.#model.has[row.needs])) throw refused("unknown_command");
      const operator = row.password === "none" ? 0 : this.#identify(row, rest);
      if (row.prints) this.#requirePaper();
      const data = row.run({
        memory: this.#memory,
        model: this.#model,
        volatile: this.#volatile,
        operator,
        parameters: new Parameters(rest.subarray(operator === 0 ? 0 : PASSWORD_BYTES)),
      });
      return row.tellsOperator ? [0, operator, ...data] : [0, ...data];
    } catch (error) {
      if (error instanceof Refused) return [error.errorByte];
      throw error;
    }
  }

  /** The operator that a password belongs to. @throws Refused */
  #identify({ password }: CommandRow, rest: Uint8Array): number {
    const given = String(new Parameters(rest).integer(PASSWORD_BYTES));
    const { operators } = this.#memory.books;
    const operator = operators.findIndex((one) => one.password === given) + 1;
    const isEnough = password === "operator" || operator >= ADMINISTRATORS_FROM;
    if (operator === 0 || !isEnough) throw new Refused(ERROR.wrongPassword);
    return operator;
  }

  #requirePaper(): void {
    const { paper, cover } = this.#memory.books.conditions;
    if (paper === "out" || cover === "open") throw refused("paper_out");
    if (this.#volatile.unfinished) throw new Refused(ERROR.waitsForContinue);
  }
}

function join(one: Uint8Array, other: Uint8Array): Uint8Array {
  return Uint8Array.from([...one, ...other]);
}
