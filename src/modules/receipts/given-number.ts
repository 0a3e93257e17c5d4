/** A number that a person read from a paper may turn out to be that of another receipt. */

import { isSettled, withoutZeros } from "#core/command/settled.ts";
import { ApiError } from "#core/errors.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { Stores } from "#db/stores/index.ts";
import { printerOfReceipt } from "#db/stores/receipt-printer.ts";

/**
 * The number of a sale that is to be reversed is its own: the printer would take back the sale that
 * has it on paper, whoever's that is.
 * @throws ApiError UNPROCESSABLE_ENTITY where a person said it, and the printer gave it to another
 */
export function requireGivenNumber(
  stores: Pick<Stores, "commands" | "devices" | "outcomeHolds" | "receipts">,
  sale: StoredReceipt,
): void {
  const { commands, outcomeHolds, receipts } = stores;
  const { id, orgId, commandId, fiscalId } = sale;
  if (fiscalId === null || commandId === null) return;
  const printer = printerOfReceipt(stores, sale);
  const [newest] = receipts.listNumbered(printer, withoutZeros(fiscalId));
  if (newest === undefined || newest.id === id) return;
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
