/** Codes by which a user sets a password without the old one: once, and within a time. */

import type { Stores } from "#db/stores/index.ts";
import type { User } from "#db/stores/users.ts";
import type { CountedTime } from "../../platform/counted-time.ts";
import type { Random } from "../../platform/random.ts";
import { hashOfSecret, newSecret } from "../../platform/secrets.ts";

/** The time by which codes are stored: they are moved with a clock that was set, once that is noticed. */
export interface CodeTime {
  readonly time: Pick<CountedTime, "asStored">;
}

export interface PasswordCodesOptions extends CodeTime {
  readonly stores: Pick<Stores, "passwordCodes">;
  readonly random: Random;
}

/** Makes a code for a user; it is kept as its hash. Inside an operation. @returns its text */
export function issuePasswordCode(
  { stores, time, random }: PasswordCodesOptions,
  user: User,
  lifeMs: number,
): string {
  const code = newSecret(random);
  const now = time.asStored();
  stores.passwordCodes.insert({
    hash: hashOfSecret(code),
    userId: user.id,
    createdAt: now,
    expiresAt: now + lifeMs,
  });
  return code;
}
