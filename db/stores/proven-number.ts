/**
 * Whose word the number of a stored receipt is: a person may have read it wrongly, and what its printer
 * proved counts over that.
 */

import type { CommandResult } from "#core/command/command.ts";
import { isSettled, paperNumbers } from "#core/command/settled.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { Stores } from "./index.ts";
import { lateProofOf } from "./late-proof.ts";

export type NumberProofs = Pick<Stores, "audit" | "commands" | "outcomeHolds">;

type Numbered = Pick<StoredReceipt, "orgId" | "commandId" | "fiscalId">;

/**
 * True where a person said the number of a receipt, and its printer has proven none. What was called
 * printed without one has that which its printer proved.
 */
export function isSaidNumber(stores: NumberProofs, receipt: Numbered): boolean {
  return isOfPerson(stores, receipt) && proofOf(stores, receipt)?.fiscalId === undefined;
}

/** The number that the printer proved where a person said another one; undefined where it did not. */
export function contraryNumber(stores: NumberProofs, receipt: Numbered): string | undefined {
  if (!isOfPerson(stores, receipt)) return undefined;
  const { fiscalId, data } = proofOf(stores, receipt) ?? {};
  if (fiscalId === undefined) return undefined;
  // Where documents and receipts are counted apart a paper has two numbers, and people read either.
  const { receiptNumber } = data ?? {};
  const proven = typeof receiptNumber === "string" ? [fiscalId, receiptNumber] : [fiscalId];
  return proven.some((number) => isSamePaper(number, receipt.fiscalId)) ? undefined : fiscalId;
}

function isOfPerson(
  { commands, outcomeHolds }: NumberProofs,
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

/** A number without its day may be that of any. */
function isSamePaper(proven: string, said: string | null): boolean {
  if (said === null) return false;
  const [one, other] = [proven, said].map(paperNumbers);
  if (one?.receiptNumber !== other?.receiptNumber) return false;
  const [day, otherDay] = [one?.zReportNumber ?? null, other?.zReportNumber ?? null];
  return day === null || otherDay === null || day === otherDay;
}
