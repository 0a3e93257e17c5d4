/**
 * The number that a person read from a paper, held against what is known of the printer's numbers.
 * A wrong one would stand on the reversal of the receipt, and take back another customer's sale.
 */

import { isFiscalDocument } from "#core/command/catalogue.ts";
import type { Command } from "#core/command/command.ts";
import { doubtOf } from "#core/command/doubt.ts";
import { isOnPaper } from "#core/command/settled.ts";
import { countsOnlyDocuments, numberOf } from "#core/device/numbering.ts";
import { ApiError } from "#core/errors.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import {
  type DocumentPrinterStores,
  documentPrinter,
  documentReceipts,
} from "#db/stores/document-printer.ts";
import type { Stores } from "#db/stores/index.ts";
import { lateProofOf } from "#db/stores/late-proof.ts";
import { documentNumbered, isCountedApart, othersNumbered } from "#db/stores/numbered-receipts.ts";
import { inOrder } from "#db/stores/order.ts";
import { isSaidNumber } from "#db/stores/proven-number.ts";
import { isOtherMemory, toldDocument } from "./known-documents.ts";

export type NumberStores = DocumentPrinterStores & Pick<Stores, "audit" | "commands" | "receipts">;

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
  const other = otherOf(stores, command, fiscalId);
  if (other !== undefined) throw otherReceipt(fiscalId, whose(stores, other));
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

/**
 * True where the command's printer gave the number to another stored receipt. What a person said of one
 * is nothing against what the printer proves: that one was read wrongly.
 */
export function isGivenToAnother(
  stores: NumberStores,
  command: Command,
  fiscalId: string,
): boolean {
  return givenTo(stores, command, fiscalId) !== undefined;
}

function givenTo(
  stores: NumberStores,
  command: Command,
  fiscalId: string,
): StoredReceipt | undefined {
  const printer = documentReceipts(stores, command);
  return othersNumbered(stores, printer, documentNumbered(command, fiscalId)).find(
    (one) => !isSaidNumber(stores, one),
  );
}

/**
 * The other receipt that has a number that a person read. Where a paper has two, both are of others: of
 * their papers one may have it as the number of its document, and this one as that of its receipt. What
 * the command's own printer proved is only another's that was not just said to have it.
 */
function otherOf(
  stores: NumberStores,
  command: Command,
  fiscalId: string,
): StoredReceipt | undefined {
  const { orgId, id } = command;
  const proof = lateProofOf(stores.audit, orgId, id);
  if (proof?.fiscalId !== undefined && isOnPaper(proof, fiscalId)) {
    return givenTo(stores, command, proof.fiscalId);
  }
  const printer = documentReceipts(stores, command);
  const document = documentNumbered(command, fiscalId);
  const takenBy = (by: "document" | "receipt"): StoredReceipt | undefined =>
    othersNumbered(stores, printer, { ...document, by })[0];
  const other = takenBy("document");
  if (!document.isSale || !isCountedApart(stores, printer)) return other;
  return takenBy("receipt") && other;
}

/** Whose a number is, and what to do where a person may have misread it of that one. */
function whose(stores: NumberStores, other: StoredReceipt): string {
  const has = `${other.id} has it`;
  if (!isSaidNumber(stores, other)) return has;
  return `${has}, as a person read it: where this paper shows it too, leave the number out`;
}

function otherReceipt(fiscalId: string, whose?: string): ApiError {
  const paper = "look at the paper again";
  return new ApiError(
    "CONFLICT",
    `Number ${fiscalId} is that of another receipt of this device: ` +
      (whose === undefined ? paper : `${paper}. ${whose}`),
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
  const doubt = doubtOf(command.result);
  const told = doubt?.code === "other_number" ? doubt.params : undefined;
  const numbers = [told?.number, asked].filter((number) => number !== undefined);
  return {
    ...(told === undefined ? {} : { own: told.own }),
    ...(numbers.length === 0 ? {} : { reached: Math.max(...numbers) }),
  };
}

/**
 * Number of the printer's last document, if it was asked for it after the command had ended, over
 * whichever of its records.
 */
function lastAsked(stores: NumberStores, command: Command): number | undefined {
  const { finishedAt, finishedOrder } = command;
  if (finishedAt === null) return undefined;
  const ended = { order: finishedOrder, at: finishedAt };
  const printer = documentPrinter(stores, command);
  const answers = documentReceipts(stores, command)
    .records.flatMap((record) => stores.commands.lastDocumentAnswer(record) ?? [])
    .flatMap(({ sentAt, sentOrder, result }) =>
      sentAt === null ? [] : { order: sentOrder, at: sentAt, result },
    )
    // A read may overtake a document that was asked for before it.
    .filter((sent) => inOrder(sent, ended) >= 0)
    .toSorted((one, other) => inOrder(other, one));
  for (const { result } of answers) {
    const told = toldDocument(result);
    // Another fiscal memory counts anew.
    if (told === undefined || isOtherMemory(printer, told)) continue;
    // Which one was a receipt is not always told; then all papers are.
    return numberOf(told.receiptNumber) ?? numberOf(told.lastDocumentNumber);
  }
  return undefined;
}
