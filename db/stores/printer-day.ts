/** What our commands have printed on a printer, and in which of its days they leave it. */

import { isFiscalDocument } from "#core/command/catalogue.ts";
import type { Command } from "#core/command/command.ts";
import type { Baseline } from "#core/command/marks.ts";
import { countsByDay, numberOf } from "#core/device/numbering.ts";
import type { Stores } from "./index.ts";
import type { PrintedCommand } from "./printed-commands.ts";

/** Commands of a printer that are looked at, the newest first. */
export const LOOKED_AT_MAX = 1_000;

/**
 * Commands of ours that may have printed on a printer, the newest first.
 * @param records ids of those that lead to it, or led
 */
export function printedOn(
  { commands }: Pick<Stores, "commands">,
  records: readonly string[],
): PrintedCommand[] {
  return records
    .flatMap((id) => [...commands.listPrinted(id).take(LOOKED_AT_MAX)])
    .toSorted((one, other) => other.seq - one.seq);
}

/**
 * The day to which a document belongs that comes behind what was printed: the number of the Z report
 * that will close it. Undefined where a report of which nothing is known came in between.
 * @param printed the newest first
 * @param before the day before all of it; undefined where that is not known
 */
export function dayBehind(printed: Iterable<PrintedCommand>, before?: number): number | undefined {
  return firstDay(printed, { report: 1, none: before });
}

/**
 * The day to which a document belongs that comes before what was printed. Undefined where that tells none.
 * @param printed the oldest first
 */
export function dayBefore(printed: Iterable<PrintedCommand>): number | undefined {
  return firstDay(printed, { report: 0, none: undefined });
}

/**
 * The day that the first of these tells which tells any.
 * @param of how far it is from the number of a Z report, and what it is where none of these tells it
 */
function firstDay(
  printed: Iterable<PrintedCommand>,
  of: { readonly report: 0 | 1; readonly none: number | undefined },
): number | undefined {
  for (const { type, result } of printed) {
    const { outcome, reportNumber, zReportNumber } = result?.data ?? {};
    const isZReport = type === "z_report" && outcome !== "not_printed";
    if (isZReport) return typeof reportNumber === "number" ? reportNumber + of.report : undefined;
    const day = isFiscalDocument(type) && result?.success ? numberOf(zReportNumber) : undefined;
    if (day !== undefined) return day;
  }
  return of.none;
}

/** The printer's day when a document began, by its last Z report as a driver reads that before. */
export function dayRead(baseline: Baseline | null): number | undefined {
  const last = baseline?.zNumber;
  return typeof last === "number" ? last + 1 : undefined;
}

/**
 * The day of a number that a person said without it, as the printer told it before the document: where
 * numbers begin anew each day no storno is printed without. Null where it did not, and elsewhere.
 */
export function dayOfWord(
  { devices }: Pick<Stores, "devices">,
  { deviceId, baseline }: Pick<Command, "deviceId" | "baseline">,
): string | null {
  const day = countsByDay(devices.find(deviceId)?.driver) ? dayRead(baseline) : undefined;
  return day === undefined ? null : String(day);
}
