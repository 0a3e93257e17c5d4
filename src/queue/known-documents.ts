/** What this database knows of the last document of a printer, and what the printer tells of it. */

import { isFiscalDocument } from "#core/command/catalogue.ts";
import { acceptedCommand, type Command } from "#core/command/command.ts";
import { countsByKind, numberOf } from "#core/device/numbering.ts";
import { isSameMemory, isSimulatedPrinter, shopPrinterOf } from "#core/device/printer.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import type { Device } from "#db/stores/devices.ts";
import type { Stores } from "#db/stores/index.ts";
import type { PrintedCommand } from "#db/stores/printed-commands.ts";
import { LOOKED_AT_MAX } from "#db/stores/printer-day.ts";
import type { Clock } from "../platform/clock.ts";
import type { Random } from "../platform/random.ts";

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
  /** Currency units. */
  readonly receiptAmount?: unknown;
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

/** Above any `seq`. */
const ALL = Number.POSITIVE_INFINITY;

/** Which documents are looked at. */
interface LookedAt {
  /** Those of which the printer told the number. */
  readonly isNumbered?: boolean;
  /** Of the printer, where its record may be gone. */
  readonly driver?: string | undefined;
  /** Those of commands with a `seq` below this. */
  readonly before?: number;
}

/** The last one that is known of a record; undefined where none is. */
export function lastKnown(
  { commands, devices }: KnownStores,
  deviceId: string,
  only: LookedAt = {},
): KnownDocument | undefined {
  const { isNumbered = false, driver = devices.find(deviceId)?.driver, before = ALL } = only;
  // These devices count each kind by itself, and tell of their last sale.
  const saleOnly = countsByKind(driver);
  const printed = commands.listPrinted(deviceId).take(LOOKED_AT_MAX);
  for (const { seq, type, result, finishedAt } of printed) {
    if (!isFiscalDocument(type) || !result?.success || finishedAt === null) continue;
    if (seq >= before) continue;
    if (saleOnly && type !== "print_receipt") continue;
    const data = result.data ?? {};
    const { receiptNumber: number, issuedAt, fiscalMemorySerialNumber, zReportNumber } = data;
    if (isNumbered && numberOf(number) === undefined) continue;
    return { seq, number, issuedAt, fiscalMemorySerialNumber, zReportNumber, finishedAt };
  }
  return undefined;
}

/** The last one that is known of a printer. @param records ids of those that lead to it, or led */
export function lastKnownOf(
  stores: KnownStores,
  records: readonly string[],
  only: LookedAt = {},
): KnownDocument | undefined {
  return records
    .flatMap((id) => lastKnown(stores, id, only) ?? [])
    .toSorted((one, other) => other.seq - one.seq)[0];
}

/** The number of the last paper of ours, where one row counts all; undefined where none is known. */
export function lastPaper(
  printed: Iterable<Pick<PrintedCommand, "seq" | "type" | "result">>,
): { readonly seq: number; readonly number: number } | undefined {
  for (const { seq, type, result } of printed) {
    const { receiptNumber, lastDocumentNumber } = result?.data ?? {};
    const isReceipt = isFiscalDocument(type) && result?.success === true;
    const number = numberOf(isReceipt ? receiptNumber : lastDocumentNumber);
    if (number !== undefined) return { seq, number };
  }
  return undefined;
}

/** The number of the Z report that will close the printer's day; undefined where it tells none. */
export function dayAtPrinter({ lastZReportNumber }: ToldDocument): number | undefined {
  return typeof lastZReportNumber === "number" ? lastZReportNumber + 1 : undefined;
}

/** True where the fiscal memory shows that another printer stands behind the record by now. */
export function isOtherMemory(
  known: Pick<ToldDocument, "fiscalMemorySerialNumber">,
  told: Pick<ToldDocument, "fiscalMemorySerialNumber">,
): boolean {
  const [mine, theirs] = [known.fiscalMemorySerialNumber, told.fiscalMemorySerialNumber];
  return typeof mine === "string" && typeof theirs === "string" && !isSameMemory(mine, theirs);
}

const QUESTION = "get_last_receipt_info";

/** With what a question is made. */
export interface QuestionMaking {
  readonly clock: Pick<Clock, "now">;
  readonly random: Pick<Random, "id">;
  readonly queue: { expiryOf(createdAt: number): number };
}

/** The question to the printer of a device, as the gateway asks it of its own accord. */
export function lastDocumentQuestion(
  device: Device,
  { clock, random, queue }: QuestionMaking,
): NewCommand {
  const { deviceId, orgId, address } = shopPrinterOf(device);
  const createdAt = clock.now();
  return acceptedCommand({
    id: random.id("cmd"),
    ...{ orgId, deviceId, type: QUESTION, payload: {} },
    source: "gateway",
    createdAt,
    expiresAt: queue.expiryOf(createdAt),
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
