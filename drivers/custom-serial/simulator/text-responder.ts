/**
 * The line of a device in XON/XOFF mode: it carries out what it understands and says nothing,
 * neither then nor when it refuses.
 */

import type { DeviceMemory } from "../../simulator/books/memory.ts";
import type { LineEvent, Responder } from "../../simulator/engine.ts";
import { Machine } from "./machine.ts";
import type { CustomModel } from "./model.ts";
import { type TextCommand, TextCommandDecoder, translate } from "./text-language.ts";

const SILENCE = new Uint8Array();
/** The answer to a payment that leaves nothing to pay. */
const PAID = /^3007-/;

export class TextResponder implements Responder {
  readonly busySign = undefined;
  readonly #machine: Machine;

  constructor(memory: DeviceMemory, model: CustomModel) {
    this.#machine = new Machine(memory, model);
  }

  listen(): (chunk: Uint8Array) => readonly LineEvent[] {
    const decoder = new TextCommandDecoder();
    return (chunk) =>
      decoder.push(chunk).map((command) => ({
        kind: "frame",
        execute: (executed) => {
          this.#carryOut(command);
          executed();
          return SILENCE;
        },
      }));
  }

  forget(): void {
    this.#machine.forget();
  }

  #carryOut(command: TextCommand): void {
    const numbered = translate(command);
    if (numbered === undefined) return;
    const answer = this.#machine.carryOut(numbered);
    // A paid receipt ends by itself.
    if (PAID.test(answer)) for (const end of ["3011", "3013"]) this.#machine.carryOut(end);
  }
}
