/** What a device answered to one command. */

import { FiscalError } from "#core/errors.ts";
import { parseScaled } from "#core/money.ts";

export interface AnswerParts {
  readonly data: Uint8Array;
  readonly text: string;
  /** The device's refusal, when it refused. */
  readonly fault: FiscalError | undefined;
  /** The two error digits of an acknowledgement; empty behind an answer with data. */
  readonly status: Uint8Array;
}

/** An answer with its fields by position, from 0. A field that is malformed throws E902. */
export class Answer {
  readonly data: Uint8Array;
  readonly text: string;
  readonly fault: FiscalError | undefined;
  readonly status: Uint8Array;
  readonly list: readonly string[];

  constructor(parts: AnswerParts) {
    this.data = parts.data;
    this.text = parts.text;
    this.fault = parts.fault;
    this.status = parts.status;
    this.list = parts.text.split(";");
  }

  /** A field; empty when the device left it out. */
  field(index: number): string {
    return this.list[index]?.trim() ?? "";
  }

  /** A whole number. @throws FiscalError E902 when it is not one */
  integer(index: number): number {
    const text = this.field(index);
    if (!/^\d{1,12}$/.test(text)) {
      throw new FiscalError("E902", `The answer's field ${index + 1} is not a number`);
    }
    return Number(text);
  }

  /** An amount in minor units. @throws FiscalError E902 when it is not one */
  minor(index: number): number {
    const amount = parseAmount(this.field(index));
    if (amount === undefined) {
      throw new FiscalError("E902", `The answer's field ${index + 1} is not an amount`);
    }
    return amount;
  }
}

/** An amount as devices write it, in minor units; without a point it counts minor units. */
export function parseAmount(text: string): number | undefined {
  const unsigned = text.trim().replace(/^\+/, "");
  return parseScaled(unsigned, unsigned.includes(".") ? 2 : 0);
}
