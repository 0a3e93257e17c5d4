/** Secrets that are asked for once more within a call, and so might be guessed there. */

import { ApiError } from "#core/errors.ts";
import type { Stores } from "#db/stores/index.ts";
import type { UserPrincipal } from "../../http/access.ts";
import type { GuessGuard } from "./guess-guard.ts";
import type { Passwords } from "./password.ts";
import type { SetupCode } from "./setup-code.ts";

export interface GuessedSecretsOptions {
  readonly stores: Pick<Stores, "users">;
  readonly passwords: Passwords;
  readonly setupCode: SetupCode;
  readonly guard: GuessGuard;
}

/**
 * Whoever registers first has to know the code.
 * @throws ApiError FORBIDDEN for a wrong one, TooManyGuesses after several
 */
export async function requireSetupCode(
  { guard, setupCode }: Pick<GuessedSecretsOptions, "guard" | "setupCode">,
  given: string,
  address: string | null,
): Promise<void> {
  const guess = guard.begin({ address, what: "set-up code" });
  try {
    if (setupCode.isRight(given)) return;
    // One that was left out is no guess: a page asks for it then.
    if (given !== "") await guess.wrong();
    throw wrongSetupCode();
  } finally {
    guess.end();
  }
}

/**
 * Whoever has a session of somebody else's must not find out the password by it.
 * @returns the hash of the password that was found right
 * @throws ApiError FORBIDDEN for a wrong one, TooManyGuesses after several
 */
export async function requirePassword(
  { stores, passwords, guard }: Pick<GuessedSecretsOptions, "stores" | "passwords" | "guard">,
  { orgId, userId, address }: UserPrincipal,
  password: string,
): Promise<string | null> {
  const user = stores.users.get(orgId, userId);
  if (user === undefined) throw wrongPassword();
  const guess = guard.begin({
    ...{ email: user.email, user, address: address ?? null, what: "password" },
  });
  try {
    if (await passwords.verify(user.passwordHash, password)) return user.passwordHash;
    await guess.wrong();
    throw wrongPassword();
  } finally {
    guess.end();
  }
}

function wrongSetupCode(): ApiError {
  return new ApiError(
    "FORBIDDEN",
    "The first registration needs setupCode: the code that fiscald serve prints at its start and " +
      "fiscald setup --code shows",
  );
}

/** The refusal of a current password. */
export function wrongPassword(): ApiError {
  return new ApiError("FORBIDDEN", "The current password is wrong");
}
