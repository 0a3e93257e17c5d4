/** The caller's own organization. */

import type { Stores } from "#db/stores/index.ts";
import { organizationRecord } from "./records.ts";

export interface OrganizationServiceOptions {
  readonly stores: Pick<Stores, "organizations">;
}

export type OrganizationService = ReturnType<typeof createOrganizationService>;

/** Makes the service. */
export function createOrganizationService({ stores }: OrganizationServiceOptions) {
  return {
    get(orgId: string) {
      const found = stores.organizations.get(orgId);
      if (found === undefined) throw new Error("a caller without an organization");
      return organizationRecord(found);
    },
  };
}
