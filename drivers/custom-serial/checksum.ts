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

/** The checksum of some bytes. */
export function checksumOf(kind: ChecksumKind, bytes: Iterable<number>): Uint8Array {
  switch (kind) {
    case "none":
      return new Uint8Array();
    case "sumMod100Ascii":
      return ascii(String(sumOf(bytes) % 100).padStart(2, "0"));
    case "sumMod256Hex":
      return ascii(hex(sumOf(bytes) % 256));
    case "xor1":
      return Uint8Array.of(xorOf(bytes));
    case "xorHex2":
      return ascii(hex(xorOf(bytes)));
    case "xorNibbles30": {
      const xor = xorOf(bytes);
      return Uint8Array.of(0x30 + (xor >> 4), 0x30 + (xor & 0x0f));
    }
    default:
      return kind satisfies never;
  }
}

function sumOf(bytes: Iterable<number>): number {
  let sum = 0;
  for (const byte of bytes) sum += byte;
  return sum;
}

function xorOf(bytes: Iterable<number>): number {
  let xor = 0;
  for (const byte of bytes) xor ^= byte;
  return xor;
}

function hex(value: number): string {
  return value.toString(16).toUpperCase().padStart(2, "0");
}

/** Each character as the byte of its code. */
export function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
