/** How tests begin that are about what one shop has and may have. */

import type { Plan } from "#core/limits.ts";
import type { ApiClient } from "../../http/testing/api-client.ts";
import { type ApiBench, createApiBench } from "./api-bench.ts";

/** A gateway with one shop, to which more may come, and what its owner asks it by. */
export interface ShopOfPlan {
  readonly bench: ApiBench;
  readonly owner: ApiClient;
  readonly orgId: string;
}

/** Opens one; its `bench` is to be closed. */
export async function openShop(plan: Plan): Promise<ShopOfPlan> {
  const bench = createApiBench({ registration: "open" });
  const { client: owner, orgId } = await bench.owner();
  await bench.setPlan(orgId, plan);
  return { bench, owner, orgId };
}
