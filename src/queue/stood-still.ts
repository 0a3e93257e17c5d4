/**
 * Whether a printer has printed nothing behind what is known here. It goes on only where its numbers
 * prove that: an allowance for papers of ours could hide a receipt.
 */

import { countsByDay, numberOf } from "#core/device/numbering.ts";
import type { Stores } from "#db/stores/index.ts";
import { LOOKED_AT_MAX } from "#db/stores/printer-day.ts";
import {
  dayAtPrinter,
  isOtherMemory,
  type KnownDocument,
  type KnownStores,
  lastKnown,
  lastPaper,
  type ToldDocument,
} from "./known-documents.ts";
import { isSameTime, isUntold, zoneOf } from "./told-time.ts";

/** What is known here, and by which clocks the printers go. */
export type StoodStillStores = KnownStores & Pick<Stores, "locations" | "organizations">;

/** @param told by the printer when it was asked for its last receipt */
export function stoodStill(
  stores: StoodStillStores,
  deviceId: string,
  told: ToldDocument,
): boolean {
  const ours = lastKnown(stores, deviceId);
  if (ours && isOtherMemory(ours, told)) return false;
  // Where either is not told, the numbers alone say it.
  const isTimeOf = ({ issuedAt }: KnownDocument) =>
    isSameTime(issuedAt, told.receiptDateTime, zoneOf(stores, deviceId)) ?? true;
  if (told.lastDocumentNumber !== undefined) {
    const isTime = ours === undefined || isTimeOf(ours);
    return isTime && isLastPaper(stores, deviceId, told.lastDocumentNumber);
  }
  const isByDay = countsByDay(stores.devices.find(deviceId)?.driver);
  // None of today says nothing of the days before.
  if (ours === undefined) {
    return told.receiptNumber === null && (!isByDay || told.lastZReportNumber === 0);
  }
  if (isByDay) {
    const report = reportBehind(stores, deviceId, ours.seq);
    if (report !== undefined) return told.receiptNumber === null && isLastReport(report, told);
    if (!isSameDay(ours, told)) return false;
  }
  const number = numberOf(told.receiptNumber);
  if (number === undefined || number !== numberOf(ours.number)) return false;
  return isTimeOf(ours);
}

/** One row of numbers counts all papers, and has not moved since the last that is known here. */
function isLastPaper({ commands }: KnownStores, deviceId: string, told: unknown): boolean {
  const known = lastPaper(commands.listPrinted(deviceId).take(LOOKED_AT_MAX));
  return known === undefined ? told === null : known.number === numberOf(told);
}

/** Number of our last Z report, if one was made behind that command; null where it is not known. */
function reportBehind(
  { commands }: KnownStores,
  deviceId: string,
  seq: number,
): number | null | undefined {
  for (const command of commands.listPrinted(deviceId).take(LOOKED_AT_MAX)) {
    if (command.seq <= seq) return undefined;
    if (command.type !== "z_report" || !command.result?.success) continue;
    const { reportNumber } = command.result.data ?? {};
    return typeof reportNumber === "number" ? reportNumber : null;
  }
  return undefined;
}

/** No Z report was made behind that one. */
function isLastReport(report: number | null, { lastZReportNumber }: ToldDocument): boolean {
  return report !== null && report === lastZReportNumber;
}

/**
 * False for numbers of another day, which begin anew and may meet ours. Where a day is not told, a time
 * has to tell it: the number alone proves nothing.
 */
function isSameDay({ zReportNumber, issuedAt }: KnownDocument, told: ToldDocument): boolean {
  const [ours, theirs] = [numberOf(zReportNumber), dayAtPrinter(told)];
  if (ours !== undefined && theirs !== undefined) return ours === theirs;
  return ![issuedAt, told.receiptDateTime].some(isUntold);
}
