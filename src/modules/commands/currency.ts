/** The currency that an amount of a command is in: that of its receipt, else the shop's of that time. */

import { Type } from "@sinclair/typebox";
import type { Command } from "#core/command/command.ts";
import { schemaCheckOf } from "#core/schema-check.ts";
import type { Stores } from "#db/stores/index.ts";

/** Changes of the shop looked at: a shop has a handful in all its years. */
const CHANGES_MAX = 1_000;
const CurrencyChange = schemaCheckOf(Type.Object({ currency: Type.String() }));

/**
 * Reads the changes of an organization's currency once, for as many commands as are asked about.
 * @returns tells the ISO 4217 code; null where the shop's of that time is told nowhere
 */
export function currenciesOf(
  { audit, organizations, receipts }: Pick<Stores, "audit" | "organizations" | "receipts">,
  orgId: string,
): (command: Pick<Command, "id" | "createdAt">) => string | null {
  const filter = { action: "organization.updated" } as const;
  const changes = audit
    .page(orgId, { filter, limit: CHANGES_MAX, order: "desc" })
    .filter(({ details }) => CurrencyChange.accepts(details));
  const present = organizations.get(orgId)?.currency ?? null;
  return ({ id, createdAt }) => {
    if (changes.every(({ at }) => at < createdAt)) return present;
    const receipt = receipts.ofCommand(id);
    if (receipt !== undefined) return receipt.currency;
    // The newest come first; what a change replaced stands in the one before it alone.
    const details = changes.find(({ at }) => at <= createdAt)?.details;
    return CurrencyChange.accepts(details) ? details.currency : null;
  };
}
