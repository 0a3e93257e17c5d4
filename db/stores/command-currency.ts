/** The currency that an amount of a command or a report is in: the shop's when it was accepted. */

import { Type } from "@sinclair/typebox";
import type { Command } from "#core/command/command.ts";
import type { StoredReport } from "#core/report-record.ts";
import { schemaCheckOf } from "#core/schema-check.ts";
import type { AuditEntry } from "./audit.ts";
import type { Stores } from "./index.ts";
import type { Organization } from "./organizations.ts";

/** What tells the currency of a report. */
export type ReportCurrencyStores = Pick<
  Stores,
  "audit" | "commands" | "organizations" | "receipts"
>;

/** Changes of the shop looked at: a shop has a handful in all its years. */
const CHANGES_MAX = 1_000;
const CurrencyChange = schemaCheckOf(Type.Object({ currency: Type.String() }));

/** What a shop was changed to and when, the newest first; until its record is another one. */
const changesOf = new WeakMap<Organization, readonly AuditEntry[]>();

/**
 * The currency of a command's amounts: an ISO 4217 code; null where the shop's of that time is told
 * nowhere.
 */
export function currencyOf(
  stores: Pick<Stores, "audit" | "organizations" | "receipts">,
  { id, orgId, createdAt, currency }: Pick<Command, "id" | "orgId" | "createdAt" | "currency">,
): string | null {
  if (currency !== null) return currency;
  // Of one that an older version accepted.
  const organization = stores.organizations.get(orgId);
  if (organization === undefined) return null;
  const changes = currencyChanges(stores.audit, organization);
  if (changes.every(({ at }) => at < createdAt)) return organization.currency;
  const receipt = stores.receipts.ofCommand(id);
  if (receipt !== undefined) return receipt.currency;
  // What a change replaced stands in the one before it alone.
  const details = changes.find(({ at }) => at <= createdAt)?.details;
  return CurrencyChange.accepts(details) ? details.currency : null;
}

/** The currency of a report's amounts, as that of its command; null where it is told nowhere. */
export function reportCurrencyOf(
  stores: ReportCurrencyStores,
  { commandId, orgId, bookedAt }: Pick<StoredReport, "commandId" | "orgId" | "bookedAt">,
): string | null {
  const command = stores.commands.get(orgId, commandId);
  // Reports are kept longer than commands.
  const purged = { id: commandId, orgId, createdAt: bookedAt, currency: null };
  return currencyOf(stores, command ?? purged);
}

/** Read once while the shop's record stays as it is: commands are told of all day. */
function currencyChanges(audit: Stores["audit"], organization: Organization) {
  const known = changesOf.get(organization);
  if (known !== undefined) return known;
  const filter = { action: "organization.updated" } as const;
  const changes = audit
    .page(organization.id, { filter, limit: CHANGES_MAX, order: "desc" })
    .filter(({ details }) => CurrencyChange.accepts(details));
  changesOf.set(organization, changes);
  return changes;
}
