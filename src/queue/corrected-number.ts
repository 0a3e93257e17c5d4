/**
 * A person corrects the number that somebody said of a printed receipt, as one that was mistyped. That is
 * possible as long as it is nothing but a word: a printer has not proven which it is, and nothing takes the
 * sale back, which would have named it. The command stays as it ended: its resolution tells the new number.
 */

import { isFiscalDocument } from "#core/command/catalogue.ts";
import type { Command } from "#core/command/command.ts";
import type { Saying } from "#core/command/saying.ts";
import { isSettled, paperNumbers } from "#core/command/settled.ts";
import { ApiError } from "#core/errors.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { Stores } from "#db/stores/index.ts";
import { lateProofOf } from "#db/stores/late-proof.ts";
import type { ReversedStores } from "#db/stores/reversed-sale.ts";
import { isTakenBack } from "#db/stores/sale-taken.ts";
import type { Transaction } from "#db/writer.ts";
import type { RecordKeeper } from "./record-keeper.ts";
import { type NumberStores, requireOwnNumber } from "./said-number.ts";

export type CorrectedStores = NumberStores & ReversedStores & Pick<Stores, "openQuestions">;

export interface Correction {
  readonly said: Saying;
  readonly stores: CorrectedStores;
  readonly records: Pick<RecordKeeper, "correct">;
}

/**
 * Corrects it, inside an operation.
 * @returns false where the word corrects nothing: it is the same, or not of a receipt that is printed
 * @throws ApiError CONFLICT where the number stays, or the new one cannot be this receipt's
 */
export function correctNumber(
  tx: Transaction,
  command: Command,
  { said, stores, records }: Correction,
): boolean {
  const { id, orgId, type } = command;
  const { outcome, fiscalId, by, address, now } = said;
  const hold = stores.outcomeHolds.get(orgId, id);
  const receipt = stores.receipts.ofCommand(id);
  if (!isFiscalDocument(type) || hold?.outcome !== "printed" || receipt === undefined) return false;
  if (outcome !== "printed" || fiscalId === undefined) return false;
  if (hold.fiscalId !== null && isSame(hold.fiscalId, fiscalId)) return false;
  requireWord(stores, command, { receipt, former: hold.fiscalId });
  requireOwnNumber(stores, command, fiscalId);
  const resolved = { outcome, fiscalId, resolvedBy: by, resolvedAt: now };
  stores.outcomeHolds.correct(orgId, id, resolved);
  records.correct(command, fiscalId);
  stores.audit.append({
    ...{ orgId, at: now, actor: by, address, action: "command.resolve", resource: id },
    details: { outcome, fiscalId, instead: hold.fiscalId },
  });
  tx.emit({ type: "command.updated", orgId, command });
  return true;
}

/** True for the same paper, with its day or without in both. */
function isSame(one: string, other: string): boolean {
  return Bun.deepEquals(paperNumbers(one), paperNumbers(other));
}

/** @throws ApiError CONFLICT where more than a word hangs on the number */
function requireWord(
  stores: CorrectedStores,
  { id, orgId }: Command,
  { receipt, former }: { readonly receipt: StoredReceipt; readonly former: string | null },
): void {
  const proven = lateProofOf(stores.audit, orgId, id)?.fiscalId;
  if (proven !== undefined) {
    throw stays(`The printer has proven number ${proven}: that counts, whatever was said`);
  }
  // It may still come out, under another number than one that somebody has read by now.
  if (former === null && stores.openQuestions.find(id)) {
    throw stays("The printer is still to be asked: say the number once it has answered");
  }
  if (receipt.type === "sale" && isTakenBack(stores, receipt)) {
    const under = former === null ? "without a number" : `under number ${former}`;
    throw stays(
      `The sale was taken back ${under}, or is being taken back: look at the paper of that, and have the ` +
        "rest taken back at the printer",
    );
  }
}

function stays(why: string): ApiError {
  return new ApiError("CONFLICT", why);
}

/**
 * A command with what a person said of it last. One that was settled while its printer was silent has ended
 * with the first number, and ends only once.
 */
export function asSaidLast(
  { outcomeHolds }: Pick<Stores, "outcomeHolds">,
  command: Command,
): Command {
  const { result } = command;
  if (!isSettled(result) || !result.success) return command;
  const { outcome, fiscalId = null } = outcomeHolds.find(command.id) ?? {};
  if (outcome !== "printed" || fiscalId === null) return command;
  return { ...command, result: { ...result, fiscalId } };
}
