/**
 * The ZFP side of a simulated device: checks frames, carries commands out on the books and builds
 * the answers. Message numbers are only echoed. No manual says what a device does with one that it
 * has just seen, so this one takes the worst case: it carries the command out again.
 */

import type { DeviceMemory } from "../../simulator/books/memory.ts";
import { refuse } from "../../simulator/books/refusal.ts";
import type { LineEvent, Responder } from "../../simulator/engine.ts";
import {
  encodeAck,
  encodeData,
  NACK,
  PRESENCE,
  READINESS,
  RETRY,
  RequestDecoder,
  type RequestEvent,
  type RequestFrame,
} from "../frame.ts";
import { capacities } from "./capacities.ts";
import { encodeText } from "./code-page.ts";
import { CHANGES, READS } from "./commands.ts";
import { type Answer, DeviceCommand, Refused } from "./device-command.ts";
import type { ZfpModel } from "./model.ts";
import {
  CARRIED_OUT,
  digitsOf,
  type ErrorDigits,
  PAPER_RAN_OUT,
  POWER_LOST,
} from "./refusal-codes.ts";

const STATUS_COMMAND = 0x20;
const PING_READY = 0x40;
const PING_BUSY = 0x01;
const PING_NO_PAPER = 0x02;
const DIGIT_BASE = 0x30;
/** `I`, behind GS. */
const CAPACITIES = 0x49;
const NOTHING = new Uint8Array();

type Outcome = { readonly answer: Answer } | { readonly digits: ErrorDigits };

export class ZfpResponder implements Responder {
  readonly busySign = Uint8Array.of(RETRY);
  readonly #memory: DeviceMemory;
  readonly #model: ZfpModel;
  /** The last frame that came. */
  #last: Pick<RequestFrame, "nbl" | "command"> | undefined;
  /** Power was lost in an open receipt, and the status was not read since. */
  #powerLost = false;

  constructor(memory: DeviceMemory, model: ZfpModel) {
    this.#memory = memory;
    this.#model = model;
  }

  listen(): (chunk: Uint8Array) => readonly LineEvent[] {
    const decoder = new RequestDecoder();
    return (chunk) => decoder.push(chunk).map((event) => this.#hear(event));
  }

  forget(): void {
    this.#last = undefined;
    this.#powerLost = this.#memory.books.open?.open === "receipt";
  }

  #hear(event: RequestEvent): LineEvent {
    switch (event.kind) {
      case "request":
        return {
          kind: "frame",
          command: event.command,
          execute: (executed) => this.#take(event, executed),
          isRepeat: () => event.nbl === this.#last?.nbl && event.command === this.#last.command,
        };
      case "garbled":
        return { kind: "answer", bytes: Uint8Array.of(NACK) };
      case "presence":
        return { kind: "answer", bytes: Uint8Array.of(PRESENCE) };
      case "readiness":
        // UNCONFIRMED on a device: that a busy one says nothing until it is free.
        return { kind: "answer", bytes: Uint8Array.of(READINESS), whenBusy: NOTHING };
      case "auxiliary": {
        const line = event.letter === CAPACITIES ? capacities(this.#model) : "";
        return { kind: "answer", bytes: encodeText(line), whenBusy: NOTHING };
      }
      case "ping": {
        const state =
          PING_READY | (this.#memory.books.conditions.paper === "out" ? PING_NO_PAPER : 0);
        return {
          kind: "answer",
          bytes: Uint8Array.of(state),
          whenBusy: Uint8Array.of(state | PING_BUSY),
        };
      }
      default:
        return event satisfies never;
    }
  }

  #take({ nbl, command, data }: RequestFrame, executed: () => void): Uint8Array {
    this.#last = { nbl, command };
    const hadPaper = this.#memory.books.conditions.paper !== "out";
    const outcome = this.#carryOut(command, data);
    executed();
    if (command === STATUS_COMMAND) this.#powerLost = false;
    if ("answer" in outcome && outcome.answer !== undefined) {
      const { answer } = outcome;
      const bytes = typeof answer === "string" ? encodeText(answer) : answer;
      return encodeData({ nbl, command, data: bytes });
    }
    const ranOut = hadPaper && this.#memory.books.conditions.paper === "out";
    const done = ranOut ? PAPER_RAN_OUT : CARRIED_OUT;
    const [deviceError, commandError] = "digits" in outcome ? outcome.digits : done;
    return encodeAck({
      nbl,
      deviceError: DIGIT_BASE + deviceError,
      commandError: DIGIT_BASE + commandError,
    });
  }

  #carryOut(code: number, data: Uint8Array): Outcome {
    const handler = READS.get(code) ?? CHANGES.get(code);
    if (!handler) return { digits: digitsOf(refuse("unknown_command").refused) };
    if (this.#memory.isRefusing) return { digits: digitsOf("syntax") };
    if (this.#powerLost && CHANGES.has(code)) return { digits: POWER_LOST };
    const command = new DeviceCommand({
      memory: this.#memory,
      model: this.#model,
      data,
      powerLost: this.#powerLost,
    });
    try {
      const answer = handler(command);
      return this.#memory.isDenying ? { digits: digitsOf("syntax") } : { answer };
    } catch (error) {
      if (error instanceof Refused) return { digits: digitsOf(error.refusal.refused) };
      throw error;
    }
  }
}
