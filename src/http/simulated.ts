/** How routes tell what simulated printers print from what counts. */

import { Type } from "@sinclair/typebox";
import { flag, type QueryField } from "./query.ts";

/** Field of a record. */
export const Simulated = Type.Boolean({
  description: "Of a printer that the gateway simulates: nothing of it is fiscal",
});

/**
 * Query parameter of all that lists receipts and reports or adds them up: the two kinds are never
 * mixed, and what simulated printers printed is left out unless it is asked for.
 */
export function simulatedOnly(): QueryField<boolean> {
  const { read } = flag();
  return {
    read,
    schema: Type.Boolean({
      default: false,
      description:
        "What simulated printers printed, and nothing else; left out otherwise. Says nothing where " +
        "`deviceId` names a device",
    }),
  };
}
