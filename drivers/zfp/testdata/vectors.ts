/** Golden frames of the vendorE devices, with their source and notes as collected. */

import vectors from "./vendor-e.json";

export interface Vector {
  readonly name: string;
  readonly request: Uint8Array;
  /** undefined where no example of an answer is known. */
  readonly reply: Uint8Array | undefined;
  /** Sequence number, command and data of the request; undefined for single bytes. */
  readonly parts:
    | { readonly nbl: number; readonly command: number; readonly data: Uint8Array }
    | undefined;
}

export const VECTORS: readonly Vector[] = vectors.map((vector) => ({
  name: vector.name,
  request: fromHex(vector.request_hex),
  reply: vector.reply_hex ? fromHex(vector.reply_hex) : undefined,
  parts:
    vector.nbl_hex && vector.command_hex
      ? {
          nbl: Number.parseInt(vector.nbl_hex, 16),
          command: Number.parseInt(vector.command_hex, 16),
          data: fromHex(vector.data_hex),
        }
      : undefined,
}));

/** A vector by name. */
export function vectorOf(name: string): Vector {
  const vector = VECTORS.find((candidate) => candidate.name === name);
  if (!vector) throw new RangeError(`no vector ${name}`);
  return vector;
}

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, "hex"));
}
