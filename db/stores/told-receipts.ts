/** Stored receipts by a number that their printer told late, whatever they are stored under. */

import type { ReceiptPrinter, StoredReceipt } from "#core/receipt-record.ts";
import type { Stores } from "./index.ts";

/** Those of a printer that it proved to have one of these numbers. */
export function receiptsTold(
  { audit, receipts }: Pick<Stores, "audit" | "receipts">,
  printer: ReceiptPrinter,
  numbers: readonly string[],
): readonly StoredReceipt[] {
  return audit.listTold(printer.orgId, numbers).flatMap((commandId) => {
    const { fiscalId = null } = receipts.ofCommand(commandId) ?? {};
    const stored = fiscalId === null ? [] : receipts.listNumbered(printer, fiscalId);
    return stored.filter((one) => one.commandId === commandId);
  });
}
