/**
 * Whose word the number of a stored receipt is: a person may have read it wrongly, and what its printer
 * proved counts over that.
 */

import type { CommandResult } from "#core/command/command.ts";
import { isOnPaper, isSettled, paperNumbers } from "#core/command/settled.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { Stores } from "./index.ts";
import { lateProofOf } from "./late-proof.ts";
import { dayOfWord } from "./printer-day.ts";

export type NumberProofs = Pick<Stores, "audit" | "commands" | "outcomeHolds">;

type Numbered = Pick<StoredReceipt, "orgId" | "commandId" | "fiscalId">;

/**
 * True where a person said the number of a receipt, and its printer has proven none. What was called
 * printed without one has that which its printer proved.
 */
export function isSaidNumber(stores: NumberProofs, receipt: Numbered): boolean {
  return isWordOfPerson(stores, receipt) && proofOf(stores, receipt)?.fiscalId === undefined;
}

/** The number that the printer proved where a person said another one; undefined where it did not. */
export function contraryNumber(stores: NumberProofs, receipt: Numbered): string | undefined {
  const proof = isWordOfPerson(stores, receipt) ? proofOf(stores, receipt) : undefined;
  if (proof?.fiscalId === undefined) return undefined;
  return receipt.fiscalId !== null && isOnPaper(proof, receipt.fiscalId)
    ? undefined
    : proof.fiscalId;
}

/** True where a person said the number of a receipt, and its printer proved another one. */
export function isMisread(stores: NumberProofs, receipt: Numbered): boolean {
  return contraryNumber(stores, receipt) !== undefined;
}

/** True where a person said the number of a receipt, and its printer has not proven that it is on its paper. */
export function isUnproven(stores: NumberProofs, receipt: Numbered): boolean {
  return isSaidNumber(stores, receipt) || isMisread(stores, receipt);
}

/** The numbers of a receipt, by whose word counts. */
export interface KnownNumbers
  extends Pick<StoredReceipt, "fiscalId" | "receiptNumber" | "zReportNumber"> {
  /** A person said it: where a paper has two numbers, nobody knows which of them it is. */
  readonly isWord: boolean;
}

/** As the printer proved them, and where it did not, as they are stored. */
export function knownNumbers(stores: NumberProofs, receipt: StoredReceipt): KnownNumbers {
  const { fiscalId, receiptNumber, zReportNumber } = receipt;
  const stored = { fiscalId, receiptNumber, zReportNumber };
  if (!isWordOfPerson(stores, receipt)) return { ...stored, isWord: false };
  const proof = proofOf(stores, receipt);
  if (proof?.fiscalId === undefined) return { ...stored, isWord: true };
  const { receiptNumber: told, zReportNumber: day } = proof.data ?? {};
  return {
    fiscalId: proof.fiscalId,
    receiptNumber: typeof told === "string" ? told : null,
    zReportNumber: typeof day === "string" ? day : null,
    isWord: false,
  };
}

/**
 * A receipt with the numbers that its paper shows, for what takes it back. Those of which a person spoke lack
 * some in the books: rows of older versions, and such whose printer gave another receipt the same.
 */
export function asOnPaper(
  stores: NumberProofs & Pick<Stores, "devices">,
  receipt: StoredReceipt,
): StoredReceipt {
  if (!isWordOfPerson(stores, receipt) || isMisread(stores, receipt)) return receipt;
  const { orgId, commandId } = receipt;
  const command = commandId === null ? undefined : stores.commands.get(orgId, commandId);
  const { fiscalId, receiptNumber, zReportNumber } = knownNumbers(stores, receipt);
  const day = zReportNumber ?? (fiscalId === null ? null : paperNumbers(fiscalId).zReportNumber);
  return {
    ...receipt,
    receiptNumber: receiptNumber ?? receipt.receiptNumber,
    zReportNumber: day ?? receipt.zReportNumber ?? (command ? dayOfWord(stores, command) : null),
  };
}

/** True for a receipt whose number a person has said, whatever its printer told. */
export function isWordOfPerson(
  { commands, outcomeHolds }: Pick<NumberProofs, "commands" | "outcomeHolds">,
  { orgId, commandId }: Numbered,
): boolean {
  if (commandId === null) return false;
  const { outcome, fiscalId = null } = outcomeHolds.get(orgId, commandId) ?? {};
  if (outcome === "printed") return fiscalId !== null;
  // Where the record was gone already, no hold was kept.
  const result = commands.get(orgId, commandId)?.result ?? null;
  return isSettled(result) && result.fiscalId !== undefined;
}

function proofOf(
  { audit }: Pick<NumberProofs, "audit">,
  { orgId, commandId }: Numbered,
): CommandResult | undefined {
  return commandId === null ? undefined : lateProofOf(audit, orgId, commandId);
}
