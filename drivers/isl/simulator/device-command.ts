/** One device command on its way through the simulated device. */

import type { LastTransaction } from "../../simulator/books/books.ts";
import type { DeviceMemory } from "../../simulator/books/memory.ts";
import type { Decision, Refusal, RefusalReason } from "../../simulator/books/refusal.ts";
import { decodeText } from "./code-page.ts";
import type { IslTraits } from "./traits.ts";

/** What the device holds without a battery: gone when the power goes. */
export interface VolatileState {
  /** The document that a journal read goes through, as text lines not read yet. */
  journal: string[] | undefined;
  /** Bytes of a logo on its way in. */
  logo: Uint8Array[] | undefined;
  /** The last receipt as it was when the power went, on a device that has forgotten it since. */
  readonly forgotten: LastTransaction | null;
}

/** How short frames say that a command was refused, besides or instead of the status bits. */
export interface RefusalWords {
  readonly data: string;
  /** Whether the status bits show the refusal as well. */
  readonly bits: boolean;
}

/** Ends a command without effect. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly refusal: Refusal;
  readonly words: RefusalWords;

  constructor(refusal: Refusal, words: RefusalWords = { data: "", bits: true }) {
    super(refusal.refused);
    this.refusal = refusal;
    this.words = words;
  }
}

/** Reply data: text in the device's code page, or bytes as they are. */
export type Answer = string | Uint8Array;

/** Carries a command out. @throws Refused when the device does not do it */
export type Handler = (command: DeviceCommand) => Answer;

/** The commands of a model by their number. */
export type CommandTable = ReadonlyMap<number, Handler>;

export interface DeviceCommandOptions {
  readonly memory: DeviceMemory;
  readonly model: IslTraits;
  readonly volatile: VolatileState;
  readonly data: Uint8Array;
  /** The status bytes as of now. */
  readonly status: () => Uint8Array;
}

export class DeviceCommand {
  readonly memory: DeviceMemory;
  readonly model: IslTraits;
  readonly volatile: VolatileState;
  /** The data as text. */
  readonly text: string;
  readonly status: () => Uint8Array;

  constructor(options: DeviceCommandOptions) {
    this.memory = options.memory;
    this.model = options.model;
    this.volatile = options.volatile;
    this.status = options.status;
    this.text = decodeText(options.data, options.model.codePage);
  }

  get books() {
    return this.memory.books;
  }

  /** What the device still counts of its last receipt; undefined where it knows of none. */
  get lastTransaction(): LastTransaction | undefined {
    const { lastTransaction } = this.books;
    if (lastTransaction === null || lastTransaction === this.volatile.forgotten) return undefined;
    return lastTransaction;
  }

  /** Carries out what a rule decided. @throws Refused in these words when it decided against */
  carryOut(decision: Decision, words?: RefusalWords): void {
    const refusal = this.memory.carryOut(decision);
    if (refusal) throw new Refused(refusal, words);
  }

  /** Refuses data where the command takes none. */
  expectNoData(): void {
    if (this.text !== "") throw refused("syntax");
  }
}

/** A refusal to throw. */
export function refused(reason: RefusalReason, parameter?: number): Refused {
  return new Refused(
    parameter === undefined ? { refused: reason } : { refused: reason, parameter },
  );
}
