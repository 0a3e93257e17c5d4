/**
 * Frames of the ISL family: constants, encoding, and an incremental decoder for each direction.
 *
 * ```
 * request  01 LEN SEQ CMD data 05 BCC 03
 * reply    01 LEN SEQ CMD data 04 status 05 BCC 03
 * ```
 *
 * The short generation writes LEN and CMD as one byte and has 6 status bytes; the long one writes
 * both as four nibbles and has 8. LEN is 20h plus the bytes from LEN to the postamble inclusive.
 * Sources: Datecs FP-700X protocol manual 2.02 (long), Datecs FP-800/FP-2000 protocol manual
 * 1.00BG and DP-25/DP-35 protocol manual 2.04BG (short).
 */

import { FiscalError } from "#core/errors.ts";
import { bccOf, readNibbles, writeNibbles } from "./nibbles.ts";

/** `long`: X and the new Romanian devices. `short`: all others, of whichever maker. */
export type Generation = "short" | "long";

export const PREAMBLE = 0x01;
const TERMINATOR = 0x03;
/** Stands between data and status; in replies only. */
const SEPARATOR = 0x04;
const POSTAMBLE = 0x05;
export const NAK = 0x15;
/** "Still working": sent every 60 ms by a busy device. */
export const SYN = 0x16;
/** Announces a control byte within data, which follows with 40h added. */
export const ESCAPE = 0x10;
const TAB = 0x09;
const LF = 0x0a;

/** The least and the greatest sequence number that we send; a device accepts up to FFh. */
const SEQ_MIN = 0x20;
const SEQ_MAX = 0x7f;
export const SEQUENCE = { min: SEQ_MIN, max: SEQ_MAX } as const;

export const STATUS_BYTES = { short: 6, long: 8 } as const satisfies Record<Generation, number>;
/** Bytes that LEN and CMD take, each. */
export const FIELD_BYTES = { short: 1, long: 4 } as const satisfies Record<Generation, number>;

/**
 * Most data bytes of a frame, after escaping. A short reply holds 212 because its LEN is one byte;
 * the long limits are those of protocol 2.11, of which older devices take 213 in a request.
 */
export const DATA_BYTES_MAX = {
  short: { request: 213, reply: 212 },
  long: { request: 496, reply: 480 },
} as const satisfies Record<Generation, { request: number; reply: number }>;

const LENGTH_BASE = 0x20;
export const BCC_BYTES = 4;
/** The longest frame of either direction, with room for what a device adds beyond its manual. */
const FRAME_BYTES_MAX = { short: 0xff - LENGTH_BASE + 6, long: 1024 } as const;

export interface RequestFrame {
  readonly seq: number;
  /** The command number, 0..255 on short frames. */
  readonly command: number;
  /** Content as it is meant, before escaping. */
  readonly data: Uint8Array;
}

export interface ReplyFrame extends RequestFrame {
  /** The status bytes, bit 7 of each set. */
  readonly status: Uint8Array;
}

interface GarbledEvent {
  readonly kind: "garbled";
  readonly reason: "checksum" | "framing";
}
interface DiscardedEvent {
  readonly kind: "discarded";
  /** Bytes outside any frame that were dropped. */
  readonly bytes: number;
}

/** What a host finds in the bytes of a device. */
export type ReplyEvent =
  | ({ readonly kind: "reply" } & ReplyFrame)
  | { readonly kind: "nak" }
  | { readonly kind: "syn" }
  | GarbledEvent
  | DiscardedEvent;

/** What a device finds in the bytes of a host. */
export type RequestEvent =
  | ({ readonly kind: "request" } & RequestFrame)
  | GarbledEvent
  | DiscardedEvent;

export type FrameEvent = ReplyEvent | RequestEvent;

/**
 * Encodes a command to a device.
 * @throws FiscalError E400 when the data does not fit into a frame
 */
export function encodeRequest(generation: Generation, frame: RequestFrame): Uint8Array {
  return encode(generation, frame, undefined);
}

/**
 * Encodes a device's answer.
 * @throws FiscalError E400 when the data does not fit into a frame
 * @throws RangeError when the count of status bytes is not the generation's
 */
export function encodeReply(generation: Generation, frame: ReplyFrame): Uint8Array {
  if (frame.status.length !== STATUS_BYTES[generation]) throw new RangeError("status bytes");
  return encode(generation, frame, frame.status);
}

function encode(generation: Generation, frame: RequestFrame, status: Uint8Array | undefined) {
  const data = escapeData(frame.data);
  const limit = DATA_BYTES_MAX[generation][status ? "reply" : "request"];
  if (data.length > limit) {
    throw new FiscalError("E400", `The data has ${data.length} bytes; a frame takes ${limit}`);
  }
  const field = FIELD_BYTES[generation];
  const counted = 2 * field + 2 + data.length + (status ? 1 + status.length : 0);
  const bytes = new Uint8Array(1 + counted + BCC_BYTES + 1);
  bytes[0] = PREAMBLE;
  const writeField = generation === "long" ? writeNibbles : writeByte;
  writeField(bytes, 1, LENGTH_BASE + counted);
  bytes[1 + field] = frame.seq;
  writeField(bytes, 2 + field, frame.command);
  let at = 2 + 2 * field;
  bytes.set(data, at);
  at += data.length;
  if (status) {
    bytes[at] = SEPARATOR;
    bytes.set(status, at + 1);
    at += 1 + status.length;
  }
  bytes[at] = POSTAMBLE;
  writeNibbles(bytes, at + 1, bccOf(bytes, 1, at + 1));
  bytes[at + 1 + BCC_BYTES] = TERMINATOR;
  return bytes;
}

function writeByte(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
}

function mustEscape(byte: number): boolean {
  return byte < 0x20 && byte !== TAB && byte !== LF;
}

function escapeData(data: Uint8Array): Uint8Array {
  if (!data.some(mustEscape)) return data;
  const escaped: number[] = [];
  for (const byte of data) {
    if (mustEscape(byte)) escaped.push(ESCAPE, byte + 0x40);
    else escaped.push(byte);
  }
  return Uint8Array.from(escaped);
}

function unescapeData(data: Uint8Array): Uint8Array {
  if (!data.includes(ESCAPE)) return data;
  const plain: number[] = [];
  for (let at = 0; at < data.length; at += 1) {
    const byte = data[at] ?? 0;
    const next = data[at + 1];
    if (byte === ESCAPE && next !== undefined && next >= 0x40 && next < 0x60) {
      plain.push(next - 0x40);
      at += 1;
    } else {
      plain.push(byte);
    }
  }
  return Uint8Array.from(plain);
}

/** Finds a device's answers in its bytes. Holds at most one frame, whatever comes in. */
export class ReplyDecoder {
  readonly #scanner: FrameScanner<ReplyEvent>;

  constructor(generation: Generation) {
    const statusBytes = STATUS_BYTES[generation];
    this.#scanner = new FrameScanner<ReplyEvent>(generation, {
      tailBytes: 1 + statusBytes,
      control: (byte) =>
        byte === NAK ? { kind: "nak" } : byte === SYN ? { kind: "syn" } : undefined,
      frame: ({ seq, command }, body) => {
        const separator = body.length - statusBytes - 1;
        const status = body.slice(separator + 1);
        if (body[separator] !== SEPARATOR || status.some((byte) => byte < 0x80)) {
          return { kind: "garbled", reason: "framing" };
        }
        return {
          kind: "reply",
          seq,
          command,
          data: unescapeData(body.slice(0, separator)),
          status,
        };
      },
    });
  }

  /** Takes bytes as they come, and tells what they complete, in order. */
  push(chunk: Uint8Array): ReplyEvent[] {
    return this.#scanner.push(chunk);
  }

  /** Takes one byte; what it completes is added to `events`. */
  take(byte: number, events: ReplyEvent[]): void {
    this.#scanner.take(byte, events);
  }
}

/** Finds a host's commands in its bytes. Holds at most one frame, whatever comes in. */
export class RequestDecoder {
  readonly #scanner: FrameScanner<RequestEvent>;

  constructor(generation: Generation) {
    this.#scanner = new FrameScanner<RequestEvent>(generation, {
      tailBytes: 0,
      control: () => undefined,
      frame: ({ seq, command }, body) => ({
        kind: "request",
        seq,
        command,
        data: unescapeData(body.slice()),
      }),
    });
  }

  /** Takes bytes as they come, and tells what they complete, in order. */
  push(chunk: Uint8Array): RequestEvent[] {
    return this.#scanner.push(chunk);
  }
}

interface ScannerRules<Event> {
  /** Bytes between data and postamble: separator and status. */
  readonly tailBytes: number;
  /** The meaning of a byte outside a frame, if it has one. */
  control(byte: number): Event | undefined;
  /** A frame with a right checksum; `body` is a view of data and tail that will be reused. */
  frame(head: { seq: number; command: number }, body: Uint8Array): Event;
}

/**
 * The byte machine under both decoders. A preamble never occurs within a right frame (control
 * bytes are escaped), so one always begins a new frame and drops what stood unfinished before it:
 * each byte is looked at once, and noise cannot make the work more than linear.
 */
class FrameScanner<Event extends { readonly kind: string }> {
  readonly #generation: Generation;
  readonly #rules: ScannerRules<Event | GarbledEvent | DiscardedEvent>;
  readonly #buffer: Uint8Array;
  /** Bytes of the frame so far; 0 outside a frame. */
  #length = 0;
  /** Bytes of the whole frame; 0 until LEN is complete. */
  #expected = 0;
  #discarded = 0;
  #events: (Event | GarbledEvent | DiscardedEvent)[] = [];

  constructor(generation: Generation, rules: ScannerRules<Event | GarbledEvent | DiscardedEvent>) {
    this.#generation = generation;
    this.#rules = rules;
    this.#buffer = new Uint8Array(FRAME_BYTES_MAX[generation]);
  }

  push(chunk: Uint8Array): (Event | GarbledEvent | DiscardedEvent)[] {
    this.#events = [];
    for (let at = 0; at < chunk.length; at += 1) this.#take(chunk[at] ?? 0);
    this.#flushDiscarded();
    return this.#events;
  }

  take(byte: number, events: (Event | GarbledEvent | DiscardedEvent)[]): void {
    this.#events = events;
    this.#take(byte);
    this.#flushDiscarded();
  }

  #take(byte: number): void {
    if (byte === PREAMBLE) {
      this.#flushDiscarded();
      if (this.#length > 0) this.#garbled("framing");
      this.#buffer[0] = byte;
      this.#length = 1;
      return;
    }
    if (this.#length === 0) {
      this.#takeOutside(byte);
      return;
    }
    this.#buffer[this.#length] = byte;
    this.#length += 1;
    if (this.#expected === 0) this.#readLength();
    else if (this.#length === this.#expected) this.#finish();
  }

  #takeOutside(byte: number): void {
    const event = this.#rules.control(byte);
    if (event === undefined) {
      this.#discarded += 1;
      return;
    }
    this.#flushDiscarded();
    this.#events.push(event);
  }

  #readLength(): void {
    const field = FIELD_BYTES[this.#generation];
    if (this.#length < 1 + field) return;
    const coded = this.#readField(1);
    const counted = coded - LENGTH_BASE;
    const total = 1 + counted + BCC_BYTES + 1;
    const least = 2 * field + 2 + this.#rules.tailBytes;
    if (counted < least || total > this.#buffer.length) this.#garbled("framing");
    else this.#expected = total;
  }

  #finish(): void {
    const field = FIELD_BYTES[this.#generation];
    const buffer = this.#buffer;
    const postamble = this.#expected - BCC_BYTES - 2;
    if (buffer[postamble] !== POSTAMBLE || buffer[this.#expected - 1] !== TERMINATOR) {
      this.#garbled("framing");
      return;
    }
    if (readNibbles(buffer, postamble + 1) !== bccOf(buffer, 1, postamble + 1)) {
      this.#garbled("checksum");
      return;
    }
    const seq = buffer[1 + field] ?? 0;
    const command = this.#readField(2 + field);
    const bodyStart = 2 + 2 * field;
    this.#events.push(
      command < 0 || seq < SEQ_MIN
        ? { kind: "garbled", reason: "framing" }
        : this.#rules.frame({ seq, command }, buffer.subarray(bodyStart, postamble)),
    );
    this.#reset();
  }

  #readField(at: number): number {
    return this.#generation === "short" ? (this.#buffer[at] ?? 0) : readNibbles(this.#buffer, at);
  }

  #garbled(reason: GarbledEvent["reason"]): void {
    this.#events.push({ kind: "garbled", reason });
    this.#reset();
  }

  #reset(): void {
    this.#length = 0;
    this.#expected = 0;
  }

  #flushDiscarded(): void {
    if (this.#discarded === 0) return;
    this.#events.push({ kind: "discarded", bytes: this.#discarded });
    this.#discarded = 0;
  }
}
