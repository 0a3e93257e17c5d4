/** Asks for the reversal. */

import { useQueryClient } from "@tanstack/react-query";
import type { components } from "../../../client/index.ts";
import { reverse } from "../../api/client.ts";
import type { Readable } from "../../api/queries.ts";
import { useAsking } from "../../parts/asking.ts";
import { BOOKED_SECONDS } from "../../parts/order.ts";
import { isUnanswered } from "../../parts/wish-key.ts";
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
  const asking = useAsking<Body>({
    place: `${receiptId}/reversal`,
    deviceId,
    typeOf: () => "print_reversal_receipt",
    ask: (body, { key, signal }) =>
      reverse({ key, receiptId, ...body }, { signal, patienceSeconds: BOOKED_SECONDS }),
    readAgain: () =>
      cache.invalidateQueries({
        predicate: ({ queryKey: [path] }) => READ_AGAIN.has(String(path)),
      }),
    ended: (error) => !isUnanswered(error) && ended(error === null),
  });
  const late: Word = "confirm.late";
  return { ...asking, late, commandId: asking.data?.id };
}
