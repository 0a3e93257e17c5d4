/** Hashing passwords with argon2id, off the main thread. */

import type { Options } from "@node-rs/argon2";

/** The parts of the native module that are used. */
export interface Argon2 {
  hash(password: string, options: Options): Promise<string>;
  verify(hashed: string, password: string): Promise<boolean>;
}

/** Memory in KiB, passes and lanes. Source: OWASP Password Storage Cheat Sheet, Argon2id. */
const COST: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Turns passwords into hashes and compares them. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /**
   * True when the password is the hash's. Without a hash it takes as long and is false, so that an
   * answer's time does not tell whether there is such a user.
   */
  verify(hashed: string | null, password: string): Promise<boolean>;
}

/** Makes the hasher; `cost` is lowered, and `argon2` watched, only by tests. */
export function createPasswords(cost: Options = COST, argon2: () => Argon2 = native): Passwords {
  let decoy: Promise<string> | undefined;
  return {
    hash: (password) => argon2().hash(password, cost),
    async verify(hashed, password) {
      if (hashed !== null) return argon2().verify(hashed, password);
      decoy ??= argon2().hash(crypto.randomUUID(), cost);
      await argon2().verify(await decoy, password);
      return false;
    },
  };
}

/**
 * The entry of this architecture: a plain import would look for its native part at run time. It is
 * loaded when somebody logs in, not at the start.
 */
function native(): Argon2 {
  // The bundler folds the condition for each target and embeds only the one that is needed.
  return process.arch === "arm64"
    ? require("@node-rs/argon2-linux-arm64-gnu")
    : require("@node-rs/argon2-linux-x64-gnu");
}
