/**
 * The stored receipts that have the number of a document on their papers. One rule for all that a number
 * is told of: printers give their numbers again, and devices, papers and people write them in several ways.
 */

import { receiptBookedAt } from "#core/booking.ts";
import type { Command } from "#core/command/command.ts";
import { numberOfDay, paperNumbers, writingsOf } from "#core/command/settled.ts";
import {
  countsByDay,
  countsByKind,
  numberOf,
  numbersAhead,
  roundOf,
} from "#core/device/numbering.ts";
import { FISCAL_DAY_OPEN_MS_MAX } from "#core/limits.ts";
import type { ReceiptPrinter, StoredReceipt } from "#core/receipt-record.ts";
import { givenWithin, numbersWithin, plainNumber, type Span } from "./given-within.ts";
import type { Stores } from "./index.ts";
import type { PrintedCommand } from "./printed-commands.ts";
import { dayBefore, dayBehind, dayRead, printedOn } from "./printer-day.ts";
import { knownNumbers, type NumberProofs } from "./proven-number.ts";
import { printerOfReceipt } from "./receipt-printer.ts";
import { receiptsTold } from "./told-receipts.ts";

export type NumberedStores = NumberProofs & Pick<Stores, "devices" | "receipts">;

/**
 * By which of the numbers on a paper it is compared, where documents and receipts are counted apart: each
 * kind of receipt is then counted by itself, and a person may have read either.
 */
type NumberSide = "document" | "receipt" | "either";

/** A document that has a number, or is said to have it. */
export interface NumberedDocument extends Pick<StoredReceipt, "commandId" | "zReportNumber"> {
  readonly fiscalId: string;
  /** Null where it is not known, or the same. */
  readonly receiptNumber: string | null;
  readonly by: NumberSide;
  readonly isSale: boolean;
  /** When it began or was issued: before it the printer had given other numbers. UTC ms. */
  readonly at: number;
  /** Of its command, where there is one. */
  readonly seq: number | undefined;
  /** The printer's day when its command began, as far as it told that. */
  readonly day: number | undefined;
}

/** What is further ahead is rather behind, and told late or wrongly: half of a round. */
const AHEAD_MAX = 5_000;
/** In less time than this no printer comes to the same number again. */
const ROUND_MS_MIN = 86_400_000;
/** Behind more time than this one in use may have, though nothing is known of what it gave meanwhile. */
const NEXT_ROUND_MS = 14 * 86_400_000;

/** The document of a command, under a number that it is said to have. */
export function documentNumbered(
  { id, seq, type, sentAt, createdAt, baseline }: Command,
  fiscalId: string,
): NumberedDocument {
  return {
    ...{ fiscalId, receiptNumber: null, zReportNumber: null, by: "document" },
    ...{ isSale: type === "print_receipt", commandId: id, seq },
    ...{ at: sentAt ?? createdAt, day: dayRead(baseline) },
  };
}

/** What a stored receipt, or one that is to be stored, tells of its number; undefined where it has none. */
export function numberedDocument(
  stores: NumberProofs,
  receipt: StoredReceipt,
): NumberedDocument | undefined {
  const { orgId, commandId } = receipt;
  const { fiscalId, receiptNumber, zReportNumber, isWord } = knownNumbers(stores, receipt);
  if (fiscalId === null) return undefined;
  const command = commandId === null ? undefined : stores.commands.get(orgId, commandId);
  // A person may speak, and its device may tell, long after it has printed.
  const at = command?.sentAt ?? command?.createdAt ?? receiptBookedAt(receipt);
  return {
    ...{ fiscalId, receiptNumber, zReportNumber, by: isWord ? "either" : "document" },
    ...{ isSale: receipt.type === "sale", commandId, seq: command?.seq },
    ...{ at, day: dayRead(command?.baseline ?? null) },
  };
}

/** What a command names of the sale that it takes back. */
export type NamedNumber = Pick<NumberedDocument, "fiscalId" | "zReportNumber" | "at">;

/** A sale that is named by its number. Of what a person named it may be either. */
export function documentNamed(named: NamedNumber): NumberedDocument {
  return {
    ...{ ...named, receiptNumber: null, by: "either", isSale: true },
    ...{ commandId: null, seq: undefined, day: undefined },
  };
}

/** False for a receipt of another day than the one that is named, where numbers begin anew each day. */
export function isOfNamedDay(
  stores: NumberedStores,
  receipt: StoredReceipt,
  named: NamedNumber,
): boolean {
  const other = numberedDocument(stores, receipt);
  const printer = printerOfReceipt(stores, receipt);
  const document = documentNamed(named);
  if (other === undefined) return true;
  // The printer's clock may be wrong, and who told of the receipt may have told no time.
  return [other.at, receipt.issuedAt].some((at) =>
    isOfOneDay(stores, printer, { document, other: { ...other, at }, id: receipt.id }),
  );
}

/**
 * False for a receipt of a later round than the one that is named, where numbers begin anew after thousands:
 * the printer had come to the number by that paper's time, and came to it again. Any other time may be
 * that of a clock that is wrong, or nobody's.
 */
export function isOfNamedRound(
  stores: NumberedStores,
  receipt: StoredReceipt,
  { at: named }: NamedNumber,
): boolean {
  const printer = printerOfReceipt(stores, receipt);
  const other = numberedDocument(stores, receipt);
  if (other === undefined || roundOf(driverOf(stores, printer)) === undefined) return true;
  // Told without its time, it was sold at any time before.
  if (receipt.source === "api" && receipt.issuedAt === receipt.createdAt) return true;
  // As for the day.
  return [other.at, receipt.issuedAt].some((at) => {
    if (at - named < ROUND_MS_MIN) return true;
    const later = { ...other, at };
    if (!isGivenAnew(stores, printer, { later, before: { to: at + 1, but: receipt.id } }))
      return true;
    return !hadPassed(stores, printer, { later, named, receipt });
  });
}

/** A number as it stands in the books, and when a paper with it was issued by what is named. */
interface Named {
  readonly later: NumberedDocument;
  readonly named: number;
  /** What has it in the books. */
  readonly receipt: StoredReceipt;
}

/**
 * True where the printer had passed a number by the time that is named, by what it gave next to that; else
 * where the time is so long before. Clocks of printers may be days behind, and who types a date may mistype it.
 */
function hadPassed(
  stores: NumberedStores,
  printer: ReceiptPrinter,
  { later, named, receipt }: Named,
): boolean {
  const { fiscalId, at } = later;
  const round = roundOf(driverOf(stores, printer));
  const number = plainNumber(fiscalId);
  if (number === undefined) return false;
  const isPassed = (given: number): boolean => {
    const ahead = numbersAhead(round, number, given);
    return ahead >= 0 && ahead <= AHEAD_MAX;
  };
  const to = Math.min(at, named + NEXT_ROUND_MS);
  const known = { but: receipt.id, toldBefore: receipt.createdAt };
  const behind = numbersWithin(stores, printer, { ...known, from: named + 1, to });
  if (behind.length > 0) return behind.some(isPassed);
  const [before] = numbersWithin(stores, printer, { ...known, to: named + 1 });
  return (before !== undefined && isPassed(before)) || at - named > NEXT_ROUND_MS;
}

/**
 * The other stored receipts of a printer that have the number of a document: of one day, and of one
 * round, where it begins its numbers anew.
 */
export function othersNumbered(
  stores: NumberedStores,
  printer: ReceiptPrinter,
  document: NumberedDocument,
): readonly StoredReceipt[] {
  const { commandId } = document;
  const found = foundBy(stores, printer, document);
  return [...new Map(found.map((one) => [one.id, one])).values()]
    .filter((one) => commandId === null || one.commandId !== commandId)
    .filter((receipt) => isNumberedAlike(stores, printer, { document, receipt }));
}

/** Those of which the printer proved one of a document's names, whatever they are stored under. */
export function provenNumbered(
  stores: NumberedStores,
  printer: ReceiptPrinter,
  document: NumberedDocument,
): readonly StoredReceipt[] {
  const { names } = searchedNames(stores, printer, document);
  return receiptsTold(stores, printer, names).filter((receipt) =>
    isNumberedAlike(stores, printer, { document, receipt }),
  );
}

/** What a document may be called, and what its receipt may be, where receipts are counted apart. */
function searchedNames(
  stores: NumberedStores,
  printer: ReceiptPrinter,
  document: NumberedDocument,
) {
  const ofReceipt = isCountedApart(stores, printer) ? writingsOf(receiptNumberOf(document)) : [];
  const names = [...new Set([...namesOf(stores, printer, document), ...ofReceipt])];
  return { names, ofReceipt };
}

/** Stored receipts under one of a document's names, and such of which the printer proved one of them. */
function foundBy(
  stores: NumberedStores,
  printer: ReceiptPrinter,
  document: NumberedDocument,
): readonly StoredReceipt[] {
  const { receipts } = stores;
  const { names, ofReceipt } = searchedNames(stores, printer, document);
  const apart = document.by === "document" ? [] : ofReceipt;
  return [
    ...names.flatMap((name) => receipts.listNumbered(printer, name)),
    ...apart.flatMap((number) => receipts.listSalesNumbered(printer, number)),
    ...receiptsTold(stores, printer, names),
  ];
}

/** True where a receipt that is stored under one of a document's names has its number. */
function isNumberedAlike(
  stores: NumberedStores,
  printer: ReceiptPrinter,
  { document, receipt }: { document: NumberedDocument; receipt: StoredReceipt },
): boolean {
  const other = numberedDocument(stores, receipt);
  if (other === undefined) return false;
  const both = { document, other, id: receipt.id };
  if (!isOfOneName(stores, printer, both)) return false;
  return isOfOneDay(stores, printer, both) && isOfOneRound(stores, printer, both);
}

function isOfOneName(
  stores: NumberedStores,
  printer: ReceiptPrinter,
  { document, other }: Both,
): boolean {
  const isOneDocument = () => namesOf(stores, printer, document).includes(other.fiscalId);
  if (!isCountedApart(stores, printer)) return isOneDocument();
  // Of what a person read it may be either, whatever the other one is compared by.
  const by = other.by === "either" ? "either" : document.by;
  if (by !== "receipt" && isOneDocument()) return true;
  if (by === "document" || document.isSale !== other.isSale) return false;
  return writingsOf(receiptNumberOf(document)).includes(receiptNumberOf(other));
}

/** True where documents and receipts are counted apart, so that a paper has two numbers. */
export function isCountedApart(stores: Pick<Stores, "devices">, printer: ReceiptPrinter): boolean {
  return countsByKind(driverOf(stores, printer));
}

function receiptNumberOf({ receiptNumber, fiscalId }: NumberedDocument): string {
  return receiptNumber ?? fiscalId;
}

/** A document, and a stored receipt with this id. */
interface Both {
  readonly document: NumberedDocument;
  readonly other: NumberedDocument;
  readonly id: string;
}

/** The driver of the printer; undefined where none of its records is there any more. */
function driverOf(
  { devices }: Pick<Stores, "devices">,
  { records }: ReceiptPrinter,
): string | undefined {
  return records.flatMap((id) => devices.find(id)?.driver ?? [])[0];
}

/** What a stored receipt may be called that has the number. */
function namesOf(
  stores: NumberedStores,
  printer: ReceiptPrinter,
  document: NumberedDocument,
): readonly string[] {
  const { fiscalId } = document;
  const writings = writingsOf(fiscalId);
  const { receiptNumber } = paperNumbers(fiscalId);
  const plain = numberOf(receiptNumber);
  if (!countsByDay(driverOf(stores, printer)) || plain === undefined) return writings;
  const day = dayOf(stores, printer, document);
  const days = day === undefined ? daysAround(stores, printer, document.at) : [day];
  const names = [receiptNumber, ...days.map((one) => numberOfDay(one, plain))];
  return [...new Set([...writings, ...names.flatMap(writingsOf)])];
}

/** False where a printer that begins its numbers anew each day gave both theirs on different days. */
export function isOfOneDay(
  stores: NumberedStores,
  printer: ReceiptPrinter,
  { document, other }: Both,
): boolean {
  if (!countsByDay(driverOf(stores, printer))) return true;
  const [day, theirs] = [document, other].map((one) => dayOf(stores, printer, one));
  if (day !== undefined && theirs !== undefined) return day === theirs;
  return Math.abs(document.at - other.at) <= FISCAL_DAY_OPEN_MS_MAX;
}

/**
 * The day of a document: the number of the Z report that closes it. As it is named, else as the printer
 * told it when its command began, else that of what our commands printed before and behind it. Undefined
 * where that is not known: one that others closed shows only in a later day behind it.
 */
function dayOf(
  stores: NumberedStores,
  { records }: ReceiptPrinter,
  document: NumberedDocument,
): number | undefined {
  const named = namedDay(document) ?? document.day;
  const { seq: own } = document;
  if (named !== undefined || own === undefined) return named;
  const printed = printedOn(stores, records);
  const before = dayBehind(untilRaw(printed.filter(({ seq }) => seq < own)));
  const behind = printed.filter(({ seq }) => seq > own).toReversed();
  const next = dayBefore(untilRaw(behind));
  return next === undefined || next === before ? before : undefined;
}

/** What a command of a maker's own does to the day nobody knows. */
function untilRaw(printed: readonly PrintedCommand[]): readonly PrintedCommand[] {
  const raw = printed.findIndex(({ type }) => type === "raw_command");
  return raw < 0 ? printed : printed.slice(0, raw);
}

function namedDay({
  fiscalId,
  zReportNumber,
}: Pick<StoredReceipt, "fiscalId" | "zReportNumber">): number | undefined {
  const ofNumber = fiscalId === null ? null : paperNumbers(fiscalId).zReportNumber;
  return numberOf(ofNumber ?? zReportNumber);
}

/**
 * The days of the receipts next to an instant. Days only go on, so what was printed then is of one of
 * these, or of one of which no receipt is stored.
 */
function daysAround(stores: NumberedStores, printer: ReceiptPrinter, at: number): number[] {
  return [{ to: at + 1 }, { from: at + 1, to: Number.MAX_SAFE_INTEGER }].flatMap(
    (span) =>
      givenWithin(stores, printer, span).flatMap(
        (one) => namedDay(knownNumbers(stores, one)) ?? [],
      )[0] ?? [],
  );
}

/**
 * False where a printer whose numbers begin anew gave both theirs in different rounds. What a person
 * said may be a number that the printer had not come to, and came to later without beginning anew.
 */
export function isOfOneRound(
  stores: NumberedStores,
  printer: ReceiptPrinter,
  { document, other, id }: Both,
): boolean {
  const isFirst = document.at <= other.at;
  const [earlier, later] = isFirst ? [document, other] : [other, document];
  if (earlier.at > later.at - ROUND_MS_MIN) return true;
  const before = { to: later.at + 1, ...(isFirst ? { but: id } : {}) };
  if (!isGivenAnew(stores, printer, { later, before })) return true;
  return isFirst && !hasGoneOn(stores, printer, { document, until: later.at });
}

/** True where a number lies ahead of the last one that is known from before it. */
function isGivenAnew(
  stores: NumberedStores,
  printer: ReceiptPrinter,
  { later, before }: { readonly later: NumberedDocument; readonly before: Span },
): boolean {
  const round = roundOf(driverOf(stores, printer));
  const number = plainNumber(later.fiscalId);
  if (round === undefined || number === undefined) return false;
  const [known] = numbersWithin(stores, printer, before);
  const ahead = known === undefined ? 0 : numbersAhead(round, known, number);
  return ahead > 0 && ahead <= AHEAD_MAX;
}

/**
 * Whether the printer gave numbers ahead of a document's soon behind it: the paper had that number then.
 * Of one that was misread the printer may only have been on its way there.
 * @param until exclusive, UTC milliseconds
 */
function hasGoneOn(
  stores: NumberedStores,
  printer: ReceiptPrinter,
  { document, until }: { readonly document: NumberedDocument; readonly until: number },
): boolean {
  const round = roundOf(driverOf(stores, printer));
  const number = plainNumber(document.fiscalId);
  if (number === undefined) return false;
  return numbersWithin(stores, printer, { from: document.at + 1, to: until }).some(
    (given) => numbersAhead(round, number, given) > 0,
  );
}
