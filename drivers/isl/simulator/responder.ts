/**
 * The ISL side of a simulated device: checks frames, remembers the last sequence number, carries
 * commands out on the books and builds the answers.
 */

import type { DeviceMemory } from "../../simulator/books/memory.ts";
import { type Refusal, refuse } from "../../simulator/books/refusal.ts";
import type { LineEvent, Responder } from "../../simulator/engine.ts";
import { encodeReply, NAK, RequestDecoder, type RequestFrame, SYN } from "../frame.ts";
import { encodeText } from "./code-page.ts";
import { type Answer, DeviceCommand, Refused, type VolatileState } from "./device-command.ts";
import type { IslModel } from "./model.ts";
import { refusalNumber } from "./refusal-codes.ts";
import { statusBytes } from "./status-bytes.ts";

const SYN_SIGN = Uint8Array.of(SYN);
const NAK_EVENT: LineEvent = { kind: "answer", bytes: Uint8Array.of(NAK) };

export class IslResponder implements Responder {
  readonly busySign = SYN_SIGN;
  readonly #memory: DeviceMemory;
  readonly #model: IslModel;
  /** The last frame that was accepted. Not battery-backed. */
  #last: { readonly seq: number; readonly command: number; readonly reply: Uint8Array } | undefined;
  #volatile: VolatileState = freshState(null);

  constructor(memory: DeviceMemory, model: IslModel) {
    this.#memory = memory;
    this.#model = model;
  }

  listen(): (chunk: Uint8Array) => readonly LineEvent[] {
    const decoder = new RequestDecoder(this.#model.generation);
    return (chunk) => {
      const events: LineEvent[] = [];
      for (const event of decoder.push(chunk)) {
        if (event.kind === "request") {
          events.push({
            kind: "frame",
            execute: (executed) => this.#take(event, executed),
            isRepeat: () => this.#isRepeat(event),
            command: event.command,
          });
        } else if (event.kind === "garbled") {
          events.push(NAK_EVENT);
        }
      }
      return events;
    };
  }

  forget(): void {
    this.#last = undefined;
    const { lastTransaction } = this.#memory.books;
    this.#volatile = freshState(this.#model.keepsLastReceipt ? null : lastTransaction);
  }

  /**
   * A frame with the sequence number of the last one accepted is that frame sent again: it is
   * answered once more and not executed, whatever else it holds; some devices also compare the
   * command.
   */
  #take(frame: RequestFrame, executed: () => void): Uint8Array {
    if (this.#last && this.#isRepeat(frame)) return this.#last.reply;
    const { answer, refusal } = this.#carryOut(frame);
    executed();
    const reply = encodeReply(this.#model.generation, {
      seq: frame.seq,
      command: frame.command,
      data: typeof answer === "string" ? encodeText(answer, this.#model.codePage) : answer,
      status: statusBytes(this.#memory, this.#model, refusal),
    });
    this.#last = { seq: frame.seq, command: frame.command, reply };
    return reply;
  }

  #isRepeat({ seq, command }: RequestFrame): boolean {
    const last = this.#last;
    if (seq !== last?.seq) return false;
    return this.#model.repeats === "number" || command === last.command;
  }

  #carryOut(frame: RequestFrame): { answer: Answer; refusal: Refusal | undefined } {
    const handler = this.#model.commands.get(frame.command);
    if (!handler) return this.#refuse(new Refused(refuse("unknown_command")));
    if (this.#memory.isRefusing || frame.data.length > this.#model.requestBytesMax) {
      return this.#refuse(new Refused(refuse("syntax")));
    }
    const command = new DeviceCommand({
      memory: this.#memory,
      model: this.#model,
      volatile: this.#volatile,
      data: frame.data,
      status: () => statusBytes(this.#memory, this.#model, undefined),
    });
    try {
      const answer = handler(command);
      if (this.#memory.isDenying) throw new Refused(refuse("syntax"));
      return { answer, refusal: undefined };
    } catch (error) {
      if (error instanceof Refused) return this.#refuse(error);
      throw error;
    }
  }

  /** Long frames name the reason; short ones leave it to status bits or to words in the data. */
  #refuse({ refusal, words }: Refused): { answer: Answer; refusal: Refusal | undefined } {
    if (this.#model.generation === "long") {
      return { answer: `${refusalNumber(refusal)}\t`, refusal };
    }
    return { answer: words.data, refusal: words.bits ? refusal : undefined };
  }
}

function freshState(forgotten: VolatileState["forgotten"]): VolatileState {
  return { journal: undefined, logo: undefined, forgotten };
}
