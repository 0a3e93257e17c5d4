/** What somebody has asked of an action before: behind a reload of the page, or on another one of theirs. */

import { useEffect, useState } from "react";
import { useSession } from "../../../api/hooks.ts";
import type { Ordering, Wish } from "../../../parts/order.ts";
import { useInHand } from "../../../parts/working.ts";

/**
 * The id of what whoever is signed in has asked, while the printer has it in hand and for as long as
 * the page is open; undefined once anything is asked here, which `order` tells of.
 */
export function useFollowed(types: readonly Wish["type"][], order: Ordering): string | undefined {
  const session = useSession();
  const me = session.kind === "in" ? session.user.id : undefined;
  const found = useInHand(order.deviceId).find(
    ({ type, requestedBy }) => requestedBy === me && types.some((one) => one === type),
  )?.id;
  const [followed, setFollowed] = useState<string>();
  const isAsked = order.data !== undefined || order.isPending || order.isError;
  useEffect(() => {
    if (isAsked) setFollowed(undefined);
    else if (found !== undefined) setFollowed(found);
  }, [isAsked, found]);
  return isAsked ? undefined : (found ?? followed);
}
