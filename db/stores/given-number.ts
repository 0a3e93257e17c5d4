/** A number that a person read from a paper may turn out to be that of another receipt. */

import { receiptBookedAt } from "#core/booking.ts";
import { writingsOf } from "#core/command/settled.ts";
import { countsByDay, numberOf } from "#core/device/numbering.ts";
import { FISCAL_DAY_OPEN_MS_MAX } from "#core/limits.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { LeftFault } from "#core/reversal-fault.ts";
import type { Stores } from "./index.ts";
import { hasGoneOn, ofThisRound, wasSaid } from "./numbered-receipts.ts";
import { printerOfReceipt } from "./receipt-printer.ts";

type NumberedStores = Pick<Stores, "commands" | "devices" | "outcomeHolds" | "receipts">;

/**
 * Why a sale is not reversed by its number: the printer would take back the sale that has it on paper,
 * whoever's that is. A number that a person said it may have given to another, also while a reversal
 * waits. Undefined where it did not.
 */
export function givenNumberFault(
  stores: NumberedStores,
  sale: StoredReceipt,
): LeftFault | undefined {
  const { id, fiscalId } = sale;
  if (fiscalId === null || !wasSaid(stores, sale)) return undefined;
  const printer = printerOfReceipt(stores, sale);
  const other = writingsOf(fiscalId)
    .flatMap((number) => stores.receipts.listNumbered(printer, number))
    .filter((one) => one.id !== id && !isOfOtherDay(stores, sale, one))
    .find((one) => isOfOneRound(stores, fiscalId, { sale, other: one }));
  if (other === undefined) return undefined;
  const message =
    `A person said that the sale has number ${fiscalId}, and the printer gave that number to ` +
    `receipt ${other.id}: reverse the sale at the printer, by the number on its paper`;
  return { message, lines: [] };
}

/** Whether a printer that begins its numbers anew each day gave both theirs on different days. */
function isOfOtherDay(stores: NumberedStores, sale: StoredReceipt, other: StoredReceipt): boolean {
  if (!countsByDay(stores.devices.get(other.orgId, other.deviceId)?.driver)) return false;
  const days = [sale.zReportNumber, other.zReportNumber].map(numberOf);
  if (days.every((day) => day !== undefined)) return days[0] !== days[1];
  const apartMs = Math.abs(receiptBookedAt(sale) - receiptBookedAt(other));
  return apartMs > FISCAL_DAY_OPEN_MS_MAX;
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
