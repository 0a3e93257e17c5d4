/** The currency that an amount of a command is in: that of its receipt, else the shop's of that time. */

import { Type } from "@sinclair/typebox";
import type { Command } from "#core/command/command.ts";
import { schemaCheckOf } from "#core/schema-check.ts";
import type { Box } from "./box.ts";

/** Changes of shops looked at: a shop has a handful in all its years. */
const CHANGES_MAX = 1_000;
const CurrencyChange = schemaCheckOf(Type.Object({ currency: Type.String() }));

/** @returns an ISO 4217 code; undefined where the shop's of that time is told nowhere */
export function currencyOf(
  { stores }: Pick<Box, "stores">,
  command: Pick<Command, "id" | "orgId" | "createdAt">,
): string | undefined {
  const receipt = stores.receipts.ofCommand(command.id);
  if (receipt !== undefined) return receipt.currency;
  const { orgId, createdAt } = command;
  const changes = stores.audit
    .listSince("organization.updated", 0, CHANGES_MAX)
    .filter((entry) => entry.orgId === orgId && CurrencyChange.accepts(entry.details));
  if (changes.every(({ at }) => at <= createdAt)) return stores.organizations.get(orgId)?.currency;
  // The newest come first; what a change replaced stands in the one before it alone.
  const details = changes.find(({ at }) => at <= createdAt)?.details;
  return CurrencyChange.accepts(details) ? details.currency : undefined;
}
