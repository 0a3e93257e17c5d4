/** Checksums that frames of this family of protocols carry, by kind. Pure. */

export const CHECKSUM_KINDS = [
  "none",
  "sumMod100Ascii",
  "sumMod256Hex",
  "xor1",
  "xorHex2",
  "xorNibbles30",
] as const;

/**
 * - `none`: no checksum;
 * - `sumMod100Ascii`: sum of the bytes modulo 100, as two decimal digits (the CUSTOM protocol);
 * - `sumMod256Hex`: sum modulo 256, as two hexadecimal digits in capitals;
 * - `xor1`: XOR of the bytes, as one byte;
 * - `xorHex2`: the same as two hexadecimal digits in capitals;
 * - `xorNibbles30`: the same, a nibble a byte on top of 30h.
 */
export type ChecksumKind = (typeof CHECKSUM_KINDS)[number];

/** How many bytes a checksum takes. */
export const CHECKSUM_BYTES = {
  none: 0,
  sumMod100Ascii: 2,
  sumMod256Hex: 2,
  xor1: 1,
  xorHex2: 2,
  xorNibbles30: 2,
} as const satisfies Record<ChecksumKind, number>;

/** The checksum of some bytes, each the code of a character; written in the same way. */
export function checksumOf(kind: ChecksumKind, text: string): string {
  switch (kind) {
    case "none":
      return "";
    case "sumMod100Ascii":
      return String(sumOf(text) % 100).padStart(2, "0");
    case "sumMod256Hex":
      return hex(sumOf(text) % 256);
    case "xor1":
      return String.fromCharCode(xorOf(text));
    case "xorHex2":
      return hex(xorOf(text));
    case "xorNibbles30": {
      const xor = xorOf(text);
      return String.fromCharCode(0x30 + (xor >> 4), 0x30 + (xor & 0x0f));
    }
    default:
      return kind satisfies never;
  }
}

function sumOf(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum += text.charCodeAt(at);
  return sum;
}

function xorOf(text: string): number {
  let xor = 0;
  for (let at = 0; at < text.length; at += 1) xor ^= text.charCodeAt(at);
  return xor;
}

function hex(value: number): string {
  return value.toString(16).toUpperCase().padStart(2, "0");
}

/** Each character as the byte of its code. */
export function ascii(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}
