/** Asks for the reversal. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { GatewayError } from "../../../client/index.ts";
import { reverse } from "../../api/client.ts";
import type { Readable } from "../../api/queries.ts";
import { BOOKED_SECONDS, useGivingUp } from "../../parts/order.ts";
import { isUnanswered, useTakenUp, useWishKey } from "../../parts/wish-key.ts";
import type { Body } from "./body.ts";

/** What tells what is left of the sale. */
const READ_AGAIN = new Set<string>([
  "/api/v1/commands",
  "/api/v1/receipts",
  "/api/v1/receipts/{receiptId}/reversible",
] satisfies Readable[]);

/**
 * What was not answered is asked again under the same key until it is, so that no money goes back
 * twice; after a reload of the page it is the same wish when it is pressed again.
 * @param ended told whether it was taken on, or was refused, with what is left read again
 */
export function useReversing(receiptId: string, ended: (isTaken: boolean) => void) {
  const cache = useQueryClient();
  const key = useWishKey(`${receiptId}/reversal`);
  const { signal, giveUp } = useGivingUp();
  const reversing = useMutation<{ readonly id: string }, GatewayError, Body>({
    async mutationFn(body) {
      const order = { key: key.of(JSON.stringify(body)), receiptId, ...body };
      return reverse(order, { signal: signal(), patienceSeconds: BOOKED_SECONDS });
    },
    onSettled: async (_, error) => {
      key.end(error);
      await cache.invalidateQueries({
        predicate: ({ queryKey: [path] }) => READ_AGAIN.has(String(path)),
      });
      if (!isUnanswered(error)) ended(error === null);
    },
  });
  useTakenUp(key, reversing.mutate);
  return { ...reversing, giveUp };
}
