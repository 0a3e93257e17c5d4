/** Users as the API shows them. */

import type { User } from "#db/stores/users.ts";

/** A user without the password's hash. */
export function userRecord(user: User) {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    role: user.role,
    active: user.active,
    createdAt: new Date(user.createdAt).toISOString(),
    lastLoginAt: user.lastLoginAt === null ? null : new Date(user.lastLoginAt).toISOString(),
  };
}
