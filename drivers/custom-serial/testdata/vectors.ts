/** Golden frames of the CUSTOM protocol, with their source. */

import vectors from "./custom.json";

export interface Vector {
  readonly name: string;
  readonly counter: number;
  readonly body: string;
  readonly bytes: Uint8Array;
}

export const VECTORS: readonly Vector[] = vectors.map(({ name, counter, body, hex }) => ({
  name,
  counter,
  body,
  bytes: Uint8Array.from(Buffer.from(hex, "hex")),
}));
