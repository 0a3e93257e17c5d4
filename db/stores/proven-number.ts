/**
 * Whose word the number of a stored receipt is: a person may have read it wrongly, and what its printer
 * proved counts over that.
 */

import type { CommandResult } from "#core/command/command.ts";
import { DAY_MARK, isOnPaper, paperNumbers } from "#core/command/settled.ts";
import { countsByDay, numberOf } from "#core/device/numbering.ts";
import type { StornoDocument } from "#core/receipt.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { Stores } from "./index.ts";
import { lateProofOf } from "./late-proof.ts";
import { dayOfWord } from "./printer-day.ts";

export type NumberProofs = Pick<Stores, "audit" | "commands">;

type Numbered = Pick<StoredReceipt, "orgId" | "commandId" | "fiscalId" | "numberBy">;

/**
 * True where a person said the number of a receipt, and its printer has proven none. What was called
 * printed without one has that which its printer proved.
 */
export function isSaidNumber(stores: NumberProofs, receipt: Numbered): boolean {
  return isWordOfPerson(receipt) && proofOf(stores, receipt)?.fiscalId === undefined;
}

/** The number that the printer proved where a person said another one; undefined where it did not. */
export function contraryNumber(stores: NumberProofs, receipt: Numbered): string | undefined {
  const proof = isWordOfPerson(receipt) ? proofOf(stores, receipt) : undefined;
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
  if (!isWordOfPerson(receipt)) return { ...stored, isWord: false };
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
 * True where an order names a number on the paper of a receipt, as far as that is known: of its day, where
 * numbers begin anew each day.
 */
export function isNamedOnPaper(
  stores: NumberProofs & Pick<Stores, "devices">,
  receipt: StoredReceipt,
  { receiptNumber: named, zReportNumber: day }: StornoDocument["original"],
): boolean {
  const { fiscalId, receiptNumber } = knownNumbers(stores, receipt);
  const own = dayOfNumber(stores, receipt);
  if (own === null) {
    const plain = { ...(fiscalId !== null && { fiscalId }), data: { receiptNumber } };
    return isOnPaper(plain, named);
  }
  const data = { receiptNumber: receiptNumber && ofDay(receiptNumber, own) };
  return isOnPaper({ ...(fiscalId !== null && { fiscalId }), data }, ofDay(named, day ?? null));
}

/** The day of a number that begins anew each day, where that stands in it; null for any other. */
export function dayOfNumber(
  stores: NumberProofs & Pick<Stores, "devices">,
  receipt: StoredReceipt,
): string | null {
  const { fiscalId } = knownNumbers(stores, receipt);
  if (fiscalId === null || !isNumberedByDay(stores, receipt)) return null;
  return paperNumbers(fiscalId).zReportNumber;
}

/** True for a receipt whose printer begins its numbers anew each day, so that only with that they name it. */
export function isNumberedByDay(
  { devices }: Pick<Stores, "devices">,
  { deviceId }: Pick<StoredReceipt, "deviceId">,
): boolean {
  return countsByDay(devices.find(deviceId)?.driver);
}

/** A number that does not tell its day, with that. */
function ofDay(number: string, day: string | null): string {
  const isPlain = day !== null && numberOf(number.trim()) !== undefined;
  return isPlain ? `${day}${DAY_MARK}${number.trim()}` : number;
}

/**
 * A receipt with the numbers that its paper shows, for what takes it back. Those of which a person spoke lack
 * some in the books: rows of older versions, and such whose printer gave another receipt the same.
 */
export function asOnPaper(
  stores: NumberProofs & Pick<Stores, "devices">,
  receipt: StoredReceipt,
): StoredReceipt {
  if (!isWordOfPerson(receipt) || isMisread(stores, receipt)) return receipt;
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
export function isWordOfPerson({ numberBy }: Pick<StoredReceipt, "numberBy">): boolean {
  return numberBy === "person";
}

function proofOf(
  { audit }: Pick<NumberProofs, "audit">,
  { orgId, commandId }: Numbered,
): CommandResult | undefined {
  return commandId === null ? undefined : lateProofOf(audit, orgId, commandId);
}
