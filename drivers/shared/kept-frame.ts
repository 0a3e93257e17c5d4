/**
 * Frames as they are kept for the line monitor: a copy of their bytes with the secrets overwritten,
 * and what it takes to put them into words when somebody looks.
 */

import {
  type KeptFrame,
  type LineDirection,
  type Masked,
  SHOWN_BYTES_MAX,
  type TracedFrame,
} from "#core/device/trace.ts";
import { cutToShown, shownHex } from "./trace-text.ts";

/** What a frame is called and what it says. */
export interface FrameWords {
  readonly name: string;
  readonly text?: string;
}

/** What a frame is put into words by. */
export interface FrameDetails<Context> {
  /** Places in the frame that are overwritten. */
  readonly masked?: readonly Masked[];
  /** True for bytes that are no frame: of those no more is kept than is shown. */
  readonly isDamaged?: boolean;
  /** What was known when it passed, without any secret: it is kept as long as the frame is. */
  readonly context: Context;
  /** @param bytes the frame, zeros where secrets stood */
  readonly explain: (context: Context, bytes: Uint8Array) => FrameWords;
}

const NOTHING: readonly Masked[] = [];

/** A frame. @param bytes are copied: those which the driver is about to send stay as they are */
export function keptFrame<Context>(
  direction: LineDirection,
  bytes: Uint8Array,
  details: FrameDetails<Context>,
): KeptFrame {
  return new ExplainedFrame(direction, bytes, details);
}

/** A frame that is called the same each time it comes, such as a control byte. */
export function signFrame(
  direction: LineDirection,
  bytes: Uint8Array,
  words: FrameWords,
): KeptFrame {
  return keptFrame(direction, bytes, { context: words, explain: itself });
}

/**
 * Bytes that are no frame.
 * @param isSecret true when they may be an echo of, or an answer with, something secret
 */
export function damagedFrame(
  direction: LineDirection,
  bytes: Uint8Array,
  { reason, isSecret }: { readonly reason: string; readonly isSecret: boolean },
): KeptFrame {
  return keptFrame(direction, bytes, {
    masked: isSecret ? [{ from: 0, to: bytes.length }] : NOTHING,
    isDamaged: true,
    context: { name: reason },
    explain: itself,
  });
}

function itself(words: FrameWords): FrameWords {
  return words;
}

/** Every field is open to the test that searches what is kept for secrets. */
class ExplainedFrame<Context> implements KeptFrame {
  readonly direction: LineDirection;
  readonly byteCount: number;
  readonly isDamaged: boolean;
  readonly bytes: Uint8Array;
  readonly masked: readonly Masked[];
  readonly context: Context;
  readonly explain: FrameDetails<Context>["explain"];

  constructor(direction: LineDirection, bytes: Uint8Array, details: FrameDetails<Context>) {
    const { masked = NOTHING, isDamaged = false, context, explain } = details;
    const bytesMax = isDamaged ? SHOWN_BYTES_MAX : KEPT_BYTES_MAX;
    const kept = bytes.length > bytesMax ? bytes.subarray(0, bytesMax) : bytes;
    this.direction = direction;
    this.byteCount = bytes.length;
    this.isDamaged = isDamaged;
    this.bytes = withoutSecrets(kept, masked);
    this.masked = masked;
    this.context = context;
    this.explain = explain;
  }

  describe(): TracedFrame {
    const { direction, byteCount, isDamaged, bytes, masked } = this;
    const { name, text = "" } = this.explain(this.context, bytes);
    const hex = shownHex(bytes, masked);
    return { direction, name, text: cutToShown(text), hex, byteCount, isDamaged };
  }
}

/** A copy, zeros in the masked places. */
export function withoutSecrets(bytes: Uint8Array, masked: readonly Masked[]): Uint8Array {
  // Not `slice`, which of a Buffer is a view.
  const copy = new Uint8Array(bytes);
  for (const { from, to } of masked) copy.fill(0, from, to);
  return copy;
}

/** What came from the device since the last whole frame. Bounded: what is beyond is damaged. */
export class PendingBytes {
  readonly #buffer = new Uint8Array(PENDING_BYTES_MAX);
  #length = 0;
  #mayBeSecret = false;

  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length === this.#buffer.length;
  }

  /** @param mayBeSecret true where it may echo, or answer with, something secret */
  push(byte: number, mayBeSecret = false): void {
    this.#buffer[this.#length] = byte;
    this.#length += 1;
    this.#mayBeSecret ||= mayBeSecret;
  }

  /** True when this byte is its first. */
  beginsWith(byte: number): boolean {
    return this.#length > 0 && this.#buffer[0] === byte;
  }

  /** Takes all out, as a frame: whoever makes one of them knows what in it is secret. */
  take(): Uint8Array {
    this.#mayBeSecret = false;
    return this.#cut(this.#length);
  }

  /** Takes the last `count` bytes out as a frame; what stands before them is noise. */
  takeLast(count: number, frames: KeptFrame[]): Uint8Array {
    this.discard("no frame", frames, Math.max(0, this.#length - count));
    return this.take();
  }

  /** Puts the first `count` bytes away as no frame; all of them unless given. */
  discard(reason: string, frames: KeptFrame[], count = this.#length): void {
    const bytes = this.#cut(count);
    const isSecret = this.#mayBeSecret;
    if (this.#length === 0) this.#mayBeSecret = false;
    if (bytes.length > 0) frames.push(damagedFrame("in", bytes, { reason, isSecret }));
  }

  #cut(count: number): Uint8Array {
    const taken = this.#buffer.slice(0, count);
    this.#buffer.copyWithin(0, count, this.#length);
    this.#length -= count;
    return taken;
  }
}

/** More than the longest frame of any protocol. */
const PENDING_BYTES_MAX = 2_048;
/** Of a frame that is one: its words may need all of it. */
const KEPT_BYTES_MAX = PENDING_BYTES_MAX;
