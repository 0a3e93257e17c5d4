/** Organizations as the API shows them. */

import { isoTime } from "#core/iso-time.ts";
import type { Organization } from "#db/stores/organizations.ts";

/** An organization as its members see it. */
export function organizationRecord(organization: Organization) {
  return {
    id: organization.id,
    name: organization.name,
    currency: organization.currency,
    timezone: organization.timezone,
    plan: organization.plan,
    closingTime: organization.closingTime,
    closingAutomatic: organization.closingAutomatic,
    createdAt: isoTime(organization.createdAt),
    updatedAt: isoTime(organization.updatedAt),
  };
}
