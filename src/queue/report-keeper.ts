/** What a completed X or Z report leaves among the stored reports. */

import type { Command, CommandResult } from "#core/command/command.ts";
import { REPORT_TYPES } from "#core/command/report-result.ts";
import { type ReportFigures, type StoredReport, toReportFigures } from "#core/report-record.ts";
import {
  type DocumentPrinterStores,
  documentLocation,
  documentPrinter,
} from "#db/stores/document-printer.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Transaction } from "#db/writer.ts";
import type { Random } from "../platform/random.ts";

/** How a command ended. */
export interface CommandEnd {
  readonly result: CommandResult;
  /** UTC milliseconds. */
  readonly now: number;
}

export interface ReportKeeper {
  /** Stores the report of a completed command; does nothing for other commands. */
  keep(tx: Transaction, command: Command, end: CommandEnd): void;
  /**
   * The device has proven the Z report that a person called made: the stored one, which has nothing but
   * what the person read off the paper, takes its figures. Those of another number it does not take.
   * The report is told of once more, under the same id: who keeps books by webhooks had it without them.
   * @returns whether it took any
   */
  complete(tx: Transaction, command: Command, result: CommandResult): boolean;
}

/** What a person may give as the number of a Z report. */
const NUMBER = /^\d{1,9}$/;

/** Makes the keeper. Its `keep` runs inside the transaction that completes the command. */
export function createReportKeeper(
  stores: DocumentPrinterStores & Pick<Stores, "reports">,
  random: Random,
): ReportKeeper {
  return {
    keep(tx, command, { result, now }) {
      const type = REPORT_TYPES.find((name) => name === command.type);
      if (type === undefined || !result.success) return;
      const { orgId, deviceId } = command;
      const figures = toReportFigures(type, result.data);
      const printer = documentPrinter(stores, command);
      // Where a person said that it was printed, what the person read off the paper.
      const said = NUMBER.test(result.fiscalId ?? "") ? Number(result.fiscalId) : null;
      const report: StoredReport = {
        ...figures,
        reportNumber: figures.reportNumber ?? said,
        fiscalMemorySerialNumber:
          figures.fiscalMemorySerialNumber ?? printer.fiscalMemorySerialNumber,
        id: random.id("rpt"),
        orgId,
        deviceId,
        locationId: documentLocation(stores, command),
        commandId: command.id,
        bookedAt: command.processingAt ?? now,
        createdAt: now,
        simulated: command.simulated,
      };
      stores.reports.insert(report);
      tx.emit({ type: "report.generated", orgId, report });
    },
    complete(tx, { id, type, orgId }, { data }) {
      const stored = type === "z_report" ? stores.reports.ofCommand(id) : undefined;
      if (stored === undefined || !isWithoutFigures(stored)) return false;
      const told = toReportFigures("z_report", data);
      const reportNumber = stored.reportNumber ?? told.reportNumber;
      if (told.reportNumber !== null && told.reportNumber !== reportNumber) return false;
      const memory = told.fiscalMemorySerialNumber ?? stored.fiscalMemorySerialNumber;
      const figures = { ...told, reportNumber, fiscalMemorySerialNumber: memory };
      const report = { ...stored, ...figures };
      if (Bun.deepEquals(report, stored)) return false;
      stores.reports.complete(stored.id, figures);
      tx.emit({ type: "report.generated", orgId, report });
      return true;
    },
  };
}

/** True for what a person said to be made: a device tells something of the day. */
function isWithoutFigures({ totals, ...report }: ReportFigures): boolean {
  const { receiptCount, reversalCount, vat, payments, openedAt, closedAt } = report;
  const told = [receiptCount, reversalCount, vat, payments, openedAt, closedAt];
  return [...told, ...Object.values(totals)].every((figure) => figure === null);
}
