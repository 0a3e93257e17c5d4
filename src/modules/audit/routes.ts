/** `/audit`: who did what. */

import { userRoutes } from "../../http/access.ts";
import { success } from "../../http/answers.ts";
import { pagination, query } from "../../http/query.ts";
import { AuditList } from "./schema.ts";
import type { AuditService } from "./service.ts";

/** The routes over the service. */
export function auditRoutes(service: AuditService) {
  return userRoutes("admin", "Organization").get(
    "/audit",
    ({ principal, query: page }) => service.list(principal.orgId, page),
    {
      query: query(pagination(["createdAt"])),
      detail: {
        summary: "List who did what to which resource, and from where",
        description: "Entries are only ever added. They are in the order in which they were made.",
        responses: success(AuditList),
      },
    },
  );
}
