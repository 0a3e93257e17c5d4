/** What completed commands leave behind beside themselves: receipts and reports. */

import type { Command } from "#core/command/command.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Transaction } from "#db/writer.ts";
import type { Random } from "../platform/random.ts";
import type { DocumentStores } from "./documents.ts";
import { createReceiptKeeper, type ReceiptKeeper } from "./receipt-keeper.ts";
import { type CommandEnd, createReportKeeper } from "./report-keeper.ts";

export interface RecordKeeper extends Omit<ReceiptKeeper, "keep" | "number"> {
  /**
   * A command has ended, or a person has said how: stores what a completed one leaves behind, and
   * gives back what was reserved for one that was not printed.
   */
  keep(tx: Transaction, command: Command, end: CommandEnd): void;
  /**
   * The printer has proven what a person called printed: see `ReceiptKeeper.number` and
   * `ReportKeeper.complete`. Who listens is told where that is news to the books.
   */
  complete(tx: Transaction, command: Command, end: CommandEnd): void;
}

/** Makes the keeper. Its `keep` runs inside the transaction that completes the command. */
export function createRecordKeeper(
  stores: DocumentStores & Pick<Stores, "reports">,
  random: Random,
): RecordKeeper {
  const { number, ...receipts } = createReceiptKeeper(stores, random);
  const reports = createReportKeeper(stores, random);
  return {
    ...receipts,
    keep(tx, command, end) {
      receipts.keep(command, end.result, end.now);
      reports.keep(tx, command, end);
    },
    complete(tx, command, { result, now }) {
      const { orgId } = command;
      const isNumbered = number(command, result, now);
      const hasFigures = reports.complete(tx, command, result);
      if (isNumbered || hasFigures) tx.emit({ type: "command.updated", orgId, command });
    },
  };
}
