/** A box that is heard again is asked again: nobody has to press a button for what failed meanwhile. */

import type { Query } from "@tanstack/react-query";
import { GatewayError } from "../../client/index.ts";
import { queries } from "./queries.ts";
import { currentReach, watchReach } from "./reach.ts";

/** @returns what ends that */
export function readAgainWhenHeard(): () => void {
  let before = currentReach().kind;
  return watchReach(() => {
    const now = currentReach().kind;
    if (now === "live" && before !== "live") void readAgain(before === "silent");
    before = now;
  });
}

/**
 * Asks what has failed, and what nobody answers.
 * @param wasSilent true where questions that are still open may never be answered
 */
export async function readAgain(wasSilent: boolean): Promise<void> {
  const stuck = queries.getQueryCache().findAll({
    type: "active",
    predicate: (query) => hasFailed(query) || (wasSilent && isOpen(query)),
  });
  // Those that no page shows itself: a list reads its pages so, and would wait for the very same one again.
  const within = queries.getQueryCache().findAll({
    type: "inactive",
    predicate: (query) => wasSilent && isOpen(query),
  });
  const off = [...stuck, ...within];
  await Promise.all(off.map((query) => query.cancel({ silent: true, revert: true })));
  await Promise.all(stuck.map((query) => query.fetch().catch(() => undefined)));
}

/** What the gateway refused it refuses again. */
function hasFailed({ state: { status, error } }: Query): boolean {
  return status === "error" && error instanceof GatewayError && error.isTemporary;
}

function isOpen({ state: { fetchStatus } }: Query): boolean {
  return fetchStatus !== "idle";
}
