/** Why a delivery did not arrive, in the reader's words. */

import { useWords } from "../../../words/words.tsx";
import type { Delivery } from "./webhook.ts";

/** @returns undefined where nothing went wrong */
export function useFailure(): (of: Pick<Delivery, "failure" | "httpStatus">) => string | undefined {
  const { t } = useWords();
  return ({ failure, httpStatus }) => {
    if (failure === null) return undefined;
    return t(`webhooks.failure.${failure}`, { status: String(httpStatus) });
  };
}
