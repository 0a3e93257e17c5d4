/** Asks for the reversal. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { components, GatewayError } from "../../../client/index.ts";
import { reverse } from "../../api/client.ts";
import type { Readable } from "../../api/queries.ts";
import { BOOKED_SECONDS, useGivingUp } from "../../parts/order.ts";
import { isUnanswered, useTakenUp, useWishKey } from "../../parts/wish-key.ts";
import type { Word } from "../../words/words.tsx";
import type { Body } from "./body.ts";

type Sale = Pick<components["schemas"]["Receipt"], "id" | "deviceId">;

/** What tells what is left of the sale. */
const READ_AGAIN = new Set<string>([
  "/api/v1/commands",
  "/api/v1/receipts",
  "/api/v1/receipts/{receiptId}/reversible",
] satisfies Readable[]);

/**
 * What was not answered is asked again under the same key until it is, so that no money goes back
 * twice; and looked up, over as many reloads of the page as it takes: pressed again it is the same wish.
 * @param ended told whether it was taken on, or was refused, with what is left read again
 */
export function useReversing(sale: Sale, ended: (isTaken: boolean) => void) {
  const { id: receiptId, deviceId } = sale;
  const cache = useQueryClient();
  const key = useWishKey(`${receiptId}/reversal`, { isLookedUp: true });
  const { signal, giveUp } = useGivingUp();
  const [heard, setHeard] = useState<string>();
  const readAgain = () =>
    cache.invalidateQueries({ predicate: ({ queryKey: [path] }) => READ_AGAIN.has(String(path)) });
  const reversing = useMutation<{ readonly id: string }, GatewayError, Body>({
    async mutationFn(body) {
      const order = { key: key.of(JSON.stringify(body)), receiptId, ...body };
      return reverse(order, { signal: signal(), patienceSeconds: BOOKED_SECONDS });
    },
    onMutate: () => setHeard(undefined),
    onSettled: async (_, error) => {
      key.end(error);
      await readAgain();
      if (!isUnanswered(error)) ended(error === null);
    },
  });
  useTakenUp(key, reversing.mutate);
  const { open, notHeard } = key;
  /** Until what is left is read again, whoever presses once more presses for the same. */
  const known = async (commandId: string) => {
    const wish = open();
    setHeard(commandId);
    reversing.reset();
    await readAgain();
    if (open() !== wish) return;
    key.end(null);
    ended(true);
  };
  const late: Word = "confirm.late";
  const commandId = reversing.data?.id ?? heard;
  return { ...reversing, ...{ deviceId, commandId, giveUp, late, open, notHeard, known } };
}
