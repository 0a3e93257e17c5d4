/** `/org`: the caller's own organization. */

import { callerOf } from "#core/access.ts";
import { userRoutes } from "../../http/access.ts";
import { success } from "../../http/answers.ts";
import { changeJson } from "../../http/request-body.ts";
import { OrganizationRecord, UpdateOrganizationBody } from "./schema.ts";
import type { OrganizationService } from "./service.ts";

const TAG = "Organization";

/** The routes over the service. */
export function organizationRoutes(service: OrganizationService) {
  const reading = userRoutes("operator", TAG).get(
    "/org",
    ({ principal }) => service.get(principal.orgId),
    { detail: { summary: "Get the organization", responses: success(OrganizationRecord) } },
  );
  const writing = userRoutes("admin", TAG).patch(
    "/org",
    ({ principal, body }) => service.update(callerOf(principal), body),
    {
      body: changeJson(UpdateOrganizationBody),
      detail: {
        summary: "Change the organization's name, currency, time zone or closing time",
        responses: success(OrganizationRecord),
      },
    },
  );
  return [reading, writing];
}
