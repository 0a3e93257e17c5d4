/** Routes below `/billing`. */

import { Type } from "@sinclair/typebox";
import { callerOf } from "#core/access.ts";
import { PLANS } from "#core/limits.ts";
import { oneOf } from "#core/schema-parts.ts";
import { userRoutes } from "../../http/access.ts";
import { success } from "../../http/answers.ts";
import { json } from "../../http/request-body.ts";
import type { BillingService } from "./service.ts";

const PlanName = oneOf(PLANS);
const Limit = Type.Union([Type.Integer(), Type.Null()], { description: "null: no limit" });

const BillingOverview = Type.Object({
  plan: PlanName,
  limits: Type.Object({ devices: Limit, apiKeys: Limit }),
  usage: Type.Object({ devices: Type.Integer(), apiKeys: Type.Integer() }),
});

const TAG = "Organization";

/** The routes over the service. */
export function billingRoutes(service: BillingService) {
  const reading = userRoutes("operator", TAG).get(
    "/billing",
    ({ principal }) => service.overview(principal.orgId),
    {
      detail: {
        summary: "Get the plan, its limits and what is in use",
        responses: success(BillingOverview),
      },
    },
  );
  const writing = userRoutes("owner", TAG).put(
    "/billing/plan",
    ({ principal, body }) => service.setPlan(callerOf(principal), body.plan),
    {
      body: json(Type.Object({ plan: PlanName }, { examples: [{ plan: "pro" }] })),
      detail: {
        summary: "Set the plan",
        description: "Takes nothing away that is in use; only new devices and keys are refused.",
        responses: success(BillingOverview),
      },
    },
  );
  return [reading, writing];
}
