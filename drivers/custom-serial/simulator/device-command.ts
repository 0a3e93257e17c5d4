/** One device command on its way through the simulated device. */

import type { BookEntry } from "../../simulator/books/entries.ts";
import type { DeviceMemory } from "../../simulator/books/memory.ts";
import { type Decision, isRefusal, type RefusalReason } from "../../simulator/books/refusal.ts";
import { ERROR, ERROR_NUMBERS } from "./error-codes.ts";
import type { CustomModel } from "./model.ts";

/** Ends a command without effect. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly number: number;

  constructor(number: number) {
    super(`refused with ${number}`);
    this.number = number;
  }
}

/** What the device holds without a battery. */
export interface VolatileState {
  /** The last error, as 1015 tells it. */
  lastError: number;
  /** The last document has left the device and no other has begun. */
  ejected: boolean;
  /** A clock setting that waits to be confirmed, and how often it still must be. */
  clock: { readonly text: string; readonly confirmations: number } | undefined;
  /** Header lines that are not in the fiscal memory yet. */
  header: Map<number, string>;
  logo: { readonly slot: number; readonly size: number; hex: string } | undefined;
  /** The document that an annulment was checked for. */
  annulment: string | undefined;
  drawerOpen: boolean;
}

/** A device that was just switched on. */
export function switchedOn(): VolatileState {
  return {
    lastError: 0,
    ejected: false,
    clock: undefined,
    header: new Map(),
    logo: undefined,
    annulment: undefined,
    drawerOpen: false,
  };
}

export interface DeviceCommand {
  readonly memory: DeviceMemory;
  readonly model: CustomModel;
  readonly volatile: VolatileState;
  readonly fields: Fields;
}

/** Carries a command out. @returns the data behind the echo @throws Refused */
export type Handler = (command: DeviceCommand) => string;

/** The refusal that the books give as a reason. */
export function refused(reason: RefusalReason, model: CustomModel): Refused {
  return new Refused(reason === "cover_open" ? model.coverError : ERROR_NUMBERS[reason]);
}

/** The change that a rule decided on. @throws Refused when it decided against */
export function allowed({ model }: DeviceCommand, decision: Decision): BookEntry {
  if (isRefusal(decision)) throw refused(decision.refused, model);
  return decision.entry;
}

/** Makes the change that a rule decided on. @throws Refused when it decided against */
export function carryOut(command: DeviceCommand, decision: Decision): void {
  command.memory.commit(allowed(command, decision));
}

/** The data of a command, read from the front: all fields have a fixed or a stated width. */
export class Fields {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** True when nothing is left. */
  get isEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Characters as they are. @throws Refused when there are fewer */
  take(width: number): string {
    if (this.#text.length - this.#at < width) throw new Refused(ERROR.length);
    this.#at += width;
    return this.#text.slice(this.#at - width, this.#at);
  }

  /** A number filled up with zeros. @throws Refused */
  number(width: number): number {
    const digits = this.take(width);
    if (!/^\d+$/.test(digits)) throw new Refused(ERROR.value);
    return Number(digits);
  }

  /** One of these characters. @throws Refused */
  choice<const Choice extends string>(choices: readonly Choice[]): Choice {
    const taken = this.take(1);
    const chosen = choices.find((choice) => choice === taken);
    if (chosen === undefined) throw new Refused(ERROR.value);
    return chosen;
  }

  /** Two digits of length, then as much text. @throws Refused when that is out of bounds */
  text({ least = 0, most }: { readonly least?: number; readonly most: number }): string {
    const length = this.number(2);
    if (length < least || length > most) throw new Refused(ERROR.length);
    return this.take(length);
  }

  /** Everything that is left. */
  rest(): string {
    return this.take(this.#text.length - this.#at);
  }

  /** @throws Refused when something is left over */
  end(): void {
    if (!this.isEnd) throw new Refused(ERROR.length);
  }
}

/** A number filled up with zeros; what does not fit is cut, as a register overflows. */
export function zeroFilled(value: number, width: number): string {
  return String(value % 10 ** width).padStart(width, "0");
}
