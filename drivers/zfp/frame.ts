/**
 * Frames of the ZFP protocol: pure encoders and incremental decoders, without time or sockets.
 *
 *   host to device     STX LEN NBL CMD DATA CS CS LF
 *   device to host     the same layout with data, or ACK NBL STE1 STE2 CS CS LF
 *   single bytes       ping, NACK (frame damaged), RETRY (still busy)
 *   two bytes          GS and what is asked for, answered by a line without a frame
 *
 * Source: Tremol protocol description, Bulgaria, rev. 1910211454; vectors in `testdata`.
 */

import { FiscalError } from "#core/errors.ts";

export const STX = 0x02;
export const ACK = 0x06;
export const LF = 0x0a;
export const NACK = 0x15;
export const RETRY = 0x0e;
/** "Is anybody there?", answered with the same byte. */
export const PRESENCE = 0x04;
/** "Are you free?": the maker's library of 2018 waits for the same byte before each command. */
export const READINESS = 0x05;
/** "Are you ready?", answered with a state byte from 40h on. */
export const PING = 0x09;
/** Begins a question that is no frame; a letter follows. */
const GS = 0x1d;
const FIRST_LETTER = 0x20;

const NBL_MIN = 0x20;
const NBL_MAX = 0x9f;
export const MESSAGE_NUMBERS = { min: NBL_MIN, max: NBL_MAX } as const;
/** LEN ends at 9Fh: three bytes of it are LEN, NBL and CMD themselves. */
export const DATA_BYTES_MAX = 124;
const LENGTH_BASE = 0x20;
const HEAD_BYTES = 3;
/** CS, CS and LF behind the data. */
const TAIL_BYTES = 3;
const ACK_BYTES = 7;
/** The longest answer documented, command 6Dh, has 251 bytes of data. */
const REPLY_BYTES_MAX = 320;
/** The one answer that holds raw bytes, LF among them: its end is found by LEN. */
const RAW_STATUS_COMMAND = 0x66;

export interface RequestFrame {
  readonly nbl: number;
  readonly command: number;
  readonly data: Uint8Array;
}

/** An answer with data. */
export interface DataFrame extends RequestFrame {
  readonly kind: "data";
}

/** Taken note of: the errors of device and command, `0` (30h) each when there is none. */
export interface AckFrame {
  readonly kind: "ack";
  readonly nbl: number;
  readonly deviceError: number;
  readonly commandError: number;
}

/** What a host finds in the bytes of a device. */
export type ReplyEvent =
  | DataFrame
  | AckFrame
  | { readonly kind: "nack" }
  | { readonly kind: "busy" }
  /** The answer to a ping: 40h is ready, 41h busy. */
  | { readonly kind: "ping"; readonly state: number }
  | { readonly kind: "garbled"; readonly reason: "checksum" | "framing" };

/** What a device finds in the bytes of a host. */
export type RequestEvent =
  | ({ readonly kind: "request" } & RequestFrame)
  | { readonly kind: "garbled" }
  | { readonly kind: "ping" }
  | { readonly kind: "presence" }
  | { readonly kind: "readiness" }
  | { readonly kind: "auxiliary"; readonly letter: number };

/**
 * Frames a command.
 * @throws FiscalError E400 when the data does not fit in a frame
 */
export function encodeRequest({ nbl, command, data }: RequestFrame): Uint8Array {
  if (data.length > DATA_BYTES_MAX) {
    throw new FiscalError("E400", `The command is longer than ${DATA_BYTES_MAX} bytes`);
  }
  return encodeLong({ nbl, command, data });
}

/** Frames an answer with data. */
export function encodeData(frame: RequestFrame): Uint8Array {
  return encodeLong(frame);
}

/** Frames an acknowledgement. */
export function encodeAck(frame: Omit<AckFrame, "kind">): Uint8Array {
  return sealed(Uint8Array.of(ACK, frame.nbl, frame.deviceError, frame.commandError, 0, 0, 0));
}

function encodeLong({ nbl, command, data }: RequestFrame): Uint8Array {
  const frame = new Uint8Array(1 + HEAD_BYTES + data.length + TAIL_BYTES);
  frame[0] = STX;
  frame[1] = (LENGTH_BASE + HEAD_BYTES + data.length) & 0xff;
  frame[2] = nbl;
  frame[3] = command;
  frame.set(data, 1 + HEAD_BYTES);
  return sealed(frame);
}

/** Writes the tail of a frame: the checksum, a nibble a byte on top of 30h, and the end. */
function sealed(frame: Uint8Array): Uint8Array {
  const sum = xorOf(frame);
  const at = frame.length - TAIL_BYTES;
  frame[at] = 0x30 + (sum >> 4);
  frame[at + 1] = 0x30 + (sum & 0x0f);
  frame[at + 2] = LF;
  return frame;
}

function hasChecksum(frame: Uint8Array): boolean {
  const sum = xorOf(frame);
  const at = frame.length - TAIL_BYTES;
  const isHigh = frame[at] === 0x30 + (sum >> 4);
  return isHigh && frame[at + 1] === 0x30 + (sum & 0x0f) && frame[at + 2] === LF;
}

/** XOR of the bytes between the start and the checksum. */
function xorOf(frame: Uint8Array): number {
  let sum = 0;
  for (let at = 1; at < frame.length - TAIL_BYTES; at += 1) sum ^= frame[at] ?? 0;
  return sum;
}

/** Finds answers in the bytes of a device, whatever pieces they come in. */
export class ReplyDecoder {
  readonly #buffer = new Uint8Array(REPLY_BYTES_MAX);
  #length = 0;

  /** Takes bytes; keeps at most one unfinished frame. */
  push(chunk: Uint8Array): ReplyEvent[] {
    const events: ReplyEvent[] = [];
    for (let at = 0; at < chunk.length; at += 1) this.take(chunk[at] ?? 0, events);
    return events;
  }

  /** Takes one byte; what it completes is added to `events`. */
  take(byte: number, events: ReplyEvent[]): void {
    const event = this.#length === 0 ? this.#begin(byte) : this.#continue(byte, events);
    if (event) events.push(event);
  }

  #begin(byte: number): ReplyEvent | undefined {
    if (byte === STX || byte === ACK) {
      this.#buffer[0] = byte;
      this.#length = 1;
      return undefined;
    }
    if (byte === NACK) return { kind: "nack" };
    if (byte === RETRY) return { kind: "busy" };
    // Anything else between frames is noise.
    return isPingState(byte) ? { kind: "ping", state: byte } : undefined;
  }

  #continue(byte: number, events: ReplyEvent[]): ReplyEvent | undefined {
    const isRaw = this.#isWithinRawStatus() || this.#isLengthNext();
    // Neither byte occurs inside a frame otherwise, so the one before was cut short.
    if (!isRaw && (byte === STX || byte === ACK)) {
      this.#length = 0;
      events.push({ kind: "garbled", reason: "framing" });
      return this.#begin(byte);
    }
    this.#buffer[this.#length] = byte;
    this.#length += 1;
    if (byte === LF && !isRaw) return this.#finish(events);
    const tooLong = this.#buffer[0] === ACK ? this.#length >= ACK_BYTES : false;
    if (!tooLong && this.#length < REPLY_BYTES_MAX) return undefined;
    this.#length = 0;
    return { kind: "garbled", reason: "framing" };
  }

  /** LEN may be any byte, as it is counted modulo 256. */
  #isLengthNext(): boolean {
    return this.#length === 1 && this.#buffer[0] === STX;
  }

  /** True while the bytes of a detailed status are still coming in by the count of LEN. */
  #isWithinRawStatus(): boolean {
    const buffer = this.#buffer;
    if (this.#length < 4 || buffer[0] !== STX || buffer[3] !== RAW_STATUS_COMMAND) return false;
    return this.#length < 1 + (buffer[1] ?? 0) - LENGTH_BASE + TAIL_BYTES - 1;
  }

  #finish(events: ReplyEvent[]): ReplyEvent | undefined {
    const frame = this.#buffer.slice(0, this.#length);
    this.#length = 0;
    const isShort = frame[0] === ACK;
    const fits = isShort
      ? frame.length === ACK_BYTES
      : frame.length > 1 + TAIL_BYTES + 2 &&
        ((frame.length - 1 - TAIL_BYTES + LENGTH_BASE) & 0xff) === frame[1];
    if (!fits) return this.#misfit(frame, events);
    if (!hasChecksum(frame)) return { kind: "garbled", reason: "checksum" };
    const [, one = 0, two = 0, three = 0] = frame;
    if (isShort) return { kind: "ack", nbl: one, deviceError: two, commandError: three };
    return { kind: "data", nbl: two, command: three, data: frame.slice(4, -TAIL_BYTES) };
  }

  /** What was taken for LEN may have begun the next frame, where the one before was cut off behind STX. */
  #misfit(frame: Uint8Array, events: ReplyEvent[]): ReplyEvent | undefined {
    const garbled = { kind: "garbled", reason: "framing" } as const;
    if (frame[0] !== STX || (frame[1] !== STX && frame[1] !== ACK)) return garbled;
    events.push(garbled);
    for (const byte of frame.subarray(1)) this.take(byte, events);
    return undefined;
  }
}

/** 40h to 4Fh: ready or why not; 50h, 60h, 70h: what is wrong with the TCP connection. */
function isPingState(byte: number): boolean {
  return (byte & 0xf0) === 0x40 || byte === 0x50 || byte === 0x60 || byte === 0x70;
}

/** Finds commands in the bytes of a host, whatever pieces they come in. */
export class RequestDecoder {
  readonly #buffer = new Uint8Array(1 + HEAD_BYTES + DATA_BYTES_MAX + TAIL_BYTES);
  #length = 0;

  /** Takes bytes; keeps at most one unfinished frame. */
  push(chunk: Uint8Array): RequestEvent[] {
    const events: RequestEvent[] = [];
    for (const byte of chunk) {
      const event = this.#length === 0 ? this.#begin(byte) : this.#continue(byte, events);
      if (event) events.push(event);
    }
    return events;
  }

  #begin(byte: number): RequestEvent | undefined {
    if (byte === PING) return { kind: "ping" };
    if (byte === PRESENCE) return { kind: "presence" };
    if (byte === READINESS) return { kind: "readiness" };
    if (byte !== STX && byte !== GS) return undefined;
    this.#buffer[0] = byte;
    this.#length = 1;
    return undefined;
  }

  #continue(byte: number, events: RequestEvent[]): RequestEvent | undefined {
    if (this.#buffer[0] === GS) {
      this.#length = 0;
      // What is no letter begins something else, as after a byte that another protocol ends with.
      return byte < FIRST_LETTER ? this.#begin(byte) : { kind: "auxiliary", letter: byte };
    }
    if (byte === STX) {
      this.#length = 0;
      events.push({ kind: "garbled" });
      return this.#begin(byte);
    }
    this.#buffer[this.#length] = byte;
    this.#length += 1;
    const bodyBytes = (this.#buffer[1] ?? 0) - LENGTH_BASE;
    const isPossible = bodyBytes >= HEAD_BYTES && bodyBytes <= HEAD_BYTES + DATA_BYTES_MAX;
    if (isPossible && this.#length < 1 + bodyBytes + TAIL_BYTES) return undefined;
    const frame = this.#buffer.slice(0, this.#length);
    this.#length = 0;
    const [, , nbl = 0, command = 0] = frame;
    if (!isPossible || nbl < NBL_MIN || nbl > NBL_MAX || !hasChecksum(frame)) {
      return { kind: "garbled" };
    }
    return { kind: "request", nbl, command, data: frame.slice(4, -TAIL_BYTES) };
  }
}
