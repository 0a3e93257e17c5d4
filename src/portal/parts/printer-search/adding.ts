/** Adding a printer: what follows, and why it may fail. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { components } from "../../../client/index.ts";
import type { Reasons } from "../reason-for.ts";

type Device = components["schemas"]["Device"];

/** What every way of adding one is given. */
export interface AddingProps {
  /** The place that it belongs to; the shop unless given. */
  readonly locationId?: string;
  readonly onAdded?: ((device: Device) => void) | undefined;
}

/** Why it is not added. */
export const ADDING: Reasons = {
  TIER_LIMIT_EXCEEDED: "setup.printer.planFull",
  CONFLICT: "setup.printer.taken",
  INTERNAL_ERROR: "setup.printer.addFailed",
};

/** @param add asks the gateway; every page shows the new one before `onAdded` is called */
export function useAdding(add: () => Promise<Device>, onAdded: AddingProps["onAdded"]) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: add,
    onSuccess: async (device) => {
      await queries.invalidateQueries({ queryKey: ["/api/v1/devices"] });
      onAdded?.(device);
    },
  });
}
