/** What controllers reported and was not taken as they said it, for the audit log. */

import type { Command, CommandResult } from "#core/command/command.ts";
import type { Report, Reporter, Verdict } from "#core/controller/judge.ts";
import { NOTE_CHARACTERS_MAX } from "#core/limits.ts";
import type { AuditStore, ControllerEntry } from "#db/stores/audit.ts";
import type { Transaction } from "#db/writer.ts";

/** Of a receipt's number: what is longer is none. */
const NUMBER_CHARACTERS_MAX = 128;

export interface ReportedThen {
  /** Undefined when the reporter's organization has none of that id. */
  readonly command: Command | undefined;
  readonly reporter: Reporter;
  readonly report: Report;
  readonly verdict: Verdict;
  /** UTC milliseconds. */
  readonly now: number;
}

/**
 * Writes an entry where the verdict asks for one, and the last one of that command does not say the same.
 * Inside a transaction.
 */
export function noteReport(
  tx: Transaction,
  audit: Pick<AuditStore, "appendOf" | "isRepeated">,
  { command, reporter, report, verdict, now }: ReportedThen,
): void {
  if (!("audit" in verdict) || verdict.audit === undefined) return;
  const orgId = command?.orgId ?? reporter.orgId;
  if (orgId === null) return;
  const entry: ControllerEntry = {
    ...{ orgId, at: now, controllerId: reporter.controllerId },
    action: verdict.kind === "refuse" ? "command.report_refused" : "command.report_doubted",
    resource: report.commandId,
    details: {
      deviceId: command?.deviceId ?? null,
      reason: verdict.audit,
      ...(verdict.kind === "refuse" ? { code: verdict.code } : {}),
      ...told(report),
    },
  };
  if (!audit.isRepeated(entry)) audit.appendOf(tx, entry);
}

function told(report: Report): Record<string, unknown> {
  if (report.kind === "result") return { result: keptOf(report.result) };
  return report.kind === "mark" ? { mark: report.mark } : {};
}

/** A result as the log keeps it: of a long one what tells whether, and as what, it was printed. */
export function keptOf(result: CommandResult): CommandResult {
  if (JSON.stringify(result).length <= NOTE_CHARACTERS_MAX) return result;
  const { data: { outcome, receiptNumber } = {}, ...rest } = result;
  const isKept = typeof receiptNumber === "string" && receiptNumber.length <= NUMBER_CHARACTERS_MAX;
  const told = {
    ...(outcome === undefined ? {} : { outcome }),
    // Beside `fiscalId` it may be the other number on the paper.
    ...(isKept ? { receiptNumber } : {}),
  };
  return { ...rest, ...(Object.keys(told).length === 0 ? {} : { data: told }) };
}
