/** What a device has proven of a command that had ended without it, as the audit log has it. */

import { Type } from "@sinclair/typebox";
import type { CommandResult } from "#core/command/command.ts";
import { schemaCheckOf } from "#core/schema-check.ts";
import type { Stores } from "./index.ts";

/** Looked at of one command: each says something else than the ones before. */
const ENTRIES_MAX = 20;

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
  audit: Pick<Stores["audit"], "page">,
  orgId: string,
  resource: string,
): CommandResult | undefined {
  const filter = { resource, action: "command.late_result" } as const;
  for (const { details } of audit.page(orgId, { filter, limit: ENTRIES_MAX, order: "desc" })) {
    if (Proof.accepts(details)) return details.result;
  }
  return undefined;
}
