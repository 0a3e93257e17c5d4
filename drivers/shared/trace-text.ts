/**
 * Bytes of frames as the line monitor shows them: cut to a length, control characters visible,
 * secrets masked.
 */

import { SHOWN_BYTES_MAX, SHOWN_CHARACTERS_MAX, type TracedFrame } from "#core/device/trace.ts";
import { type CodePage, decodeText } from "./codepage.ts";

/** Bytes that are not shown, `from` inclusive to `to` exclusive. */
export interface Masked {
  readonly from: number;
  readonly to: number;
}

const HIDDEN_BYTE = "**";
/** What stands in a text for a secret, however long it is. */
export const HIDDEN_TEXT = "****";

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Hexadecimal of a frame, secrets masked. */
export function shownHex(bytes: Uint8Array, masked: readonly Masked[]): string {
  const end = Math.min(bytes.length, SHOWN_BYTES_MAX);
  let hex = "";
  for (let at = 0; at < end; at += 1) {
    const isHidden = masked.some(({ from, to }) => at >= from && at < to);
    hex += isHidden ? HIDDEN_BYTE : HEX[bytes[at] ?? 0];
  }
  return hex;
}

/** Text of bytes between quotation marks, secrets masked. Positions are those within `bytes`. */
export function shownText(
  bytes: Uint8Array,
  codePage: CodePage,
  masked: readonly Masked[] = [],
): string {
  let text = "";
  let at = 0;
  for (const { from, to } of masked) {
    if (at < from) text += decodeText(bytes.subarray(at, from), codePage);
    text += HIDDEN_TEXT;
    at = to;
  }
  if (at < bytes.length) text += decodeText(bytes.subarray(at), codePage);
  return `"${visible(text)}"`;
}

/** Text on one line: TAB and LF as signs, other control characters as a dot. */
export function visible(text: string): string {
  return text
    .replaceAll("\t", "⇥")
    .replaceAll("\n", "⏎")
    .replace(/\p{Cc}/gu, "·");
}

/** Text cut to what is shown of a frame. */
export function cutText(text: string): string {
  return text.length > SHOWN_CHARACTERS_MAX ? `${text.slice(0, SHOWN_CHARACTERS_MAX)}…` : text;
}

/** What a frame is called and what it says. */
export interface Described {
  readonly name: string;
  readonly text?: string;
  readonly masked?: readonly Masked[];
}

/** A frame as the monitor shows it. */
export function tracedFrame(
  direction: TracedFrame["direction"],
  bytes: Uint8Array,
  { name, text = "", masked = [] }: Described,
): TracedFrame {
  return {
    direction,
    name,
    text: cutText(text),
    hex: shownHex(bytes, masked),
    byteCount: bytes.length,
    isDamaged: false,
  };
}

/**
 * Bytes that are no frame.
 * @param isSecret true when they may be an echo of, or an answer with, something secret
 */
export function damagedFrame(
  direction: TracedFrame["direction"],
  bytes: Uint8Array,
  { reason, isSecret }: { readonly reason: string; readonly isSecret: boolean },
): TracedFrame {
  return {
    direction,
    name: reason,
    text: "",
    hex: shownHex(bytes, isSecret ? [{ from: 0, to: bytes.length }] : []),
    byteCount: bytes.length,
    isDamaged: true,
  };
}

/** `openSale` as `open sale`. */
export function spokenName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** A byte as two hexadecimal digits with an h. */
export function byteName(byte: number): string {
  return `${(HEX[byte] ?? "").toUpperCase()}h`;
}

/** The bytes of one direction since the last whole frame. Bounded: what is beyond is damaged. */
export class PendingBytes {
  readonly #buffer = new Uint8Array(PENDING_BYTES_MAX);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length === this.#buffer.length;
  }

  push(byte: number): void {
    this.#buffer[this.#length] = byte;
    this.#length += 1;
  }

  /** True when this byte is its first. */
  beginsWith(byte: number): boolean {
    return this.#length > 0 && this.#buffer[0] === byte;
  }

  /** Takes the first `count` bytes out; all of them unless given. */
  take(count = this.#length): Uint8Array {
    const taken = this.#buffer.slice(0, count);
    this.#buffer.copyWithin(0, count, this.#length);
    this.#length -= count;
    return taken;
  }
}

/** More than the longest frame of any protocol. */
const PENDING_BYTES_MAX = 2_048;
