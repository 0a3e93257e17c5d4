/**
 * The CUSTOM side of a simulated device: takes frames, carries commands out on the books, and keeps
 * each answer until the host has confirmed that it heard the acknowledgement.
 *
 * The counter of the last command is not battery-backed: after a loss of power the device takes
 * the frame of before for a new one. The manual does not say so; it is the case in which a host
 * that sends a frame again without asking prints twice.
 */

import type { DeviceMemory } from "../../simulator/books/memory.ts";
import type { LineEvent, Responder } from "../../simulator/engine.ts";
import { Machine } from "./machine.ts";
import type { CustomModel } from "./model.ts";
import { ACK, bareReply, frameReply, HostDecoder, type HostEvent, NACK } from "./wire.ts";

const ACK_SIGN = Uint8Array.of(ACK);
const NACK_SIGN = Uint8Array.of(NACK);
const NOTHING = new Uint8Array();
/** The counter that is taken even when the last one was the same. */
const SYNCHRONISING = "00";

/** What a host on one line is owed. */
interface Owed {
  /** The answer to its last command, which it has not confirmed yet. */
  answer: Uint8Array | undefined;
  /** It has confirmed before there was an answer. */
  isConfirmed: boolean;
}

export class CustomResponder implements Responder {
  readonly busySign = undefined;
  readonly #model: CustomModel;
  readonly #machine: Machine;
  #lastCounter: string | undefined;

  constructor(memory: DeviceMemory, model: CustomModel) {
    this.#model = model;
    this.#machine = new Machine(memory, model);
  }

  listen(): (chunk: Uint8Array) => readonly LineEvent[] {
    const decoder = new HostDecoder();
    const owed: Owed = { answer: undefined, isConfirmed: false };
    return (chunk) => decoder.push(chunk).flatMap((event) => this.#hear(event, owed));
  }

  forget(): void {
    this.#machine.forget();
    this.#lastCounter = undefined;
  }

  /** A bare answer has no checksum: what a bad line does to it shows as a wrong parity bit. */
  damage(answer: Uint8Array): Uint8Array {
    const damaged = answer.slice();
    const { framedReplies } = this.#model;
    const at = framedReplies ? Math.max(0, damaged.length - 3) : 0;
    damaged[at] = (damaged[at] ?? 0) ^ (framedReplies ? 0x01 : 0x80);
    return damaged;
  }

  #hear(event: HostEvent, owed: Owed): readonly LineEvent[] {
    switch (event.kind) {
      case "damaged":
        return [{ kind: "answer", bytes: NACK_SIGN }];
      case "confirmed": {
        const { answer } = owed;
        owed.answer = undefined;
        owed.isConfirmed = answer === undefined;
        return answer ? [{ kind: "answer", bytes: answer }] : [];
      }
      case "command":
        return [new Exchange(owed, (executed) => this.#take(event, executed))];
      default:
        return event satisfies never;
    }
  }

  /** The answer to a command; undefined when it is not taken for a new one. */
  #take(
    { counter, command }: Extract<HostEvent, { kind: "command" }>,
    executed: () => void,
  ): Uint8Array | undefined {
    if (counter === this.#lastCounter && counter !== SYNCHRONISING) return undefined;
    this.#lastCounter = counter;
    const text = this.#machine.carryOut(command);
    executed();
    return this.#model.framedReplies ? frameReply(counter, text) : bareReply(text);
  }
}

/** One command on its way: acknowledged, then answered when the host has confirmed that. */
class Exchange {
  readonly kind = "frame";
  readonly #owed: Owed;
  readonly #take: (executed: () => void) => Uint8Array | undefined;
  #isTaken = false;

  constructor(owed: Owed, take: (executed: () => void) => Uint8Array | undefined) {
    this.#owed = owed;
    this.#take = take;
  }

  /** Known once the command was executed. */
  get accepted(): Uint8Array | undefined {
    return this.#isTaken ? ACK_SIGN : undefined;
  }

  /** @returns the answer, or the sign that there will be none */
  execute(executed: () => void): Uint8Array {
    this.#owed.answer = undefined;
    this.#owed.isConfirmed = false;
    const answer = this.#take(executed);
    this.#isTaken = answer !== undefined;
    return answer ?? NACK_SIGN;
  }

  release(answer: Uint8Array): Uint8Array {
    if (!this.#isTaken || this.#owed.isConfirmed) {
      this.#owed.isConfirmed = false;
      return answer;
    }
    this.#owed.answer = answer;
    return NOTHING;
  }
}
