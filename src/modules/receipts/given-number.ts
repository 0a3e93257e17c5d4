/** A number that a person read from a paper may turn out to be that of another receipt. */

import { isSettled, withoutZeros } from "#core/command/settled.ts";
import { ApiError } from "#core/errors.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { Stores } from "#db/stores/index.ts";

/**
 * The number of a sale that is to be reversed is its own: the printer would take back the sale that
 * has it on paper, whoever's that is.
 * @throws ApiError UNPROCESSABLE_ENTITY where a person said it, and the printer gave it to another
 */
export function requireGivenNumber(
  { commands, outcomeHolds, receipts }: Pick<Stores, "commands" | "outcomeHolds" | "receipts">,
  { id, orgId, deviceId, commandId, fiscalId, fiscalMemorySerialNumber }: StoredReceipt,
): void {
  if (fiscalId === null || commandId === null) return;
  const newest = receipts.findByFiscalId(orgId, deviceId, withoutZeros(fiscalId));
  if (newest === undefined || newest.id === id) return;
  // Another fiscal memory counts anew.
  if (newest.fiscalMemorySerialNumber !== fiscalMemorySerialNumber) return;
  const wasSaid =
    isSettled(commands.get(orgId, commandId)?.result ?? null) ||
    outcomeHolds.get(orgId, commandId)?.outcome === "printed";
  if (!wasSaid) return;
  throw new ApiError(
    "UNPROCESSABLE_ENTITY",
    `A person said that the sale has number ${fiscalId}, and the printer gave that number to ` +
      `receipt ${newest.id}: reverse the sale at the printer, by the number on its paper`,
  );
}
