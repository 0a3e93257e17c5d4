/** What this database knows of the last document of a printer, and what the printer tells of it. */

import { isFiscalDocument } from "#core/command/catalogue.ts";
import { acceptedCommand, type Command } from "#core/command/command.ts";
import { isSimulatedPrinter } from "#core/device/printer.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import type { Stores } from "#db/stores/index.ts";

export interface KnownStores {
  readonly commands: Stores["commands"];
  readonly devices: Pick<Stores["devices"], "find">;
}

/** The last document of which the printer's own number is stored here. */
export interface KnownDocument {
  /** Of its command, and so of the printer's documents. */
  readonly seq: number;
  /** As the printer wrote it. */
  readonly number: unknown;
  readonly issuedAt: unknown;
  readonly fiscalMemorySerialNumber: unknown;
  /** Of the Z report that closes its day. */
  readonly zReportNumber: unknown;
  /** When its command ended. UTC milliseconds. */
  readonly finishedAt: number;
}

/** What the printer told of its last documents, as `get_last_receipt_info` gives it. */
export interface ToldDocument {
  /** Of the last receipt; null where there is none, or the printer does not tell which it was. */
  readonly receiptNumber?: unknown;
  readonly receiptDateTime?: unknown;
  readonly fiscalMemorySerialNumber?: unknown;
  /** Of the last paper of any kind. Undefined where receipts have a row of their own. */
  readonly lastDocumentNumber?: unknown;
  readonly lastZReportNumber?: unknown;
}

/** What a question was answered; undefined where it was not. */
export function toldDocument(result: Command["result"]): ToldDocument | undefined {
  const { lastReceipt, lastDocumentNumber, lastZReportNumber } = result?.data ?? {};
  if (!result?.success || typeof lastReceipt !== "object" || lastReceipt === null) return undefined;
  return { ...lastReceipt, lastDocumentNumber, lastZReportNumber };
}

/** The highest number that any receipt of the printer has; 0 where it has printed nothing yet. */
export function reachedNumber(told: ToldDocument): number | undefined {
  const { receiptNumber, lastDocumentNumber } = told;
  const highest = lastDocumentNumber === undefined ? receiptNumber : lastDocumentNumber;
  return highest === null ? 0 : numberOf(highest);
}

/** Commands of a printer that are looked at, the newest first. */
export const LOOKED_AT_MAX = 1_000;
const COUNTING_BY_KIND = "vendorF.shtrih";
const COUNTING_BY_DAY = "custom.serial";
const COUNTING_ISSUED = "vendorE.zfp";
const CLOSING_CANCELLED = "vendorD.isl";

/**
 * The last one that is known; undefined where none is.
 * @param only `isNumbered`: those of which the printer told the number; `driver`: of the printer,
 *   where its record may be gone
 */
export function lastKnown(
  { commands, devices }: KnownStores,
  deviceId: string,
  only: { readonly isNumbered?: boolean; readonly driver?: string | undefined } = {},
): KnownDocument | undefined {
  const { isNumbered = false, driver = devices.find(deviceId)?.driver } = only;
  // These devices count each kind by itself, and tell of their last sale.
  const saleOnly = countsByKind(driver);
  const printed = commands.listPrinted(deviceId).take(LOOKED_AT_MAX);
  for (const { seq, type, result, finishedAt } of printed) {
    if (!isFiscalDocument(type) || !result?.success || finishedAt === null) continue;
    if (saleOnly && type !== "print_receipt") continue;
    const data = result.data ?? {};
    const { receiptNumber: number, issuedAt, fiscalMemorySerialNumber, zReportNumber } = data;
    if (isNumbered && numberOf(number) === undefined) continue;
    return { seq, number, issuedAt, fiscalMemorySerialNumber, zReportNumber, finishedAt };
  }
  return undefined;
}

/** True where the printer's driver numbers documents anew each day. */
export function countsByDay(driver: string | undefined): boolean {
  return driver === COUNTING_BY_DAY;
}

/** True where a printer numbers sales, stornos and the rest each by itself. */
export function countsByKind(driver: string | undefined): boolean {
  return driver === COUNTING_BY_KIND;
}

/** True where a printer tells number and time of the last receipt that it issued, cancelled ones aside. */
export function countsIssued(driver: string | undefined): boolean {
  return driver === COUNTING_ISSUED;
}

/**
 * True where a receipt is cancelled by closing it over nothing, so that the number that is told of
 * the last receipt may be that of a cancelled one: UNCONFIRMED that it is not.
 */
export function closesCancelled(driver: string | undefined): boolean {
  return driver === CLOSING_CANCELLED;
}

/** True where a printer gives each of its documents, of every kind, a number above the one before. */
export function countsOnlyDocuments(driver: string | undefined): boolean {
  return driver !== undefined && !countsByKind(driver) && !countsByDay(driver);
}

/** Another printer stands behind the record by now. */
export function isOtherPrinter(
  known: Pick<ToldDocument, "fiscalMemorySerialNumber">,
  told: Pick<ToldDocument, "fiscalMemorySerialNumber">,
): boolean {
  const [mine, theirs] = [known.fiscalMemorySerialNumber, told.fiscalMemorySerialNumber];
  return typeof mine === "string" && typeof theirs === "string" && mine !== theirs;
}

/** A number as a printer writes it; undefined for what is none. */
export function numberOf(told: unknown): number | undefined {
  if (typeof told !== "string" || !/^\d{1,15}$/.test(told)) return undefined;
  return Number(told);
}

const QUESTION = "get_last_receipt_info";

/** The question to a printer, as the gateway asks it of its own accord. @param now UTC milliseconds */
export function lastDocumentQuestion(
  {
    orgId,
    deviceId,
    address,
  }: Pick<Command, "orgId" | "deviceId"> & { readonly address: string | null },
  { id, now, expiresAt }: { readonly id: string; readonly now: number; readonly expiresAt: number },
): NewCommand {
  return acceptedCommand({
    id,
    ...{ orgId, deviceId, type: QUESTION, payload: {} },
    source: "gateway",
    createdAt: now,
    expiresAt,
    simulated: isSimulatedPrinter({ address }),
  });
}

/** True for such a question. */
export function isLastDocumentQuestion({
  type,
  source,
}: Pick<Command, "type" | "source">): boolean {
  return type === QUESTION && source === "gateway";
}

/** True for a fault that says nothing of the document: the printer is asked anew. */
export function isNoAnswer(result: Command["result"]): boolean {
  return !result?.success && /^E[159]/.test(result?.errorCode ?? "E9");
}
