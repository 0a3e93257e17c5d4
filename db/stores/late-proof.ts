/** What a device has proven of a command that had ended without it, as the audit log has it. */

import { Type } from "@sinclair/typebox";
import type { CommandResult } from "#core/command/command.ts";
import { schemaCheckOf } from "#core/schema-check.ts";
import { askedAgainOf } from "./asked-again.ts";
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

/** What it told against what was said of the command, and behind a person's word that it agrees with. */
const ACTIONS = ["command.late_result", "command.device_asked"] as const;

/** The last success that marks led up to; undefined where there was none. */
export function lateProofOf(
  audit: Pick<Stores["audit"], "last" | "page">,
  orgId: string,
  resource: string,
): CommandResult | undefined {
  const told = ACTIONS.flatMap((action) =>
    audit.page(orgId, { filter: { resource, action }, limit: ENTRIES_MAX, order: "desc" }),
  ).toSorted((one, other) => other.seq - one.seq);
  for (const { details } of told) {
    if (Proof.accepts(details)) return details.result;
  }
  // Older versions kept the number alone, where they asked a person again.
  const { fiscalId } = askedAgainOf(audit, orgId, resource) ?? {};
  return fiscalId === undefined ? undefined : { success: true, fiscalId };
}
