/** What holds for users whoever manages them: owners and admins, the person at the box, themselves. */

import { ApiError } from "#core/errors.ts";
import type { Stores } from "#db/stores/index.ts";
import type { User } from "#db/stores/users.ts";
import { guessedAccount } from "./guess-guard.ts";

type UserStores = Pick<Stores, "users" | "passwordCodes" | "guesses">;

/**
 * To be asked before a user stops being an active owner.
 * @throws ApiError CONFLICT when nobody could manage the organization then: whoever has not set a password
 * yet may never do so
 */
export function requireAnotherOwner({ users }: Pick<UserStores, "users">, user: User): void {
  if (user.role !== "owner" || !user.active) return;
  const others = users
    .list(user.orgId)
    .filter((one) => one.role === "owner" && one.active && one.id !== user.id);
  // One who was only invited takes nobody's place by going.
  const isInvited = user.passwordHash === null;
  if (others.some(({ passwordHash }) => isInvited || passwordHash !== null)) return;
  throw new ApiError("CONFLICT", `${user.email} is the last active owner who can log in`);
}

/** Ends all by which a user gets in without the password. Inside an operation. */
export function endAccess(
  { users, passwordCodes, guesses }: UserStores,
  { orgId, id }: User,
  options: {
    /** UTC milliseconds. */
    readonly now: number;
    /** A session to keep. */
    readonly except?: string;
  },
): void {
  users.endSessionsOfUser(orgId, id, options);
  passwordCodes.removeOfUser(id);
  guesses.forgetAddresses(id, options);
}

/** Sets a password, after which nothing older lets the user in. Inside an operation. */
export function replacePassword(
  stores: UserStores,
  user: User,
  {
    passwordHash,
    ...options
  }: {
    readonly passwordHash: string;
    /** UTC milliseconds. */
    readonly now: number;
    /** A session to keep. */
    readonly except?: string;
  },
): void {
  stores.users.setPassword(user.orgId, user.id, { passwordHash, now: options.now });
  // Guesses at the old one say nothing of the new one, and its owner is not to wait.
  stores.guesses.removeOfAccount(guessedAccount(user.email));
  endAccess(stores, user, options);
}
