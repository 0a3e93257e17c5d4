/** What a device answered to one device command. */

import { FiscalError } from "#core/errors.ts";
import { parseScaled } from "#core/money.ts";

export interface AnswerParts {
  /** The named fields of the answer. */
  readonly fields: Readonly<Record<string, string>>;
  /** True when none of the named fields says anything. */
  readonly isBare: boolean;
  /** All fields in order, an error number in front not counted. */
  readonly list: readonly string[];
  readonly data: Uint8Array;
  readonly status: Uint8Array;
  /** True when the frame went out more than once, after silence or a damaged answer. */
  readonly resentInDoubt: boolean;
  /** The device's refusal, when it refused. */
  readonly fault: FiscalError | undefined;
  readonly wholeAmounts: "units" | "minor";
}

/** An answer with its fields by name. A field that is missing or malformed throws E902. */
export class Answer {
  readonly #parts: AnswerParts;

  constructor(parts: AnswerParts) {
    this.#parts = parts;
  }

  get fault(): FiscalError | undefined {
    return this.#parts.fault;
  }

  /** True when it holds none of the fields that such a command is answered with. */
  get isBare(): boolean {
    return this.#parts.isBare;
  }

  get resentInDoubt(): boolean {
    return this.#parts.resentInDoubt;
  }

  get data(): Uint8Array {
    return this.#parts.data;
  }

  get status(): Uint8Array {
    return this.#parts.status;
  }

  get list(): readonly string[] {
    return this.#parts.list;
  }

  /** A field, or undefined when the device left it out or empty. */
  optional(name: string): string | undefined {
    const value = this.#parts.fields[name]?.trim();
    return value === "" ? undefined : value;
  }

  /** A line of text: blanks in front place it on the paper. */
  line(name: string): string {
    return this.#parts.fields[name]?.trimEnd() ?? "";
  }

  /** A field as the device wrote it, blanks and all; empty when it was left out. */
  raw(name: string): string {
    return this.#parts.fields[name] ?? "";
  }

  /** A field. @throws FiscalError E902 when it is missing */
  text(name: string): string {
    const value = this.optional(name);
    if (value === undefined) throw new FiscalError("E902", `The answer has no field ${name}`);
    return value;
  }

  /** A number or count, which is never negative. @throws FiscalError E902 when it is not one */
  integer(name: string): number {
    const text = this.text(name);
    if (!/^\+?\d{1,15}$/.test(text)) {
      throw new FiscalError("E902", `The answer's field ${name} is not a number`);
    }
    return Number(text);
  }

  /** An amount in minor units. @throws FiscalError E902 when it is not one */
  minor(name: string): number {
    const amount = this.toMinor(this.text(name));
    if (amount === undefined) {
      throw new FiscalError("E902", `The answer's field ${name} is not an amount`);
    }
    return amount;
  }

  /** An amount as the device writes it, in minor units; undefined when it is not one. */
  toMinor(text: string): number | undefined {
    const unsigned = text.trim().replace(/^\+/, "");
    const whole = !unsigned.includes(".") && this.#parts.wholeAmounts === "minor";
    return parseScaled(unsigned, whole ? 0 : 2);
  }
}
