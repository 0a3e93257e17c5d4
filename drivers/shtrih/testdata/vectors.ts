/** Golden frames of Shtrih-M devices, with their source and notes as collected. */

import vectors from "./shtrih.json";

export interface TranscriptLine {
  readonly from: string;
  readonly bytes: Uint8Array;
}

export interface Vector {
  readonly name: string;
  /** Undefined where only the answer is known. */
  readonly request: Uint8Array | undefined;
  readonly reply: Uint8Array | undefined;
  /** Every byte in order, where that is known. */
  readonly transcript: readonly TranscriptLine[] | undefined;
}

function bytesOf(hex: string | null): Uint8Array | undefined {
  return hex === null ? undefined : Uint8Array.from(Buffer.from(hex, "hex"));
}

export const VECTORS: readonly Vector[] = vectors.map((vector) => ({
  name: vector.name,
  request: bytesOf(vector.request_hex),
  reply: bytesOf(vector.reply_hex),
  transcript: vector.transcript?.map(({ from, hex }) => ({
    from,
    bytes: Uint8Array.from(Buffer.from(hex, "hex")),
  })),
}));

/** A vector by name. */
export function vectorOf(name: string): Vector {
  const vector = VECTORS.find((candidate) => candidate.name === name);
  if (!vector) throw new RangeError(`no vector ${name}`);
  return vector;
}
