/** A number that a person read from a paper may turn out to be that of another receipt. */

import { receiptBookedAt } from "#core/booking.ts";
import { isSettled, withoutZeros } from "#core/command/settled.ts";
import { ApiError } from "#core/errors.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { Stores } from "#db/stores/index.ts";
import { hasGoneOn, ofThisRound } from "#db/stores/numbered-receipts.ts";
import { printerOfReceipt } from "#db/stores/receipt-printer.ts";

type NumberedStores = Pick<Stores, "commands" | "devices" | "outcomeHolds" | "receipts">;

/**
 * The number of a sale that is to be reversed is its own: the printer would take back the sale that
 * has it on paper, whoever's that is.
 * @throws ApiError UNPROCESSABLE_ENTITY where a person said it, and the printer gave it to another
 */
export function requireGivenNumber(stores: NumberedStores, sale: StoredReceipt): void {
  const { commands, outcomeHolds, receipts } = stores;
  const { id, orgId, commandId, fiscalId } = sale;
  if (fiscalId === null || commandId === null) return;
  const printer = printerOfReceipt(stores, sale);
  const [newest, ...older] = receipts.listNumbered(printer, withoutZeros(fiscalId));
  if (newest === undefined || newest.id === id) return;
  const others = [newest, ...older].filter((one) => one.id !== id);
  const other = others.find((one) => isOfOneRound(stores, fiscalId, { sale, other: one }));
  if (other === undefined) return;
  const wasSaid =
    isSettled(commands.get(orgId, commandId)?.result ?? null) ||
    outcomeHolds.get(orgId, commandId)?.outcome === "printed";
  if (!wasSaid) return;
  throw new ApiError(
    "UNPROCESSABLE_ENTITY",
    `A person said that the sale has number ${fiscalId}, and the printer gave that number to ` +
      `receipt ${other.id}: reverse the sale at the printer, by the number on its paper`,
  );
}

/**
 * Whether a printer whose numbers begin anew gave both theirs before they did. What a person said may be
 * a number that the printer had not come to, and came to later without beginning anew.
 */
function isOfOneRound(
  stores: NumberedStores,
  fiscalId: string,
  { sale, other }: { readonly sale: StoredReceipt; readonly other: StoredReceipt },
): boolean {
  const isSaleFirst = receiptBookedAt(sale) <= receiptBookedAt(other);
  const [earlier, later] = isSaleFirst ? [sale, other] : [other, sale];
  const { driver } = stores.devices.get(later.orgId, later.deviceId) ?? {};
  const printer = printerOfReceipt(stores, later);
  const until = receiptBookedAt(later);
  const given = { fiscalId, driver, at: until - 1 };
  if (ofThisRound(stores, printer, { stored: [earlier], said: given }).length > 0) return true;
  const said = { ...given, at: receiptBookedAt(sale) };
  return isSaleFirst && !hasGoneOn(stores, printer, { said, until });
}
