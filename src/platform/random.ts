/** Ids and secrets. Everything unpredictable in the product starts here. */

import { randomBytes } from "node:crypto";
import { monotonicFactory } from "ulid";
import type { Clock } from "./clock.ts";

/** What an id names: device, command, receipt, report, key, webhook, delivery, event, user, location. */
export const ID_KINDS = [
  "dev",
  "cmd",
  "rct",
  "rpt",
  "key",
  "whk",
  "dlv",
  "evt",
  "usr",
  "loc",
] as const;
export type IdKind = (typeof ID_KINDS)[number];

/** Crockford's alphabet without I, L, O and U, in lower case. */
const BASE32_LOWER = "0123456789abcdefghjkmnpqrstvwxyz";
const ORG_ID_LENGTH = 12;
/** Bytes fetched at a time, so that an id costs no system call. */
const POOL_BYTES = 1024;

/** A source of ids and secrets. */
export interface Random {
  /** `<kind>_<26 Crockford base32>`: sorts by time, and by order of making within a millisecond. */
  id(kind: IdKind): string;
  /** 12 lower-case base32 characters. Never holds `_`, because it stands inside API keys. */
  orgId(): string;
  /** `byteCount` unpredictable bytes as lower-case hex. */
  hex(byteCount: number): string;
  /** `byteCount` unpredictable bytes. */
  bytes(byteCount: number): Buffer;
  /**
   * An unbiased integer in 0..bound-1.
   * @param bound 1 to 2^32
   * @throws RangeError outside of that
   */
  integer(bound: number): number;
}

/** Gives out bytes one after another from a pool that is refilled as needed. */
function createBytePool(source: (byteCount: number) => Buffer): () => number {
  let pool: Buffer = Buffer.alloc(0);
  let offset = 0;
  return () => {
    if (offset >= pool.length) {
      pool = source(POOL_BYTES);
      offset = 0;
    }
    return pool.readUInt8(offset++);
  };
}

/**
 * The product's source of ids and secrets.
 * @param clock gives the time part of ids; a clock that is set back does not make ids go back
 * @param source unpredictable bytes; tests may give predictable ones
 */
export function createRandom(
  clock: Pick<Clock, "now">,
  source: (byteCount: number) => Buffer = randomBytes,
): Random {
  const nextByte = createBytePool(source);
  const nextUlid = monotonicFactory(() => nextByte() / 256);
  return {
    id: (kind) => `${kind}_${nextUlid(clock.now())}`,
    orgId: () =>
      Array.from({ length: ORG_ID_LENGTH }, () => BASE32_LOWER.charAt(nextByte() & 31)).join(""),
    hex: (byteCount) => source(byteCount).toString("hex"),
    bytes: (byteCount) => source(byteCount),
    integer: (bound) => unbiasedInteger(bound, nextByte),
  };
}

/** Draws 32 bits until they fall below the largest multiple of `bound`: no value is favoured. */
function unbiasedInteger(bound: number, nextByte: () => number): number {
  if (!Number.isInteger(bound) || bound < 1 || bound > 2 ** 32) {
    throw new RangeError(`a random integer needs a bound from 1 to 2^32, not ${bound}`);
  }
  const fairBelow = 2 ** 32 - (2 ** 32 % bound);
  for (;;) {
    const draw = ((nextByte() << 24) | (nextByte() << 16) | (nextByte() << 8) | nextByte()) >>> 0;
    if (draw < fairBelow) return draw % bound;
  }
}
