/** The plan of an organization, and what of it is in use. */

import type { Caller } from "#core/access.ts";
import { PLAN_LIMITS, type Plan } from "#core/limits.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Writer } from "#db/writer.ts";
import type { Clock } from "../../platform/clock.ts";

export interface BillingServiceOptions {
  readonly stores: Pick<Stores, "organizations" | "devices" | "apiKeys" | "audit">;
  readonly writer: Writer;
  readonly clock: Pick<Clock, "now">;
}

export type BillingService = ReturnType<typeof createBillingService>;

/** Makes the service. There is no payment: the owner picks the plan of the licence bought. */
export function createBillingService({ stores, writer, clock }: BillingServiceOptions) {
  const { organizations, devices, apiKeys, audit } = stores;
  const overview = (orgId: string) => {
    const { plan } = organizations.of(orgId);
    return {
      plan,
      limits: {
        devices: countOrNull(PLAN_LIMITS[plan].devices),
        apiKeys: countOrNull(PLAN_LIMITS[plan].apiKeys),
      },
      usage: { devices: devices.count(orgId), apiKeys: apiKeys.countActive(orgId) },
    };
  };
  return {
    overview,

    /** Going below what is in use removes nothing; it only refuses what is new. */
    async setPlan(caller: Caller, plan: Plan) {
      const { orgId } = caller;
      await writer.run(() => {
        const now = clock.now();
        const before = organizations.of(orgId).plan;
        organizations.setPlan(orgId, plan, now);
        audit.append({
          ...caller,
          at: now,
          action: "plan.changed",
          resource: orgId,
          details: { from: before, to: plan },
        });
      });
      return overview(orgId);
    },
  };
}

/** JSON has no infinity: null means without a limit. */
function countOrNull(limit: number): number | null {
  return Number.isFinite(limit) ? limit : null;
}
