/** Users as the API shows them. */

import { isoTime, isoTimeOrNull } from "#core/iso-time.ts";
import type { User } from "#db/stores/users.ts";

/** A user without the password's hash. */
export function userRecord(user: User) {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    role: user.role,
    active: user.active,
    createdAt: isoTime(user.createdAt),
    lastLoginAt: isoTimeOrNull(user.lastLoginAt),
  };
}
