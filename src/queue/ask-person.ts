/**
 * The one way in which a person is asked what became of a document or a ledger entry. Whoever listens is
 * told: by the events that tills and open pages read, and by it the alerts of each record that leads to
 * the printer. Webhooks tell of ends alone.
 */

import type { Command } from "#core/command/command.ts";
import { type DocumentPrinterStores, documentPrinter } from "#db/stores/document-printer.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Transaction } from "#db/writer.ts";

/** How a person is asked. */
export interface Asking {
  readonly stores: DocumentPrinterStores & Pick<Stores, "outcomeHolds">;
  /** Holds the printer at once, before anything of it is on disk. */
  readonly hold: () => void;
  /** UTC milliseconds. */
  readonly now: number;
}

/**
 * Asks, inside an operation; also once more, of what was settled before.
 * @param command as it is to be told of
 */
export function askPerson(
  tx: Transaction,
  command: Command,
  { stores, hold, now: raisedAt }: Asking,
): void {
  const { id: commandId, orgId } = command;
  const { outcomeHolds } = stores;
  if (outcomeHolds.find(commandId)) outcomeHolds.reopen(commandId);
  else outcomeHolds.raise({ ...documentPrinter(stores, command), commandId, orgId, raisedAt });
  hold();
  tx.emit({ type: "command.updated", orgId, command });
}
