/**
 * Whether a printer is ahead of what is known of it here, and by how much. What the gateway itself
 * has printed since is no news. So each command of ours explains as much as it can have moved the
 * number that is compared, and not more: an allowance too many hides a receipt that somebody will
 * print again.
 */

import { isFiscalDocument, tellsOutcome } from "#core/command/catalogue.ts";
import type { Outcome } from "#core/command/command.ts";
import { isRemote } from "#core/device/device.ts";
import {
  closesCancelled,
  countsByDay,
  countsByKind,
  countsIssued,
  numberOf,
  numbersAhead,
  type Round,
} from "#core/device/numbering.ts";
import type { Stores } from "#db/stores/index.ts";
import type { PrintedCommand } from "#db/stores/printed-commands.ts";
import { dayBehind, printedOn } from "#db/stores/printer-day.ts";
import type { ToldDocument } from "./known-documents.ts";

/** A command that ended, as far as it says what it can have printed. */
export interface EndedCommand
  extends Pick<PrintedCommand, "type" | "mark" | "controllerId" | "result"> {
  /** What a person said, or the printer later, of one that a person was asked of. */
  readonly said?: Outcome | undefined;
}

/** What a command can have done to the numbers of a printer. */
export interface Move {
  /** By how much it can have moved the number that goes through all that the printer counts. */
  readonly numbers: 0 | 1;
  /** What it moved that by may be told as a receipt, and so as the last one. */
  readonly isReceipt: boolean;
}

const NOTHING: Move = { numbers: 0, isReceipt: false };

/** How far one command can have moved a printer's numbers. @param driver of the printer */
export function moveOf(command: EndedCommand, driver: string | undefined): Move {
  const { type } = command;
  if (isUnsent(command)) return NOTHING;
  // Nobody knows what it did.
  if (type === "raw_command") return { numbers: 1, isReceipt: true };
  const isReceipt = isFiscalDocument(type) && (closesCancelled(driver) || mayBePrinted(command));
  if (countsByKind(driver)) {
    const isSale = isReceipt && type === "print_receipt";
    return isSale ? { numbers: 1, isReceipt } : NOTHING;
  }
  if (countsByDay(driver) && !isFiscalDocument(type)) return NOTHING;
  // A cancelled receipt and any other paper may have a number too.
  return { numbers: 1, isReceipt };
}

/**
 * True when it failed before anything of it was sent. Of documents and ledger entries the missing
 * mark proves that; of the rest only where the controller is ours, as others may print these
 * without one.
 */
function isUnsent({ type, mark, controllerId, result }: EndedCommand): boolean {
  if (result?.success || mark !== null || result?.data?.outcome === "unknown") return false;
  return tellsOutcome(type) || !isRemote({ controllerId });
}

function mayBePrinted({ result, said }: EndedCommand): boolean {
  if (result?.success) return true;
  const outcome = said ?? result?.data?.outcome;
  return outcome !== "not_printed";
}

/** How far commands of ours can have moved a printer's numbers. */
export interface OwnMoves {
  /** Numbers of all that the printer counts, at most. */
  readonly numbers: number;
  /** Those up to the last command that may have printed a receipt; 0 where none may. */
  readonly receipts: number;
  /** A Z report was made, and only what came behind it is counted here. */
  readonly closedDay: boolean;
}

/** Whose moves are counted. */
interface MovesOf {
  readonly records: readonly string[];
  readonly driver: string | undefined;
  readonly but?: string;
}

/**
 * What a printer did behind a command.
 * @param of ids of the devices that lead to it, whose records may be gone, its driver, and a command
 *   that is not counted
 * @param since `seq` of that command
 */
export function movesSince(
  { commands, outcomeHolds }: Pick<Stores, "commands" | "outcomeHolds">,
  { records, driver, but }: MovesOf,
  since: number,
): OwnMoves {
  const behind = printedOn({ commands }, records).filter(
    ({ seq, id }) => seq > since && id !== but,
  );
  let numbers = 0;
  let receipts = 0;
  for (const command of behind) {
    const { type, result } = command;
    if (countsByDay(driver) && type === "z_report" && result?.success) {
      return { numbers, receipts, closedDay: true };
    }
    const hold = result?.success ? undefined : outcomeHolds.find(command.id);
    const said = hold && (hold.outcome ?? "unknown");
    const move = moveOf({ ...command, said }, driver);
    numbers += move.numbers;
    // The newest comes first: what is older than the last receipt has moved that one's number too.
    if (receipts > 0 || move.isReceipt) receipts += move.numbers;
  }
  return { numbers, receipts, closedDay: false };
}

/**
 * The number of the last receipt itself, which neither a paper of another kind nor a cancelled
 * receipt moves; undefined where what was told may be the number of one of these.
 */
export function receiptItself(told: ToldDocument, driver: string | undefined): number | undefined {
  const { receiptNumber, receiptDateTime, lastDocumentNumber } = told;
  // Where the time is missing, all that the device told is a count, which may hold cancelled ones.
  const isIssued = countsIssued(driver) && typeof receiptDateTime === "string";
  const isItself = lastDocumentNumber !== undefined || countsByKind(driver) || isIssued;
  return isItself ? numberOf(receiptNumber) : undefined;
}

/**
 * The day at a printer that numbers documents anew each day, as far as it is known here: the number of
 * the Z report that will close it. Undefined where something of ours may have closed one unnoticed.
 * @param behind what was printed behind a document, the newest first
 * @param before the day of that document
 */
export function dayKnown(
  behind: readonly PrintedCommand[],
  before: number | undefined,
  driver: string | undefined,
): number | undefined {
  const raw = behind.findIndex((command) => {
    return command.type === "raw_command" && moveOf(command, driver).numbers > 0;
  });
  return raw < 0 ? dayBehind(behind, before) : dayBehind(behind.slice(0, raw));
}

/** Documents that a printer has told of and nobody here knows. */
export interface UnknownDocuments {
  /**
   * At most so many: some printers count cancelled receipts and papers without fiscal meaning too. Null
   * behind a Z report that nobody here knows: how many were printed before it no number tells.
   */
  readonly documents: number | null;
}

/** What is compared. */
export interface Comparison {
  /** Number of the last document known here, as the printer counts. */
  readonly known: number;
  /** Number of the printer's last one; 0 where it has none yet. */
  readonly told: number;
  /** Number of its last receipt, where it tells that: see `receiptItself`. */
  readonly receipt?: number;
  readonly own: OwnMoves;
  /** The printer begins anew after each Z report. */
  readonly countsByDay: boolean;
  /** There, its day as it is known here and as it tells it; undefined where either is not known. */
  readonly days?: { readonly known: number; readonly told: number } | undefined;
  /** There, its last document was issued when the known one was; undefined where either is not told. */
  readonly isSameTime?: boolean | undefined;
  /** How it begins anew otherwise. */
  readonly round?: Round | undefined;
}

/**
 * True where the printer tells a number behind the known one: of another memory, or of none. It shows
 * nothing of what was printed then. Where numbers begin anew each day, that is a number of an earlier
 * one. Behind a paper of another kind the last receipt lies on a printer that stood still, too; behind a
 * receipt never.
 * @param isReceipt the known number is that of a receipt
 */
export function isBehindKnown(
  { known, told, receipt, ...of }: Comparison,
  isReceipt: boolean,
): boolean {
  if (of.countsByDay) return of.days !== undefined && of.days.told < of.days.known;
  const last = isReceipt ? (receipt ?? told) : told;
  return numbersAhead(of.round, known, last) < 0;
}

/**
 * True where the number may be one of another day, which has come as far as the known one or begun
 * since. It shows nothing then, unless the time says that it is that of the known document.
 */
export function mayBeOtherDay({ countsByDay: byDay, days, ...of }: Comparison): boolean {
  return byDay && days === undefined && !(isSameNumber(of) && of.isSameTime === true);
}

function isSameNumber({ known, told, own }: Pick<Comparison, "known" | "told" | "own">): boolean {
  return told === known && !own.closedDay;
}

/** @returns undefined when the printer is not ahead, as far as its number shows */
export function unknownDocuments(compared: Comparison): UnknownDocuments | undefined {
  const { told, receipt, own, days, round } = compared;
  if (days !== undefined && days.told > days.known) return { documents: null };
  if (isOfOtherDay(compared)) return { documents: null };
  // Whatever other papers there are, the number of the receipt itself shows it.
  if (receipt !== undefined) {
    const ahead = numbersAhead(round, compared.known, receipt);
    return ahead <= own.receipts ? undefined : { documents: ahead };
  }
  const isNewDay = compared.countsByDay && (own.closedDay || told < compared.known);
  const known = isNewDay ? 0 : compared.known;
  const ahead = numbersAhead(round, known, told);
  return ahead <= own.numbers ? undefined : { documents: ahead };
}

/** The same number at another time, at which nothing of ours had one. */
function isOfOtherDay({ countsByDay: byDay, days, isSameTime, ...of }: Comparison): boolean {
  const isUnexplained = isSameNumber(of) && of.own.numbers === 0;
  return byDay && days === undefined && isUnexplained && isSameTime === false;
}
