/**
 * Bytes of frames as the line monitor shows them: cut to a length, control characters visible,
 * secrets masked.
 */

import { type Masked, SHOWN_BYTES_MAX, SHOWN_CHARACTERS_MAX } from "#core/device/trace.ts";
import { type CodePage, decodeText } from "./codepage.ts";

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
export function cutToShown(text: string): string {
  return text.length > SHOWN_CHARACTERS_MAX ? `${text.slice(0, SHOWN_CHARACTERS_MAX)}…` : text;
}

/** `openSale` as `open sale`. */
export function spokenName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** A byte as two hexadecimal digits with an h. */
export function byteName(byte: number): string {
  return `${(HEX[byte] ?? "").toUpperCase()}h`;
}
