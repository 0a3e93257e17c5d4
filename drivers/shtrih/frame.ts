/**
 * Frames of the Shtrih-M protocol, standard lower level: bytes and nothing else.
 *
 * ```
 * host    ENQ        frame            ACK          host    STX N body LRC
 * device      NAK         ACK answer               device  STX N body LRC
 * ```
 *
 * N counts the body; LRC is the exclusive or of N and the body. A device answers ENQ with NAK when
 * it waits for a command, with ACK when an answer is on its way. It may put FFh before a control
 * byte, which means nothing.
 * Source: Shtrih-M "FR protocol" 1.10, "KKT protocol" 2.0.
 */

import { FiscalError } from "#core/errors.ts";

export const STX = 0x02;
export const ENQ = 0x05;
export const ACK = 0x06;
export const NAK = 0x15;
/** Means nothing before a control byte. */
export const FILLER = 0xff;

/** What the length byte can count. */
export const BODY_BYTES_MAX = 255;

/** One thing found in what came over the line. */
export type LineToken =
  | { readonly kind: "frame"; readonly body: Uint8Array }
  /** A whole frame with a wrong checksum, or one with an empty body. */
  | { readonly kind: "damaged" }
  | { readonly kind: "enq" | "ack" | "nak" }
  /** A byte that begins nothing. */
  | { readonly kind: "junk" };

/** A frame around a body. @throws FiscalError E400 when it is empty or too long */
export function encodeFrame(body: Uint8Array): Uint8Array {
  if (body.length < 1 || body.length > BODY_BYTES_MAX) {
    throw new FiscalError("E400", `A command has 1 to ${BODY_BYTES_MAX} bytes`);
  }
  const frame = new Uint8Array(body.length + 3);
  frame[0] = STX;
  frame[1] = body.length;
  frame.set(body, 2);
  frame[frame.length - 1] = checksumOf(body);
  return frame;
}

/** The exclusive or of the length and the body. */
export function checksumOf(body: Uint8Array): number {
  let sum = body.length;
  for (let at = 0; at < body.length; at += 1) sum ^= body[at] ?? 0;
  return sum;
}

/**
 * Finds control bytes and frames in the bytes of a line; the same for both ends. Holds at most one
 * frame. A frame is only recognized by its beginning, so a lost byte in it shifts everything up to
 * the pause that follows: whoever hears that pause calls `reset`.
 */
export class FrameDecoder {
  readonly #body = new Uint8Array(BODY_BYTES_MAX);
  /** Length of the frame under way; undefined between frames, 0 while its length is awaited. */
  #length: number | undefined;
  #filled = 0;
  #sum = 0;

  /** True when a frame has begun and not ended. */
  get isMidFrame(): boolean {
    return this.#length !== undefined;
  }

  /** Drops a frame that was begun. */
  reset(): void {
    this.#length = undefined;
  }

  push(chunk: Uint8Array): LineToken[] {
    const tokens: LineToken[] = [];
    for (let at = 0; at < chunk.length; at += 1) {
      const token = this.take(chunk[at] ?? 0);
      if (token) tokens.push(token);
    }
    return tokens;
  }

  /** Takes one byte. @returns what it completes */
  take(byte: number): LineToken | undefined {
    return this.#length === undefined ? this.#control(byte) : this.#within(byte);
  }

  #control(byte: number): LineToken | undefined {
    switch (byte) {
      case STX:
        this.#length = 0;
        this.#filled = 0;
        return undefined;
      case ENQ:
        return { kind: "enq" };
      case ACK:
        return { kind: "ack" };
      case NAK:
        return { kind: "nak" };
      case FILLER:
        return undefined;
      default:
        return { kind: "junk" };
    }
  }

  #within(byte: number): LineToken | undefined {
    if (this.#length === 0) {
      if (byte === 0) {
        this.#length = undefined;
        return { kind: "damaged" };
      }
      this.#length = byte;
      this.#sum = byte;
      return undefined;
    }
    if (this.#filled < (this.#length ?? 0)) {
      this.#body[this.#filled] = byte;
      this.#filled += 1;
      this.#sum ^= byte;
      return undefined;
    }
    this.#length = undefined;
    if (byte !== this.#sum) return { kind: "damaged" };
    return { kind: "frame", body: this.#body.slice(0, this.#filled) };
  }
}
