/** Secrets that are given out once and known again by their hash. */

import type { Random } from "./random.ts";

const SECRET_BYTES = 32;

/** A new one: 43 characters that need no escaping anywhere. */
export function newSecret(random: Pick<Random, "bytes">): string {
  return random.bytes(SECRET_BYTES).toString("base64url");
}

/** As it is kept: SHA-256, hex. It has too much in it to be guessed, so a fast hash will do. */
export function hashOfSecret(secret: string): string {
  return new Bun.CryptoHasher("sha256").update(secret).digest("hex");
}
