/** Golden frames of the family, with their source and notes as collected. */

import type { Generation } from "../frame.ts";
import vendorA from "./vendor-a.json";
import vendorB from "./vendor-b.json";
import vendorC from "./vendor-c.json";
import vendorD from "./vendor-d.json";

export interface Vector {
  readonly name: string;
  readonly generation: Generation;
  /** `datecs-x` and so on, as the notes name it. */
  readonly variant: string;
  readonly request: Uint8Array;
  readonly reply: Uint8Array;
}

const ALL = [...vendorA, ...vendorB, ...vendorC, ...vendorD];

export const VECTORS: readonly Vector[] = ALL.map((vector) => {
  const variant = /variant=([a-z-]+)/.exec(vector.notes)?.[1] ?? "";
  return {
    name: vector.name,
    variant,
    generation: variant.endsWith("-x") ? "long" : "short",
    request: Uint8Array.from(Buffer.from(vector.request_hex, "hex")),
    reply: Uint8Array.from(Buffer.from(vector.reply_hex, "hex")),
  };
});

/** A vector by name. */
export function vectorOf(name: string): Vector {
  const vector = VECTORS.find((candidate) => candidate.name === name);
  if (!vector) throw new RangeError(`no vector ${name}`);
  return vector;
}
