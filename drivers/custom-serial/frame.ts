/**
 * Frames of the CUSTOM protocol: a pure encoder and incremental decoders, without time or sockets.
 *
 *   both directions     STX CNT CNT IDENT COMMAND... CKS CKS ETX
 *   single bytes        ACK (taken), NACK (damaged, or its counter is that of the frame before)
 *
 * What surrounds a command is data (`FrameFormat`), because firmwares and relatives of the
 * protocol differ in it. `CUSTOM_FORMAT` is the one of the manual.
 * Source: CUSTOM protocol manual for fiscal devices, rev. 6.00. The manual does not print the
 * envelope of answers, so a host takes framed and bare ones.
 */

import { FiscalError } from "#core/errors.ts";
import { ascii, CHECKSUM_BYTES, type ChecksumKind, checksumOf } from "./checksum.ts";

export const STX = 0x02;
export const ETX = 0x03;
export const ACK = 0x06;
export const NACK = 0x15;

/** Counters run from 0 to 99 and begin anew; 0 is always accepted. */
export const COUNTER_MODULUS = 100;
/** The longest body documented, a text of 99 characters and its fields, is far below. */
export const BODY_BYTES_MAX = 248;

export const CHECKED_PARTS = ["start", "counter", "ident", "body", "end"] as const;
export type CheckedPart = (typeof CHECKED_PARTS)[number];

/** What surrounds a command on the line. */
export interface FrameFormat {
  /** The byte that begins a frame; without one it begins with its first byte. */
  readonly start: number | undefined;
  /** The byte that ends a frame; without one nothing does, and there are no answers. */
  readonly end: number | undefined;
  /** Decimal digits of the counter, 0 to 2. */
  readonly counterDigits: 0 | 1 | 2;
  /** Fixed text between counter and body. */
  readonly ident: string;
  readonly checksum: {
    readonly kind: ChecksumKind;
    readonly over: readonly CheckedPart[];
    readonly place: "beforeEnd" | "afterEnd";
  };
  /** Single bytes that say whether a frame was taken; without them the answer says it. */
  readonly ack: number | undefined;
  readonly nack: number | undefined;
  /** Most bytes of a body. */
  readonly bodyBytesMax: number;
}

/** The format of the manual. The checksum adds the bytes as they are on the line. */
export const CUSTOM_FORMAT: FrameFormat = {
  start: STX,
  end: ETX,
  counterDigits: 2,
  ident: "0",
  checksum: {
    kind: "sumMod100Ascii",
    over: ["counter", "ident", "body"],
    place: "beforeEnd",
  },
  ack: ACK,
  nack: NACK,
  bodyBytesMax: BODY_BYTES_MAX,
};

/** What a frame says: its counter (0 where the format has none) and its body. */
export interface Frame {
  readonly counter: number;
  /** Text of bytes 20h to 7Eh; relatives of the protocol also separate fields by control bytes. */
  readonly body: string;
}

/** What is found in the bytes of the other side. */
export type FrameEvent =
  | ({ readonly kind: "frame" } & Frame)
  | { readonly kind: "ack" }
  | { readonly kind: "nack" }
  | { readonly kind: "garbled"; readonly reason: "checksum" | "framing" };

/** The same for a host, which also takes answers without a frame. */
export type ReplyEvent = FrameEvent | { readonly kind: "bare"; readonly body: string };

/**
 * Frames a command or an answer.
 * @throws FiscalError E400 when the body is too long, or has bytes that would break the frame
 */
export function encodeFrame(frame: Frame, format: FrameFormat = CUSTOM_FORMAT): Uint8Array {
  if (frame.body.length > format.bodyBytesMax) {
    throw new FiscalError("E400", `The command is longer than ${format.bodyBytesMax} bytes`);
  }
  if (!isBody(frame.body, format)) {
    throw new FiscalError("E400", "The command has characters that no frame can hold");
  }
  return ascii(frameText(frame, format));
}

/** The bytes of a frame, each as the character of its code. */
function frameText(frame: Frame, format: FrameFormat): string {
  const parts = partsOf(frame, format);
  const before = parts.start + parts.counter + parts.ident + parts.body;
  const checksum = checksumOver(parts, format);
  return format.checksum.place === "beforeEnd"
    ? before + checksum + parts.end
    : before + parts.end + checksum;
}

/** Bytes that hold back or let go a sender: on a line with such flow control they never arrive. */
const XON = 0x11;
const XOFF = 0x13;

/** True for text that cannot be taken for anything else on the line. */
export function isBody(
  text: string,
  { start, end, ack, nack }: Pick<FrameFormat, "start" | "end" | "ack" | "nack">,
): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const byte = text.charCodeAt(at);
    const isSign = byte === start || byte === end || byte === ack || byte === nack;
    if (byte > 0x7e || isSign || byte === XON || byte === XOFF) return false;
  }
  return true;
}

type Parts = Readonly<Record<CheckedPart, string>>;

function partsOf({ counter, body }: Frame, format: FrameFormat): Parts {
  const { counterDigits, ident, start, end } = format;
  const digits = String(counter % 10 ** counterDigits).padStart(counterDigits, "0");
  return {
    start: start === undefined ? "" : String.fromCharCode(start),
    counter: counterDigits === 0 ? "" : digits,
    ident,
    body,
    end: end === undefined ? "" : String.fromCharCode(end),
  };
}

function checksumOver(parts: Parts, { checksum }: FrameFormat): string {
  let covered = "";
  // In the order on the line, whatever the order in which a profile lists them.
  for (const part of CHECKED_PARTS) if (checksum.over.includes(part)) covered += parts[part];
  return checksumOf(checksum.kind, covered);
}

/**
 * Finds frames and single bytes in the bytes of the other side, whatever pieces they come in.
 * Keeps at most one unfinished frame. A device uses it as it is; hosts use `ReplyDecoder`.
 */
export class FrameDecoder {
  readonly #format: FrameFormat;
  readonly #buffer: Buffer;
  /** Bytes of a frame outside of its body. */
  readonly #overhead: number;
  #length = 0;
  /** Bytes of a checksum behind the end that are still to come. */
  #missing = 0;

  constructor(format: FrameFormat = CUSTOM_FORMAT) {
    this.#format = format;
    const { start, end, counterDigits, ident, checksum } = format;
    this.#overhead =
      (start === undefined ? 0 : 1) +
      counterDigits +
      ident.length +
      CHECKSUM_BYTES[checksum.kind] +
      (end === undefined ? 0 : 1);
    this.#buffer = Buffer.alloc(this.#overhead + format.bodyBytesMax);
  }

  /** True while a frame has begun and not ended. */
  get isWithinFrame(): boolean {
    return this.#length > 0;
  }

  /** Takes bytes. */
  push(chunk: Uint8Array): FrameEvent[] {
    const events: FrameEvent[] = [];
    for (const byte of chunk) this.take(byte, events);
    return events;
  }

  /** Takes one byte; what it completes is added to `events`. @returns false when it is noise */
  take(byte: number, events: FrameEvent[]): boolean {
    if (this.#length === 0) return this.#begin(byte, events);
    const isTail = this.#missing > 0;
    // A start byte does not occur inside a frame otherwise, so the one before was cut short.
    if (!isTail && byte === this.#format.start) {
      this.#length = 0;
      events.push({ kind: "garbled", reason: "framing" });
      return this.#begin(byte, events);
    }
    this.#buffer[this.#length] = byte;
    this.#length += 1;
    if (isTail) this.#missing -= 1;
    else if (byte === this.#format.end) this.#missing = this.#bytesBehindEnd();
    else if (this.#length < this.#buffer.length) return true;
    if (this.#missing > 0) return true;
    events.push(this.#finish());
    return true;
  }

  #begin(byte: number, events: FrameEvent[]): boolean {
    const { start, end, ack, nack } = this.#format;
    if (byte === ack) events.push({ kind: "ack" });
    else if (byte === nack) events.push({ kind: "nack" });
    else if (start === undefined ? end === undefined || byte === end : byte !== start) return false;
    else {
      this.#buffer[0] = byte;
      this.#length = 1;
    }
    return true;
  }

  #bytesBehindEnd(): number {
    const { kind, place } = this.#format.checksum;
    return place === "afterEnd" ? CHECKSUM_BYTES[kind] : 0;
  }

  #finish(): FrameEvent {
    const text = this.#buffer.toString("latin1", 0, this.#length);
    this.#length = 0;
    this.#missing = 0;
    const { start, end, counterDigits, ident } = this.#format;
    const bodyAt = (start === undefined ? 0 : 1) + counterDigits + ident.length;
    const bodyBytes = text.length - this.#overhead;
    const head = text.slice(start === undefined ? 0 : 1, bodyAt);
    const digits = head.slice(0, counterDigits);
    const body = text.slice(bodyAt, bodyAt + bodyBytes);
    const isWhole =
      bodyBytes >= 0 &&
      /^\d*$/.test(digits) &&
      head.endsWith(ident) &&
      isBody(body, this.#format) &&
      (text.charCodeAt(text.length - 1) === end || this.#bytesBehindEnd() > 0);
    if (!isWhole) return { kind: "garbled", reason: "framing" };
    const frame = { counter: Number(digits), body };
    return frameText(frame, this.#format) === text
      ? { kind: "frame", ...frame }
      : { kind: "garbled", reason: "checksum" };
  }
}

/**
 * Finds answers in the bytes of a device. Text between frames may be an answer without a frame:
 * nothing but its content or the silence after it tells where it ends, and the session then calls
 * `flush`.
 */
export class ReplyDecoder {
  readonly #frames: FrameDecoder;
  readonly #takesBare: boolean;
  readonly #bareMax: number;
  #bare = "";
  /** More of it has come than a body may have: what is kept is no answer, however it ends. */
  #isBareCut = false;

  /** @param takesBare whether text between frames is an answer, or noise */
  constructor(format: FrameFormat = CUSTOM_FORMAT, takesBare = true) {
    this.#frames = new FrameDecoder(format);
    this.#takesBare = takesBare;
    this.#bareMax = format.bodyBytesMax;
  }

  /** Text that may be an answer without a frame, as far as it has come. */
  get bare(): string {
    return this.#bare;
  }

  /** Takes bytes; keeps at most one unfinished frame and one unfinished text. */
  push(chunk: Uint8Array): FrameEvent[] {
    const events: FrameEvent[] = [];
    for (const byte of chunk) {
      const isNoise = !this.#frames.take(byte, events);
      // What stands before a frame or an acknowledgement belongs to no command of ours any more.
      if (!isNoise) this.#forget();
      else if (this.#takesBare) this.#keep(byte);
    }
    return events;
  }

  /** Ends a text without a frame: nothing came after it for a while. */
  flush(): ReplyEvent | undefined {
    const [body, isCut] = [this.#bare, this.#isBareCut];
    this.#forget();
    if (isCut) return { kind: "garbled", reason: "framing" };
    return body === "" ? undefined : { kind: "bare", body };
  }

  #forget(): void {
    this.#bare = "";
    this.#isBareCut = false;
  }

  #keep(byte: number): void {
    if (byte < 0x20 || byte > 0x7e) return;
    this.#isBareCut = this.#bare.length >= this.#bareMax;
    if (!this.#isBareCut) this.#bare += String.fromCharCode(byte);
  }
}
