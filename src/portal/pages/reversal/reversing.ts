/** Asks for the reversal. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { GatewayError } from "../../../client/index.ts";
import { reverse } from "../../api/client.ts";
import { useGivingUp } from "../../parts/order.ts";
import { isUnanswered, useWishKey } from "../../parts/wish-key.ts";
import { bodyOf, type Chosen, type Reason, type Tender } from "./body.ts";

interface Wish {
  readonly chosen: Chosen;
  readonly reason: Reason;
  readonly tender: Tender;
}

/**
 * What was not answered is asked again under the same key until it is, so that no money goes back
 * twice.
 * @param ended called when it was taken on or refused, with what is left read again
 */
export function useReversing(receiptId: string, ended: () => void) {
  const cache = useQueryClient();
  const key = useWishKey();
  const { signal, giveUp } = useGivingUp();
  const reversing = useMutation<{ readonly id: string }, GatewayError, Wish>({
    mutationFn({ chosen, reason, tender }) {
      const body = bodyOf(chosen, reason, tender);
      return reverse(
        { key: key.of(JSON.stringify(body)), receiptId, ...body },
        { signal: signal() },
      );
    },
    onSettled: async (_, error) => {
      await cache.invalidateQueries({
        predicate: ({ queryKey: [path] }) =>
          path === "/api/v1/receipts" || path === "/api/v1/commands",
      });
      if (isUnanswered(error)) return;
      key.end(error);
      ended();
    },
  });
  return { ...reversing, giveUp };
}
