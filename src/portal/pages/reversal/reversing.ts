/** Asks for the reversal. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { answer, type GatewayError } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { bodyOf, type Chosen, type Reason, type Tender } from "./body.ts";

interface Wish {
  readonly chosen: Chosen;
  readonly reason: Reason;
  readonly tender: Tender;
}

/** @param ended called when it was taken on or refused, with what is left read again */
export function useReversing(receiptId: string, ended: () => void) {
  const cache = useQueryClient();
  return useMutation<{ readonly command: { readonly id: string } }, GatewayError, Wish>({
    mutationFn: ({ chosen, reason, tender }) =>
      answer(
        api.POST("/api/v1/receipts/{receiptId}/storno", {
          params: { path: { receiptId } },
          body: bodyOf(chosen, reason, tender),
        }),
      ),
    onSettled: async () => {
      await cache.invalidateQueries({
        predicate: ({ queryKey: [path] }) =>
          path === "/api/v1/receipts" || path === "/api/v1/commands",
      });
      ended();
    },
  });
}
