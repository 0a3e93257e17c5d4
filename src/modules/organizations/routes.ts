/** `/org`: the caller's own organization. */

import { userRoutes } from "../../http/access.ts";
import { success } from "../../http/answers.ts";
import { OrganizationRecord } from "./schema.ts";
import type { OrganizationService } from "./service.ts";

/** The routes over the service. */
export function organizationRoutes(service: OrganizationService) {
  return userRoutes("operator", "Organization").get(
    "/org",
    ({ principal }) => service.get(principal.orgId),
    { detail: { summary: "Get the organization", responses: success(OrganizationRecord) } },
  );
}
