/** Codes by which a user sets a password without the old one: once, and within a time. */

import type { Stores } from "#db/stores/index.ts";
import type { User } from "#db/stores/users.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";
import { hashOfSecret, newSecret } from "../../platform/secrets.ts";

export interface PasswordCodesOptions {
  readonly stores: Pick<Stores, "passwordCodes">;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
}

/** Of whoever makes codes beside a running gateway. */
export interface CodeTime {
  /** Notices that the clock was set: to be called before the operation that makes a code. */
  lookAtClock(): void;
}

/** Makes a code for a user; it is kept as its hash. Inside an operation. @returns its text */
export function issuePasswordCode(
  { stores, clock, random }: PasswordCodesOptions,
  user: User,
  lifeMs: number,
): string {
  const code = newSecret(random);
  const now = clock.now();
  stores.passwordCodes.insert({
    hash: hashOfSecret(code),
    userId: user.id,
    createdAt: now,
    expiresAt: now + lifeMs,
  });
  return code;
}
