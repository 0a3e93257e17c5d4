/** What a device has proven of a command that had ended without it, as the audit log has it. */

import { Type } from "@sinclair/typebox";
import type { CommandResult } from "#core/command/command.ts";
import { schemaCheckOf } from "#core/schema-check.ts";
import { askedAgainOf } from "./asked-again.ts";
import type { Stores } from "./index.ts";

const Proof = schemaCheckOf(
  Type.Object({
    isProven: Type.Literal(true),
    result: Type.Object({
      success: Type.Literal(true),
      fiscalId: Type.Optional(Type.String()),
      data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    }),
  }),
);

/** The last success that marks led up to; undefined where there was none. */
export function lateProofOf(
  audit: Pick<Stores["audit"], "last" | "listProofs">,
  orgId: string,
  resource: string,
): CommandResult | undefined {
  for (const { details } of audit.listProofs(orgId, resource)) {
    if (Proof.accepts(details)) return details.result;
  }
  // Older versions kept the number alone, where they asked a person again.
  const { fiscalId } = askedAgainOf(audit, orgId, resource) ?? {};
  return fiscalId === undefined ? undefined : { success: true, fiscalId };
}
