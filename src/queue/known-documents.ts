/**
 * What this database knows of the last document of a printer, and whether what the printer tells of
 * it is ahead of that. Only what a number shows is told: where the printer counts other papers too,
 * each of ours since is allowed for, so that none of them is taken for somebody else's.
 */

import {
  CATALOGUE,
  COMMAND_TYPES,
  type CommandType,
  isFiscalDocument,
} from "#core/command/catalogue.ts";
import { acceptedCommand, type Command } from "#core/command/command.ts";
import type { CommandDefinition } from "#core/command/definition.ts";
import { isSimulatedPrinter } from "#core/device/printer.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import type { Stores } from "#db/stores/index.ts";

type KnownStores = Pick<Stores, "commands" | "devices">;

interface OfDevice {
  readonly orgId: string;
  readonly deviceId: string;
}

/** The last document of which the printer's own number is stored here. */
export interface KnownDocument {
  readonly commandId: string;
  /** As the printer wrote it. */
  readonly number: unknown;
  readonly issuedAt: unknown;
  readonly fiscalMemorySerialNumber: unknown;
  /** When its command was accepted, and when it ended. UTC milliseconds. */
  readonly acceptedAt: number;
  readonly finishedAt: number;
}

/** What the printer told of its last document, as `get_last_receipt_info` gives it. */
export interface ToldDocument {
  readonly receiptNumber?: unknown;
  readonly receiptDateTime?: unknown;
  readonly fiscalMemorySerialNumber?: unknown;
}

/** Commands of one type that are looked at. */
const LOOKED_AT_MAX = 200;
const NEWEST = { limit: LOOKED_AT_MAX, order: "desc", sortBy: "createdAt" } as const;
const COUNTING_BY_KIND = "vendorF.shtrih";
const COUNTING_BY_DAY = "custom.serial";

const DOCUMENTS = COMMAND_TYPES.filter(isFiscalDocument);
/** What may move a printer's number: whatever prints, or ends what stands open. */
const MOVERS = COMMAND_TYPES.filter((type) => {
  const { effect, waitsForPerson }: CommandDefinition = CATALOGUE[type];
  return effect === "document" || effect === "ledger" || waitsForPerson === true;
});

/**
 * The last one that is known; undefined where none is.
 * @param isNumbered only of those of which the printer told the number
 */
export function lastKnown(
  stores: KnownStores,
  of: OfDevice,
  isNumbered = false,
): KnownDocument | undefined {
  const driver = stores.devices.find(of.deviceId)?.driver;
  const found = DOCUMENTS.flatMap((type) => {
    // These devices count each kind by itself, and tell of their last sale.
    if (driver === COUNTING_BY_KIND && type !== "print_receipt") return [];
    return newest(stores, of, { type, isNumbered }) ?? [];
  });
  return found.sort((left, right) => right.finishedAt - left.finishedAt)[0];
}

function newest(
  { commands }: KnownStores,
  { orgId, deviceId }: OfDevice,
  { type, isNumbered }: { readonly type: CommandType; readonly isNumbered: boolean },
): KnownDocument | undefined {
  for (const part of commands.list(orgId, { deviceId, type }, NEWEST)) {
    for (const { id: commandId, result, createdAt: acceptedAt, finishedAt } of part) {
      if (!result?.success || finishedAt === null) continue;
      const { receiptNumber: number, issuedAt, fiscalMemorySerialNumber } = result.data ?? {};
      if (isNumbered && numberOf(number) === undefined) continue;
      return { commandId, number, issuedAt, fiscalMemorySerialNumber, acceptedAt, finishedAt };
    }
  }
  return undefined;
}

/** How far commands of ours may have moved a printer's number. */
export interface OwnMoves {
  /** Numbers at most. */
  readonly numbers: number;
  /** A Z report was made. */
  readonly closedDay: boolean;
}

/** What ran on the device since the last document that is known, or since another instant. */
export function movesSince(
  { commands }: KnownStores,
  { orgId, deviceId }: OfDevice,
  since: Pick<KnownDocument, "acceptedAt" | "finishedAt"> & { readonly commandId?: string },
): OwnMoves {
  let numbers = 0;
  let closedDay = false;
  for (const type of MOVERS) {
    const filter = { deviceId, type, from: since.acceptedAt };
    for (const part of commands.list(orgId, filter, NEWEST)) {
      for (const command of part) {
        const endedAt = command.finishedAt ?? since.finishedAt;
        if (!hasRun(command) || endedAt < since.finishedAt) continue;
        if (command.id === since.commandId) continue;
        numbers += numbersOf(command);
        closedDay ||= type === "z_report" && command.result?.success === true;
      }
    }
  }
  return { numbers, closedDay };
}

function hasRun({ mark, processingAt, sentAt }: Command): boolean {
  return mark !== null || processingAt !== null || sentAt !== null;
}

/** One that failed may have been cancelled, and something that stood open before it too. */
function numbersOf({ type, result }: Command): number {
  return isFiscalDocument(type) && !result?.success ? 2 : 1;
}

/** Documents that a printer has told of and nobody here knows. */
export interface UnknownDocuments {
  /** At most so many: some printers count cancelled receipts and papers without fiscal meaning too. */
  readonly documents: number;
}

/** What is compared. */
export interface Comparison {
  /** Number of the last document known here, as the printer counts. */
  readonly known: number;
  /** Number of the printer's last one; 0 where it has none yet. */
  readonly told: number;
  readonly own: OwnMoves;
  /** The printer begins anew after each Z report. */
  readonly countsByDay: boolean;
}

/** @returns undefined when the printer is not ahead, as far as its number shows */
export function unknownDocuments(compared: Comparison): UnknownDocuments | undefined {
  const { told, own, countsByDay } = compared;
  const isNewDay = countsByDay && (own.closedDay || told < compared.known);
  const known = isNewDay ? 0 : compared.known;
  if (told <= known + own.numbers) return undefined;
  return { documents: told - known };
}

/** True where the printer's driver numbers documents anew each day. */
export function countsByDay(driver: string | undefined): boolean {
  return driver === COUNTING_BY_DAY;
}

/** A number as a printer writes it; undefined for what is none. */
export function numberOf(told: unknown): number | undefined {
  if (typeof told !== "string" || !/^\d{1,15}$/.test(told)) return undefined;
  return Number(told);
}

/** The question to a printer, as the gateway asks it of its own accord. @param now UTC milliseconds */
export function lastDocumentQuestion(
  { orgId, deviceId, address }: OfDevice & { readonly address: string | null },
  { id, now, expiresAt }: { readonly id: string; readonly now: number; readonly expiresAt: number },
): NewCommand {
  return acceptedCommand({
    id,
    ...{ orgId, deviceId, type: "get_last_receipt_info", payload: {} },
    source: "gateway",
    createdAt: now,
    expiresAt,
    simulated: isSimulatedPrinter({ address }),
  });
}

/** True for a fault that says nothing of the document: the printer is asked anew. */
export function isNoAnswer(result: Command["result"]): boolean {
  return !result?.success && /^E[159]/.test(result?.errorCode ?? "E9");
}
