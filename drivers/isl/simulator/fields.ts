/** The fields of a device command, read as strictly as a device reads them. */

import { parseScaled } from "#core/money.ts";
import type { Adjustment } from "../../simulator/books/receipt-rules.ts";
import { type DeviceCommand, refused } from "./device-command.ts";

/** Two letters and six digits, four letters or digits, seven digits. */
const UNIQUE_SALE_NUMBER = /^[A-Z]{2}\d{6}-[A-Za-z0-9]{4}-\d{7}$/;
const PERCENT_BASIS_POINTS_MAX = 9_999;
const AMOUNT_MINOR_MAX = 9_999_999_999;
const QUANTITY_MILLI_MAX = 999_999_999;

export interface FieldCount {
  readonly least: number;
  readonly most: number;
}

/**
 * Long frames: every field is followed by a TAB, the last one too.
 * @throws Refused when the data has another shape
 */
export function tabbedFields(command: DeviceCommand, count: FieldCount): Fields {
  const { text } = command;
  if (text === "" && count.least === 0) return new Fields([]);
  if (!text.endsWith("\t")) throw refused("syntax");
  return countedFields(text.slice(0, -1).split("\t"), count);
}

/** Short frames: fields between commas. @throws Refused when their count is wrong */
export function commaFields(text: string, count: FieldCount): Fields {
  return countedFields(text === "" ? [] : text.split(","), count);
}

function countedFields(values: readonly string[], { least, most }: FieldCount): Fields {
  if (values.length < least || values.length > most) throw refused("syntax");
  return new Fields(values);
}

/** Fields by their index from 0; faults name them from 1, as the devices do. */
export class Fields {
  readonly #values: readonly string[];

  constructor(values: readonly string[]) {
    this.#values = values;
  }

  get count(): number {
    return this.#values.length;
  }

  /** The field as it is; empty when it is absent. */
  text(index: number): string {
    return this.#values[index] ?? "";
  }

  /** @throws Refused when it is not a whole number in the range */
  integer(index: number, { least, most }: FieldCount): number {
    const text = this.text(index);
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most)) throw refused("parameter", index + 1);
    return value;
  }

  /** An amount with up to two decimals; minor units. @throws Refused */
  money(index: number): number {
    return parseMoney(this.text(index)) ?? this.fail(index);
  }

  /** A quantity with up to three decimals; thousandths, one when empty. @throws Refused */
  quantity(index: number): number {
    return this.text(index) === "" ? 1000 : (parseQuantity(this.text(index)) ?? this.fail(index));
  }

  /** What the table gives for the field. @throws Refused when the table has no such key */
  choice<Value>(index: number, table: Readonly<Record<string, Value>>): Value {
    const key = this.text(index);
    const value = Object.hasOwn(table, key) ? table[key] : undefined;
    return value === undefined ? this.fail(index) : value;
  }

  /** A unique sale number, or undefined when the field is empty. @throws Refused */
  uniqueSaleNumber(index: number): string | undefined {
    const text = this.text(index);
    if (text === "") return undefined;
    return isUniqueSaleNumber(text) ? text : this.fail(index);
  }

  fail(index: number): never {
    throw refused("parameter", index + 1);
  }
}

/** True for text in the form of a unique sale number. */
export function isUniqueSaleNumber(text: string): boolean {
  return UNIQUE_SALE_NUMBER.test(text);
}

/** Decimal text, with a sign or without, as minor units. */
export function parseMoney(text: string): number | undefined {
  const minor = parseScaled(text.startsWith("+") ? text.slice(1) : text, 2);
  return minor !== undefined && Math.abs(minor) <= AMOUNT_MINOR_MAX ? minor : undefined;
}

/** Decimal text as thousandths. */
export function parseQuantity(text: string): number | undefined {
  const milli = parseScaled(text, 3);
  return milli !== undefined && milli > 0 && milli <= QUANTITY_MILLI_MAX ? milli : undefined;
}

/** A percentage with a sign; beyond ±99.99 it is none. */
export function percentAdjustment(text: string): Adjustment | undefined {
  const basisPoints = parseMoney(text);
  if (basisPoints === undefined || Math.abs(basisPoints) > PERCENT_BASIS_POINTS_MAX) {
    return undefined;
  }
  return { kind: "percent", basisPoints };
}

/** An amount with a sign. */
export function amountAdjustment(text: string): Adjustment | undefined {
  const amountMinor = parseMoney(text);
  return amountMinor === undefined ? undefined : { kind: "amount", amountMinor };
}
