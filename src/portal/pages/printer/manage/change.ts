/** Changes what is registered of a printer. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { answer, type operations } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import type { Printer } from "../tab.ts";

type Change = NonNullable<
  operations["patchDevicesByDeviceId"]["requestBody"]
>["content"]["application/json"];

/** `mutate` takes what is to be different. */
export function useChange({ id: deviceId }: Printer) {
  const again = useReadAgain();
  return useMutation({
    mutationFn: (body: Change) =>
      answer(api.PATCH("/api/v1/devices/{deviceId}", { params: { path: { deviceId } }, body })),
    onSuccess: again,
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
