/**
 * Reversals of a sale that nobody knew when they were accepted count against it from their turn on, or
 * never where they went out before. Until they have ended, no other takes the sale back.
 */

import { ApiError } from "#core/errors.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import type { Stores } from "#db/stores/index.ts";

type WaitingStores = Pick<Stores, "commands" | "outcomeHolds" | "reversals">;

/** One that is to be accepted, or at its turn. */
export interface AskedReversal {
  readonly command: Pick<NewCommand, "id" | "orgId">;
  readonly original: StoredReceipt;
  /** Whether a command means that sale, as far as is known by now. */
  readonly isMeantBy: (command: NewCommand) => boolean;
}

/**
 * Why a command does not take a sale back: another one, accepted before it, may do so, and is not counted.
 * Undefined where there is none.
 */
export function earlierFault(
  stores: WaitingStores,
  { command, original, isMeantBy }: AskedReversal,
): ApiError | undefined {
  const { orgId } = command;
  const own = stores.commands.get(orgId, command.id)?.seq ?? Number.POSITIVE_INFINITY;
  for (const id of uncounted(stores, orgId)) {
    const other = id === command.id ? undefined : stores.commands.get(orgId, id);
    if (other !== undefined && other.seq < own && isMeantBy(other)) {
      return new ApiError("UNPROCESSABLE_ENTITY", words(id, original));
    }
  }
  return undefined;
}

/**
 * Reversals that may still be printed, or may have been, and count against no sale. Any printer of the
 * organization may take back what another one sold.
 */
function uncounted(
  { commands, outcomeHolds, reversals }: WaitingStores,
  orgId: string,
): readonly string[] {
  const unfinished = commands
    .listUnfinished()
    .filter((one) => one.orgId === orgId && one.type === "print_reversal_receipt")
    .map(({ id }) => id);
  const doubtful = outcomeHolds
    .listOpen()
    .filter((hold) => hold.orgId === orgId)
    .map(({ commandId }) => commandId)
    .filter((id) => commands.get(orgId, id)?.type === "print_reversal_receipt");
  return [...unfinished, ...doubtful].filter((id) => reversals.of(id) === undefined);
}

function words(id: string, sale: StoredReceipt): string {
  return (
    `Command ${id} takes back receipt ${sale.id} already, which was not known when that was accepted: ` +
    "ask again once it has ended, or cancel it"
  );
}
