/** Changes what is registered of a printer. */

import { useQueryClient } from "@tanstack/react-query";
import { answer, type operations } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { useDraft } from "../../../parts/draft.ts";
import type { Printer } from "../tab.ts";

type Change = NonNullable<
  operations["patchDevicesByDeviceId"]["requestBody"]
>["content"]["application/json"];

/**
 * For a form about a printer, as of `useDraft`.
 * @param bodyOf what is to be different, as the API takes it
 */
export function usePrinterDraft<Fields extends object>(
  { id: deviceId }: Printer,
  known: Fields,
  bodyOf: (changed: Partial<Fields>) => Change,
) {
  const stored = useReadAgain();
  const params = { path: { deviceId } };
  return useDraft(known, {
    send: (changed) =>
      answer(api.PATCH("/api/v1/devices/{deviceId}", { params, body: bodyOf(changed) })),
    stored,
  });
}

/** Has every page read again what it shows of printers. */
export function useReadAgain(): () => Promise<unknown> {
  const queries = useQueryClient();
  return () =>
    queries.invalidateQueries({
      predicate: ({ queryKey: [path] }) => String(path).startsWith("/api/v1/devices"),
    });
}
