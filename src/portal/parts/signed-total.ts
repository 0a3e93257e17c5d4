/** What a receipt adds to its day. */

import type { components } from "../../client/index.ts";

type Receipt = components["schemas"]["Receipt"];

/** What goes back to a customer counts against the day. @returns currency units */
export function signedTotal({ type, total }: Pick<Receipt, "type" | "total">): number {
  return type === "sale" ? total : -total;
}
