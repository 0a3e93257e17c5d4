/** One device command on its way through the simulated device. */

import type { ServiceLine } from "../../simulator/books/books.ts";
import type { BookEntry } from "../../simulator/books/entries.ts";
import type { DeviceMemory } from "../../simulator/books/memory.ts";
import type { Decision, RefusalReason } from "../../simulator/books/refusal.ts";
import type { ShtrihModel } from "./model.ts";
import { REFUSAL_BYTES } from "./refusal-bytes.ts";

/** Ends a command without effect. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly errorByte: number;

  constructor(errorByte: number) {
    super(`refused with ${errorByte}`);
    this.errorByte = errorByte;
  }
}

/** What the device holds without a battery. */
export interface VolatileState {
  /** Lines printed outside of any document, up to the next cut. */
  loose: ServiceLine[];
  /** Paper ran out while something was being printed, which has not been gone on with. */
  unfinished: boolean;
  /** What is being printed, after it was carried out. */
  printing: Printing | undefined;
}

export interface Printing {
  /** UTC milliseconds of the computer. */
  readonly until: number;
  readonly isReport: boolean;
  /** The mode byte of a receipt that was open: it stays until that is printed. */
  readonly mode: number | undefined;
}

/** Right after the device was switched on. */
export function switchedOn(): VolatileState {
  return { loose: [], unfinished: false, printing: undefined };
}

export interface DeviceCommand {
  readonly memory: DeviceMemory;
  readonly model: ShtrihModel;
  readonly volatile: VolatileState;
  /** Number of the operator whose password came with the command. */
  readonly operator: number;
  readonly parameters: Parameters;
}

/** The refusal that the books give as a reason. */
export function refused(reason: RefusalReason): Refused {
  return new Refused(REFUSAL_BYTES[reason]);
}

/** Carries out what a rule decided. @throws Refused when it decided against */
export function carryOut({ memory }: DeviceCommand, decision: Decision): void {
  const refusal = memory.carryOut(decision);
  if (refusal) throw refused(refusal.refused);
}

/** Makes a change that nothing forbids. */
export function commit({ memory }: DeviceCommand, entry: BookEntry): void {
  memory.commit(entry);
}

const DECODER = new TextDecoder("windows-1251");

/** The bytes after the password, read from the front. */
export class Parameters {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** An unsigned integer, low byte first. @throws Refused when bytes are missing */
  integer(size: number): number {
    return this.bytes(size).reduceRight((value, byte) => value * 256 + byte, 0);
  }

  bytes(size: number): Uint8Array {
    if (this.#bytes.length - this.#at < size) throw refused("syntax");
    this.#at += size;
    return this.#bytes.subarray(this.#at - size, this.#at);
  }

  /** What is left, as text up to the first zero. */
  text(): string {
    const rest = this.rest();
    const end = rest.indexOf(0);
    return DECODER.decode(end < 0 ? rest : rest.subarray(0, end)).trimEnd();
  }

  rest(): Uint8Array {
    const rest = this.#bytes.subarray(this.#at);
    this.#at = this.#bytes.length;
    return rest;
  }

  /** @throws Refused when something is left over */
  end(): void {
    if (this.#at !== this.#bytes.length) throw refused("syntax");
  }
}
