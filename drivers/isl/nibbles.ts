/** Four-nibble numbers of the ISL family, and the checksum that is written as one. */

/**
 * Writes a 16-bit number as four bytes 30h..3Fh, most significant nibble first: 1AE3h becomes
 * `31 3A 3E 33`. The nibbles above 9 are not the ASCII letters.
 */
export function writeNibbles(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = 0x30 + ((value >> 12) & 0xf);
  bytes[at + 1] = 0x30 + ((value >> 8) & 0xf);
  bytes[at + 2] = 0x30 + ((value >> 4) & 0xf);
  bytes[at + 3] = 0x30 + (value & 0xf);
}

/** Reads what `writeNibbles` wrote; -1 when a byte is not one of 30h..3Fh. */
export function readNibbles(bytes: Uint8Array, at: number): number {
  let value = 0;
  for (let i = at; i < at + 4; i += 1) {
    const byte = bytes[i] ?? 0;
    if (byte < 0x30 || byte > 0x3f) return -1;
    value = value * 16 + (byte - 0x30);
  }
  return value;
}

/** The checksum (BCC): the sum of the bytes `from..to-1`, modulo 65536. */
export function bccOf(bytes: Uint8Array, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at += 1) sum += bytes[at] ?? 0;
  return sum & 0xffff;
}
