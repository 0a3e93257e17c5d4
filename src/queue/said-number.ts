/**
 * The number that a person read from a paper, held against what is known of the printer's numbers.
 * A wrong one would stand on the reversal of the receipt, and take back another customer's sale.
 */

import { isFiscalDocument } from "#core/command/catalogue.ts";
import type { Command } from "#core/command/command.ts";
import { DoubtSchema } from "#core/command/doubt.ts";
import { withoutZeros } from "#core/command/settled.ts";
import { type Printer, printerBefore } from "#core/device/printer.ts";
import { ApiError } from "#core/errors.ts";
import { schemaCheckOf } from "#core/schema-check.ts";
import type { Stores } from "#db/stores/index.ts";
import { countsOnlyDocuments, isOtherPrinter, numberOf, toldDocument } from "./known-documents.ts";

export type NumberStores = Pick<Stores, "commands" | "devices" | "outcomeHolds" | "receipts">;

const DoubtTold = schemaCheckOf(DoubtSchema);
const NEWEST = { sortBy: "createdAt", order: "desc", limit: 1, partsMax: 1 } as const;

/**
 * @param fiscalId as it was read from the paper; null where nobody could read it
 * @throws ApiError CONFLICT for the number of another receipt, or one that the printer has not
 * reached; `details` then tell which it has
 */
export function requireOwnNumber(
  stores: NumberStores,
  command: Command,
  fiscalId: string | null,
): void {
  if (fiscalId === null || !isFiscalDocument(command.type)) return;
  const { deviceId } = command;
  if (isOfAnother(stores, command, fiscalId)) throw otherReceipt(fiscalId);
  const said = numberOf(fiscalId.trim());
  if (said === undefined || !countsOnlyDocuments(stores.devices.find(deviceId)?.driver)) return;
  const { own, reached } = toldOf(stores, command);
  if (own !== undefined && said < own) throw otherReceipt(fiscalId);
  if (reached === undefined || said <= reached) return;
  throw new ApiError(
    "CONFLICT",
    `The printer had reached number ${reached} when it was last asked: look at the paper again; ` +
      "what was rung up by hand since is known once the printer is asked for its last receipt",
    { reached },
  );
}

/** True where another stored receipt of the command's printer has the number. */
export function isOfAnother(
  stores: Pick<NumberStores, "devices" | "outcomeHolds" | "receipts">,
  command: Command,
  fiscalId: string,
): boolean {
  const { orgId, deviceId, id } = command;
  const printer = printerOfDoubt(stores, command);
  return [fiscalId, withoutZeros(fiscalId)]
    .flatMap((number) => stores.receipts.listByFiscalId(orgId, deviceId, number))
    .some((stored) => stored.commandId !== id && !isOtherPrinter(printer, stored));
}

/** The printer that the document is on, which need not be the one of the record by now. */
function printerOfDoubt(
  { devices, outcomeHolds }: Pick<NumberStores, "devices" | "outcomeHolds">,
  { id, orgId, deviceId, baseline }: Command,
): Pick<Printer, "fiscalMemorySerialNumber"> {
  const device = devices.get(orgId, deviceId);
  const before = device && printerBefore(device, baseline);
  return outcomeHolds.find(id) ?? before ?? { fiscalMemorySerialNumber: null };
}

function otherReceipt(fiscalId: string): ApiError {
  return new ApiError(
    "CONFLICT",
    `Number ${fiscalId} is that of another receipt of this device: look at the paper again`,
  );
}

/** What the printer told of its numbers once the document was over. */
interface ToldNumbers {
  /** The least that the document can have. */
  readonly own?: number;
  /** The highest that any document had when the printer was asked. */
  readonly reached?: number;
}

function toldOf(stores: NumberStores, command: Command): ToldNumbers {
  const asked = lastAsked(stores, command);
  const doubt = command.result?.data?.doubt;
  const told = DoubtTold.accepts(doubt) && doubt.code === "other_number" ? doubt.params : undefined;
  const numbers = [told?.number, asked].filter((number) => number !== undefined);
  return {
    ...(told === undefined ? {} : { own: told.own }),
    ...(numbers.length === 0 ? {} : { reached: Math.max(...numbers) }),
  };
}

/** Number of the printer's last document, if it was asked for it after the command had ended. */
function lastAsked(stores: NumberStores, command: Command): number | undefined {
  const { commands } = stores;
  const { orgId, deviceId, finishedAt } = command;
  if (finishedAt === null) return undefined;
  const filter = { deviceId, type: "get_last_receipt_info", status: "completed" } as const;
  for (const [newest] of commands.list(orgId, filter, NEWEST)) {
    // A read may overtake a document that was asked for before it.
    if (newest?.sentAt == null || newest.sentAt < finishedAt) return undefined;
    const told = toldDocument(newest.result);
    // Another fiscal memory counts anew.
    if (told && isOtherPrinter(printerOfDoubt(stores, command), told)) return undefined;
    // Which one was a receipt is not always told; then all papers are.
    return told && (numberOf(told.receiptNumber) ?? numberOf(told.lastDocumentNumber));
  }
  return undefined;
}
