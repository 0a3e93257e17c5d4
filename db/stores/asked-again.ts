/** Why a person was asked again of a document, as the audit log has it. */

import type { Stores } from "./index.ts";

/** What the printer showed against the person's word. */
export interface AskedAgain {
  /** The document stands open on the device, and can only be finished. */
  readonly standsOpen: boolean;
  /** The number under which the device says that it was printed, where it tells one. */
  readonly fiscalId: string | undefined;
}

/** The last time, where there was one. */
export function askedAgainOf(
  audit: Pick<Stores["audit"], "last">,
  orgId: string,
  resource: string,
): AskedAgain | undefined {
  const last = audit.last({ orgId, resource, action: "command.asked_again" });
  if (!last) return undefined;
  const { standsOpen, fiscalId } = last.details ?? {};
  return {
    standsOpen: standsOpen === true,
    fiscalId: typeof fiscalId === "string" ? fiscalId : undefined,
  };
}
