/** `/billing` and the organization's own record. */

import { Type } from "@sinclair/typebox";
import { actorOf } from "#core/access.ts";
import { PLANS } from "#core/limits.ts";
import { type RouteGroup, userRoute } from "../../http/route.ts";
import { organizationRecord } from "../auth/records.ts";
import { OrganizationRecord } from "../auth/schema.ts";
import type { BillingService } from "./service.ts";

const PlanName = Type.Union(PLANS.map((plan) => Type.Literal(plan)));
const Limit = Type.Union([Type.Integer(), Type.Null()], { description: "null: no limit" });

const BillingOverview = Type.Object({
  plan: PlanName,
  limits: Type.Object({ devices: Limit, apiKeys: Limit }),
  usage: Type.Object({ devices: Type.Integer(), apiKeys: Type.Integer() }),
});

/** The routes over the service. */
export function billingRoutes(service: BillingService): RouteGroup {
  return {
    tag: "Organization",
    routes: [
      userRoute("operator", {
        method: "GET",
        path: "/org",
        summary: "Get the organization",
        response: OrganizationRecord,
        handle: ({ principal }) => organizationRecord(service.organization(principal.orgId)),
      }),
      userRoute("operator", {
        method: "GET",
        path: "/billing",
        summary: "Get the plan, its limits and what is in use",
        response: BillingOverview,
        handle: ({ principal }) => service.overview(principal.orgId),
      }),
      userRoute("owner", {
        method: "PUT",
        path: "/billing/plan",
        summary: "Set the plan",
        description: "Takes nothing away that is in use; only new devices and keys are refused.",
        body: Type.Object({ plan: PlanName }),
        response: BillingOverview,
        handle: ({ principal, body }) =>
          service.setPlan(principal.orgId, body().plan, actorOf(principal)),
      }),
    ],
  };
}
