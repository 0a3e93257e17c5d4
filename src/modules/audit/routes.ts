/** `/audit`: who did what. */

import { AUDIT_ACTIONS } from "#core/audit.ts";
import { userRoutes } from "../../http/access.ts";
import { success } from "../../http/answers.ts";
import { choice, pagination, period, query, text } from "../../http/query.ts";
import { AuditList } from "./schema.ts";
import type { AuditService } from "./service.ts";

/** The routes over the service. */
export function auditRoutes(service: AuditService) {
  return userRoutes("admin", "Organization").get(
    "/audit",
    ({ principal, query: { resource, actor, action, from, to, ...page } }) =>
      service.list(principal.orgId, { resource, actor, action, from, to }, page),
    {
      query: query({
        ...{ resource: text(), actor: text(), action: choice(AUDIT_ACTIONS) },
        ...{ ...period(), ...pagination(["createdAt"]) },
      }),
      detail: {
        summary: "List who did what to which resource, and from where",
        description:
          "Entries are only ever added. They are in the order in which they were made. With " +
          "`resource`, the id of a device for example, those of what was done to it; with `actor`, " +
          "as entries say it (`user:<id>`) or as the bare id of a member or an API key, those of " +
          "what somebody did; with `action`, those of one kind. With `from` or `to` they are in order of " +
          "`createdAt`, which is another one where the clock was set; one request searches about " +
          "100,000 entries, and where these do not fill its page, `hasMore` says to go on after `lastId`.",
        responses: success(AuditList),
      },
    },
  );
}
