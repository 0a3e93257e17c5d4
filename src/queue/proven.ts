/** What a printer proves that has printed nothing behind the last that is known here. */

import { type CommandType, isFiscalDocument } from "#core/command/catalogue.ts";
import type { Command } from "#core/command/command.ts";
import { countsByKind } from "#core/device/numbering.ts";
import type { Stores } from "#db/stores/index.ts";
import { type OutcomeHold, PROVEN_BY } from "#db/stores/outcome-holds.ts";
import type { Transaction } from "#db/writer.ts";
import type { CommandQueue } from "./command-queue.ts";
import type { ToldDocument } from "./known-documents.ts";

/** What a printer told that stood still. */
export interface Proof {
  readonly told: ToldDocument;
  /** Of the printer; undefined where no record of it is left. */
  readonly driver: string | undefined;
  /** UTC milliseconds. */
  readonly now: number;
  /** Whether the proof reaches as far as a command that a person is asked about. */
  readonly isMeant: (hold: OutcomeHold, command: Command) => boolean;
}

interface SettledBy {
  readonly stores: Pick<Stores, "commands" | "outcomeHolds">;
  readonly queue: Pick<CommandQueue, "settle">;
}

/**
 * Says of what nobody could tell until the printer was asked that it was not printed. The number of
 * the last receipt says nothing of a cash movement or report, nor that of the last sale of a storno.
 */
export function settleUnprinted(tx: Transaction, { stores, queue }: SettledBy, proof: Proof): void {
  const { told, driver, now, isMeant } = proof;
  const said = { outcome: "not_printed", fiscalId: undefined, by: PROVEN_BY } as const;
  for (const hold of stores.outcomeHolds.listOpen()) {
    const command = stores.commands.get(null, hold.commandId);
    if (!command || !isMeant(hold, command)) continue;
    if (!provesUnprinted(command.type, { told, driver })) continue;
    queue.settle(tx, command, { ...said, address: null, now });
  }
}

/** The record of a printer under which it has printed last; undefined where there is none. */
export function newestRecord(
  { commands }: Pick<Stores, "commands">,
  records: readonly string[],
): string | undefined {
  return records.toSorted(
    (one, other) => commands.newestPrinted(other) - commands.newestPrinted(one),
  )[0];
}

/** True where a printer's numbers count what such a command prints: while they stand still, it did not. */
export function provesUnprinted(
  type: CommandType,
  { told, driver }: Pick<Proof, "told" | "driver">,
): boolean {
  if (told.lastDocumentNumber !== undefined) return true;
  return countsByKind(driver) ? type === "print_receipt" : isFiscalDocument(type);
}
