/** One device command on its way through the simulated device. */

import { parseScaled } from "#core/money.ts";
import type { DeviceMemory } from "../../simulator/books/memory.ts";
import type { Adjustment } from "../../simulator/books/receipt-rules.ts";
import type { Decision, Refusal, RefusalReason } from "../../simulator/books/refusal.ts";
import { decodeText } from "./code-page.ts";
import type { ZfpModel } from "./model.ts";

/** Ends a command without effect. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.refused);
    this.refusal = refusal;
  }
}

/** Data of the answer: text, or bytes as they are; undefined is a mere acknowledgement. */
export type Answer = string | Uint8Array | undefined;

/** Carries a command out. @throws Refused when the device does not do it */
export type Handler = (command: DeviceCommand) => Answer;

export interface DeviceCommandOptions {
  readonly memory: DeviceMemory;
  readonly model: ZfpModel;
  readonly data: Uint8Array;
  /** True when power was lost in an open receipt and nobody has read the status since. */
  readonly powerLost: boolean;
}

export class DeviceCommand {
  readonly memory: DeviceMemory;
  readonly model: ZfpModel;
  readonly data: Uint8Array;
  readonly text: string;
  readonly powerLost: boolean;

  constructor(options: DeviceCommandOptions) {
    this.memory = options.memory;
    this.model = options.model;
    this.data = options.data;
    this.text = decodeText(options.data);
    this.powerLost = options.powerLost;
  }

  get books() {
    return this.memory.books;
  }

  /** Carries out what a rule decided. @throws Refused when it decided against */
  carryOut(decision: Decision): void {
    const refusal = this.memory.carryOut(decision);
    if (refusal) throw new Refused(refusal);
  }

  /** The parts of the data. @throws Refused when it has another shape */
  match(pattern: RegExp): readonly (string | undefined)[] {
    const match = pattern.exec(this.text);
    if (!match) throw refused("syntax");
    return match.slice(1);
  }

  /** Refuses data where the command takes none. */
  expectNoData(): void {
    if (this.text !== "") throw refused("syntax");
  }
}

/** A refusal to throw. */
export function refused(reason: RefusalReason): Refused {
  return new Refused({ refused: reason });
}

/** An amount of at most 10 characters, in minor units. @throws Refused */
export function readAmount(text: string | undefined): number {
  const minor = parseScaled((text ?? "").trim().replace(/^\+/, ""), 2);
  if (minor === undefined || (text ?? "").length > 10) throw refused("syntax");
  return minor;
}

/** A quantity of at most 10 characters, in thousandths; one when it is left out. @throws Refused */
export function readQuantity(text: string | undefined): number {
  if (text === undefined) return 1_000;
  const milli = parseScaled(text, 3);
  if (milli === undefined || text.length > 10) throw refused("syntax");
  return milli;
}

const PERCENT_CHARACTERS = 7;

/**
 * A discount (negative) or surcharge, as a percentage or an amount. Hosts write both fields and
 * leave the one that they do not mean at zero. UNCONFIRMED: what a device makes of two that are not.
 * @throws Refused
 */
export function readAdjustment(
  percent: string | undefined,
  amount: string | undefined,
): Adjustment {
  if ((percent ?? "").length > PERCENT_CHARACTERS) throw refused("syntax");
  const basisPoints = percent === undefined ? 0 : readAmount(percent.replace(/%$/, ""));
  const amountMinor = amount === undefined ? 0 : readAmount(amount);
  if (basisPoints !== 0 && amountMinor !== 0) throw refused("syntax");
  if (basisPoints !== 0) return { kind: "percent", basisPoints };
  return amountMinor === 0 ? { kind: "none" } : { kind: "amount", amountMinor };
}

/** An operator's number and password as the frames of documents begin. */
export function readOperator(number: string | undefined, password: string | undefined) {
  return { operator: Number(number), password: (password ?? "").trim() };
}
