/**
 * The fields that commands and answers are made of: little-endian integers, dates, times and text
 * in Windows-1251.
 */

import { FiscalError } from "#core/errors.ts";
import { isTime, type LocalTime } from "#core/local-time.ts";
import { cutText, decodeText, encodeText, toPrintable } from "../shared/codepage.ts";

export const CODE_PAGE = "windows-1251";
const CENTURY = 2000;

/** An unsigned integer, low byte first. @throws RangeError when it does not fit */
export function uint(value: number, size: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0 || value >= 256 ** size) {
    throw new RangeError(`not an integer of ${size} bytes`);
  }
  const bytes = new Uint8Array(size);
  let rest = value;
  for (let at = 0; at < size; at += 1) {
    bytes[at] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return bytes;
}

/** Text as the device prints it, cut to a width. A cut is not an error. */
export function fitText(text: string, width: number): string {
  return cutText(text, width, CODE_PAGE);
}

/** Text cut to `size` bytes and filled up with zeros; control characters become blanks. */
export function textField(text: string, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  bytes.set(encodeText(toPrintable(text), CODE_PAGE).subarray(0, size));
  return bytes;
}

/** `DD MM YY`. */
export function dateField(time: LocalTime): Uint8Array {
  return Uint8Array.of(time.day, time.month, time.year % 100);
}

/** `HH MM SS`. */
export function timeField(time: LocalTime): Uint8Array {
  return Uint8Array.of(time.hour, time.minute, time.second);
}

/** Puts fields one behind the other. */
export function join(...parts: readonly (Uint8Array | number)[]): Uint8Array {
  const lengthOf = (part: Uint8Array | number) => (typeof part === "number" ? 1 : part.length);
  const bytes = new Uint8Array(parts.reduce<number>((sum, part) => sum + lengthOf(part), 0));
  let at = 0;
  for (const part of parts) {
    if (typeof part === "number") bytes[at] = part;
    else bytes.set(part, at);
    at += lengthOf(part);
  }
  return bytes;
}

/** Reads fields from the front. A field beyond the end is E902: the answer is too short. */
export class FieldReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  /** @throws FiscalError E902 */
  bytes(size: number): Uint8Array {
    if (this.left < size) {
      throw new FiscalError("E902", "The device's answer is shorter than its command demands");
    }
    this.#at += size;
    return this.#bytes.subarray(this.#at - size, this.#at);
  }

  /** @throws FiscalError E902 */
  uint(size: number): number {
    return toUint(this.bytes(size));
  }

  /** Text up to the first zero. @throws FiscalError E902 */
  text(size: number): string {
    return toText(this.bytes(size));
  }

  /** `DD MM YY HH MM SS`; undefined when no clock shows that. @throws FiscalError E902 */
  clock(): LocalTime | undefined {
    const [day = 0, month = 0, shortYear = 0, hour = 0, minute = 0, second = 0] = this.bytes(6);
    const time = { year: CENTURY + shortYear, month, day, hour, minute, second };
    return shortYear <= 99 && isTime(time) ? time : undefined;
  }
}

/** Bytes as an unsigned integer, low byte first. */
export function toUint(bytes: Uint8Array): number {
  return bytes.reduceRight((value, byte) => value * 256 + byte, 0);
}

/** Bytes as text, up to the first zero. */
export function toText(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return decodeText(end < 0 ? bytes : bytes.subarray(0, end), CODE_PAGE);
}
