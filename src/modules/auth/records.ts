/** Users and organizations as the API shows them. */

import type { Organization } from "#db/stores/organizations.ts";
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

export function organizationRecord(organization: Organization) {
  return {
    id: organization.id,
    name: organization.name,
    currency: organization.currency,
    timezone: organization.timezone,
    plan: organization.plan,
    createdAt: new Date(organization.createdAt).toISOString(),
    updatedAt: new Date(organization.updatedAt).toISOString(),
  };
}
