/** Takes back what no printer has begun. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { answer, GatewayError } from "../../client/index.ts";
import { api } from "../api/client.ts";
import type { Word } from "../words/words.tsx";
import { reasonFor } from "./reason-for.ts";
import { isUnanswered } from "./wish-key.ts";

/** @param cancelled called once the gateway has done it */
export function useCancelling({ id }: { readonly id: string }, cancelled: () => void) {
  const cache = useQueryClient();
  const params = { path: { commandId: id } };
  const cancelling = useMutation({
    mutationFn: () => answer(api.DELETE("/api/v1/commands/{commandId}", { params })),
    onSuccess: cancelled,
    onSettled: () =>
      cache.invalidateQueries({
        predicate: ({ queryKey: [path] }) => String(path).startsWith("/api/v1/commands"),
      }),
  });
  const { error } = cancelling;
  return { ...cancelling, failure: error === null ? undefined : failureOf(error) };
}

/** That it is too late is known only where the gateway says so. */
function failureOf(error: Error): Word {
  if (error instanceof GatewayError && error.status === 409) return "printer.cancelLate";
  if (error instanceof GatewayError && error.status === 429) return "states.busy.text";
  return isUnanswered(error) ? "commands.cancelUnheard" : reasonFor(error);
}
