/**
 * What the numbers of a printer say of a document whose outcome a person is asked for. They are
 * compared in the order of commands, never by a clock: the printer's may be wrong. What they do not
 * show is not said: a No for a printed receipt has it printed twice, a Yes for another one loses it.
 */

import { isFiscalDocument } from "#core/command/catalogue.ts";
import type { Command } from "#core/command/command.ts";
import { type Doubt, doubtOf } from "#core/command/doubt.ts";
import { type Indication, NO_INDICATION } from "#core/command/indication.ts";
import { advances } from "#core/command/marks.ts";
import { closesCancelled, countsByDay, countsIssued, numberOf } from "#core/device/numbering.ts";
import { answersFor, printerOf } from "#core/device/printer.ts";
import { toMinor } from "#core/money.ts";
import { documentTotalMinor } from "#core/receipt-total.ts";
import { askedAgainOf } from "#db/stores/asked-again.ts";
import { recordIdsOf } from "#db/stores/device-records.ts";
import { inOrder } from "#db/stores/order.ts";
import { dayBehind, printedOn } from "#db/stores/printer-day.ts";
import { createDocuments, type DocumentStores } from "./documents.ts";
import {
  dayAtPrinter,
  isOtherMemory,
  lastKnownOf,
  lastPaper,
  reachedNumber,
  type ToldDocument,
  toldDocument,
} from "./known-documents.ts";
import { provesUnprinted } from "./proven.ts";
import { movesSince, receiptItself } from "./unknown-documents.ts";

/** The document may stand open, to be finished yet; or it is on a printer that is not there. */
const UNCOUNTED: readonly (Doubt["code"] | undefined)[] = [
  ...(["stays_open", "not_told_in_time", "other_device"] as const),
];
/** With these the printer itself has not ruled out, nor shown, that its next receipt is ours. */
const UNSEEN: readonly (Doubt["code"] | undefined)[] = [undefined, "not_told", "other_number"];

/** What is compared. */
interface Compared {
  readonly command: Command;
  readonly told: ToldDocument;
  readonly driver: string | undefined;
  /** Ids of the records that lead to the printer, or led. */
  readonly records: readonly string[];
}

/** What was known of the printer's numbers before the command. */
interface Before {
  /** The highest number that something had, and the `seq` of that command. */
  readonly number: number;
  readonly seq: number;
  /** That of the last receipt, where one is known. */
  readonly receipt: number | undefined;
}

/** @returns compares with a `get_last_receipt_info` that was sent to the command's printer, and ended */
export function indicationsOf(
  stores: DocumentStores,
): (command: Command, asked: Command) => Indication {
  return (command, asked) => indicationOf(stores, command, asked);
}

function indicationOf(stores: DocumentStores, command: Command, asked: Command): Indication {
  const compared = comparedOf(stores, command, asked);
  const before = compared && beforeOf(stores, compared);
  if (compared === undefined || before === undefined) return NO_INDICATION;
  const { told, driver } = compared;
  const reached = reachedNumber(told);
  // It counts anew.
  if (reached === undefined || reached < before.number) return NO_INDICATION;
  const itself = isFiscalDocument(command.type) ? receiptOf(told, driver) : undefined;
  const shown = itself === undefined ? before.number : (before.receipt ?? before.number);
  const indicates =
    reached === before.number ? "not_printed" : indicatedBy(stores, compared, { before, itself });
  const isSaid = indicates !== "not_printed" || !mayStandPaid(command);
  return { before: String(shown), indicates: isSaid ? indicates : null };
}

/**
 * True for what may stand open at the printer, paid, which the next document or a hand there finishes:
 * without a doubt nobody has looked since, as where its controller was silent or its device deleted.
 */
function mayStandPaid(command: Command): boolean {
  const isPaid = command.mark !== null && !advances(command.mark, "committing");
  return isFiscalDocument(command.type) && isPaid && doubtOf(command.result) === undefined;
}

/** Undefined where nothing can be compared. */
function comparedOf(
  stores: DocumentStores,
  command: Command,
  asked: Command,
): Compared | undefined {
  const { orgId, id, type, finishedAt, finishedOrder } = command;
  const hold = stores.outcomeHolds.find(id);
  const device = stores.devices.get(orgId, asked.deviceId);
  const told = toldDocument(asked.result);
  if (hold === undefined || hold.outcome !== null || !device || !told) return undefined;
  // What was told before its end says nothing of it.
  if (finishedAt === null || asked.sentAt === null) return undefined;
  const [ended, sent] = [
    { order: finishedOrder, at: finishedAt },
    { order: asked.sentOrder, at: asked.sentAt },
  ];
  if (inOrder(sent, ended) < 0) return undefined;
  if (!answersFor(hold, printerOf(device)) || isOtherMemory(hold, told)) return undefined;
  const { driver } = device;
  if (!provesUnprinted(type, { told, driver })) return undefined;
  const standsOpen = askedAgainOf(stores.audit, orgId, id)?.standsOpen === true;
  if (standsOpen || UNCOUNTED.includes(doubtOf(command.result)?.code)) return undefined;
  return { command, told, driver, records: recordIdsOf(stores, hold) };
}

function beforeOf(stores: DocumentStores, compared: Compared): Before | undefined {
  const { command, told, driver, records } = compared;
  const last = lastKnownOf(stores, records, { isNumbered: true, driver, before: command.seq });
  if (last !== undefined && isOtherMemory(last, told)) return undefined;
  const receipt = numberOf(last?.number);
  const document = last && receipt !== undefined ? { seq: last.seq, number: receipt } : undefined;
  const accepted = acceptedOf(stores, compared);
  if (countsByDay(driver)) {
    // To which day an accepted number belongs is not known.
    const isAccepted = accepted !== undefined && accepted.seq >= (last?.seq ?? 0);
    if (isAccepted || !isSurelySameDay(stores, compared)) return undefined;
    const isToday = numberOf(last?.zReportNumber) === dayAtPrinter(told);
    const number = isToday ? (receipt ?? 0) : 0;
    return { number, seq: last?.seq ?? 0, receipt: number };
  }
  const papers = printedOn(stores, records).filter(({ seq }) => seq < command.seq);
  const paper = told.lastDocumentNumber === undefined ? undefined : lastPaper(papers);
  const [newest] = [document, accepted, paper]
    .filter((one) => one !== undefined)
    .toSorted((one, other) => other.seq - one.seq || other.number - one.number);
  return newest && { ...newest, receipt };
}

/** What a person accepted of the printer before the command: that is known, too. */
function acceptedOf({ documentChecks }: DocumentStores, { command, records }: Compared) {
  return records
    .flatMap((id) => documentChecks.get(id) ?? [])
    .flatMap(({ acceptedAt, number, seq }) =>
      acceptedAt === null || number === null || seq >= command.seq ? [] : { seq, number },
    )
    .toSorted((one, other) => other.seq - one.seq)[0];
}

/** False also where a day is not known: numbers of another one begin anew, and may meet those of this. */
function isSurelySameDay(stores: DocumentStores, { command, told, records }: Compared): boolean {
  const printed = printedOn(stores, records).filter(({ seq }) => seq < command.seq);
  const day = dayBehind(printed);
  return day !== undefined && day === dayAtPrinter(told);
}

/** The number of the last receipt, where it is certain that it is one, and no cancelled one. */
function receiptOf(told: ToldDocument, driver: string | undefined): number | undefined {
  const hasAmount = typeof told.receiptAmount === "number";
  if (closesCancelled(driver) && !hasAmount) return undefined;
  const isIssued = countsByDay(driver) && hasAmount;
  return isIssued ? numberOf(told.receiptNumber) : receiptItself(told, driver);
}

/** What a printer says that has printed since. */
function indicatedBy(
  stores: DocumentStores,
  { command, told, driver, records }: Compared,
  { before, itself }: { readonly before: Before; readonly itself: number | undefined },
): Indication["indicates"] {
  if (itself === undefined) return "since";
  // Other papers alone came behind.
  if (itself <= before.number) return "not_printed";
  const others = movesSince(stores, { records, driver, but: command.id }, before.seq);
  if (others.receipts > 0) return "since";
  const papers = countsIssued(driver) ? 0 : others.numbers;
  const doubt = doubtOf(command.result);
  const isNext =
    doubt?.code === "other_number"
      ? itself === doubt.params.own
      : itself <= before.number + papers + 1;
  const [amount, own] = [amountOf(told), ownAmountOf(stores, command)];
  const isOtherAmount = amount !== undefined && own !== undefined && amount !== own;
  if (!isNext || isOtherAmount) return "another";
  // The number alone may be that of anybody's receipt.
  return amount !== undefined && UNSEEN.includes(doubt?.code) ? "printed" : "since";
}

/** In minor units, as the total stands on paper: payments may be a minor unit off. */
function ownAmountOf(stores: DocumentStores, command: Command): number | undefined {
  const document = createDocuments(stores).documentOf(command)?.document;
  if (document === undefined) return undefined;
  return documentTotalMinor(document.items, document.kind === "sale" ? document.modifiers : []);
}

function amountOf({ receiptAmount }: ToldDocument): number | undefined {
  const minor = typeof receiptAmount === "number" ? toMinor(receiptAmount) : undefined;
  return minor === undefined ? undefined : Math.abs(minor);
}
