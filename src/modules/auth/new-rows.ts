/** Organizations and users as they begin. */

import type { Role } from "#core/access.ts";
import { ApiError } from "#core/errors.ts";
import { requireNotFull } from "#core/org-rows.ts";
import type { Organization } from "#db/stores/organizations.ts";
import type { User, UserStore } from "#db/stores/users.ts";
import { machineTimezone } from "../../platform/timezone.ts";

/** Of an organization that names none. */
export const CURRENCY_DEFAULT = "RON";

/** An organization on the free plan. */
export function newOrganization(from: {
  readonly id: string;
  readonly name: string;
  /** The usual one when undefined. */
  readonly currency?: string | undefined;
  /** The machine's when undefined. */
  readonly timezone?: string | undefined;
  readonly now: number;
}): Organization {
  const { id, name, now } = from;
  const currency = from.currency ?? CURRENCY_DEFAULT;
  const timezone = from.timezone ?? machineTimezone();
  return {
    ...{ id, name, currency, timezone, plan: "free", createdAt: now, updatedAt: now },
    ...{ closingTime: null, closingAutomatic: false, closingSetAt: now },
  };
}

/** An active user who has not logged in yet. */
export function newUser(from: {
  readonly id: string;
  readonly orgId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Null until the user has set a password. */
  readonly passwordHash: string | null;
  readonly now: number;
}): User {
  const { id, orgId, name, role, passwordHash, now } = from;
  return {
    id,
    orgId,
    email: normalEmail(from.email),
    name,
    role,
    passwordHash,
    active: true,
    createdAt: now,
    updatedAt: now,
    lastLoginAt: null,
  };
}

/**
 * Inside an operation.
 * @throws ApiError CONFLICT where the address is taken, or there are as many as there may be
 */
export function insertUser(users: UserStore, user: User): void {
  if (users.findByEmail(user.email) !== undefined) {
    throw new ApiError("CONFLICT", "There is a user with this email address already");
  }
  requireNotFull("members", users.count(user.orgId));
  users.insert(user);
}

/** As stored and looked up: addresses differ by more than case nowhere in practice. */
export function normalEmail(email: string): string {
  return email.trim().toLowerCase();
}
