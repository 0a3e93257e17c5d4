/**
 * Frames of the Shtrih-M protocol, alternative lower level: bytes and nothing else. Devices are set
 * to it where the way to them loses bytes, such as Bluetooth.
 *
 * ```
 * host    frame n            question         8Fh LEN16 NUM16 DATA CRC16   a command or its answer
 * device          answer n            answer  8Fh LEN16 NUM16 CRC16        nothing answered yet
 *                                             8Fh LEN16 CRC16              question: LEN is 0
 * ```
 *
 * LEN counts NUM and DATA, low byte first, as all numbers. The checksum is CRC-16 CCITT that begins
 * with FFFFh, over LEN, NUM and DATA. After the first byte, 8Fh goes out as 9Fh 81h and 9Fh as
 * 9Fh 83h, so that 8Fh begins a frame wherever it stands. A device answers each question with its
 * last answer. There are no control bytes.
 * Source: Shtrih-M "KKT protocol" 2.0, alternative lower level; the checksum is checked against
 * frames of real devices.
 */

import { FiscalError } from "#core/errors.ts";
import { BODY_BYTES_MAX } from "./frame.ts";

/** Begins a frame. */
export const START = 0x8f;
export const ESCAPE = 0x9f;
const ESCAPED_START = 0x81;
const ESCAPED_ESCAPE = 0x83;

/** Numbers begin anew after this many. */
export const FRAME_NUMBERS = 65_536;

const NUMBER_BYTES = 2;
export const HEAD_BYTES = 4;
export const CRC_BYTES = 2;
/**
 * Longest body that is read. The protocol allows 65,533 bytes; the answers to the commands that are
 * sent here fit in a frame of the standard lower level, and a longer one counts as damaged.
 */
const READ_BODY_BYTES_MAX = 1_024;

/** One thing found in what came over the line. */
export type NumberedToken =
  /** A command or an answer; the body is empty when a device has not answered anything yet. */
  | { readonly kind: "frame"; readonly number: number; readonly body: Uint8Array }
  /** Asks for the last answer. */
  | { readonly kind: "question" }
  /** A frame with a wrong checksum, an impossible length, or one that was broken into. */
  | { readonly kind: "damaged" };

/** What asks a device for its last answer and the number of it. */
export const QUESTION = stuffed(Uint8Array.of(0, 0));

/**
 * A frame with a number, 0..65535.
 * @param body without it, the answer of a device that has not answered anything yet
 * @throws FiscalError E400 when the body is too long
 */
export function encodeNumbered(number: number, body: Uint8Array = new Uint8Array(0)): Uint8Array {
  if (body.length > BODY_BYTES_MAX) {
    throw new FiscalError("E400", `A command has 1 to ${BODY_BYTES_MAX} bytes`);
  }
  const length = body.length + NUMBER_BYTES;
  const content = new Uint8Array(HEAD_BYTES + body.length);
  content.set([length & 0xff, length >> 8, number & 0xff, number >> 8]);
  content.set(body, HEAD_BYTES);
  return stuffed(content);
}

/** The start, the content and its checksum, as they go over the line. */
function stuffed(content: Uint8Array): Uint8Array {
  const crc = crcOf(content);
  const bytes = [START];
  for (const byte of [...content, crc & 0xff, crc >> 8]) {
    if (byte === START) bytes.push(ESCAPE, ESCAPED_START);
    else if (byte === ESCAPE) bytes.push(ESCAPE, ESCAPED_ESCAPE);
    else bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}

/** CRC-16 CCITT: polynomial 1021h, begins with FFFFh, high bit first. */
export function crcOf(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
    }
    crc &= 0xffff;
  }
  return crc;
}

/**
 * Finds frames in the bytes of a line; the same for both ends. Holds at most one frame. Whoever
 * hears a pause in a frame calls `reset`, though the next frame is found without that.
 */
export class NumberedDecoder {
  readonly #content = new Uint8Array(HEAD_BYTES + READ_BODY_BYTES_MAX + CRC_BYTES);
  #filled: number | undefined;
  #isEscaped = false;

  /** True when a frame has begun and not ended. */
  get isMidFrame(): boolean {
    return this.#filled !== undefined;
  }

  /** Drops a frame that was begun. */
  reset(): void {
    this.#filled = undefined;
  }

  push(chunk: Uint8Array): NumberedToken[] {
    const tokens: NumberedToken[] = [];
    for (const byte of chunk) {
      const token = this.take(byte);
      if (token) tokens.push(token);
    }
    return tokens;
  }

  /** Takes one byte. @returns what it completes */
  take(byte: number): NumberedToken | undefined {
    const wasMidFrame = this.isMidFrame;
    if (byte === START) {
      this.#filled = 0;
      this.#isEscaped = false;
      return wasMidFrame ? { kind: "damaged" } : undefined;
    }
    if (!wasMidFrame) return undefined;
    if (!this.#isEscaped) {
      if (byte !== ESCAPE) return this.#keep(byte);
      this.#isEscaped = true;
      return undefined;
    }
    this.#isEscaped = false;
    if (byte === ESCAPED_START) return this.#keep(START);
    if (byte === ESCAPED_ESCAPE) return this.#keep(ESCAPE);
    return this.#damaged();
  }

  #keep(byte: number): NumberedToken | undefined {
    const filled = (this.#filled ?? 0) + 1;
    this.#content[filled - 1] = byte;
    this.#filled = filled;
    if (filled < NUMBER_BYTES) return undefined;
    const length = this.#integerAt(0);
    const isPossible = length !== 1 && length <= NUMBER_BYTES + READ_BODY_BYTES_MAX;
    if (!isPossible) return this.#damaged();
    const end = NUMBER_BYTES + length;
    if (filled < end + CRC_BYTES) return undefined;
    this.#filled = undefined;
    if (crcOf(this.#content.subarray(0, end)) !== this.#integerAt(end)) return { kind: "damaged" };
    if (length === 0) return { kind: "question" };
    return {
      kind: "frame",
      number: this.#integerAt(NUMBER_BYTES),
      body: this.#content.slice(HEAD_BYTES, end),
    };
  }

  #damaged(): NumberedToken {
    this.#filled = undefined;
    return { kind: "damaged" };
  }

  #integerAt(at: number): number {
    return (this.#content[at] ?? 0) + 256 * (this.#content[at + 1] ?? 0);
  }
}
