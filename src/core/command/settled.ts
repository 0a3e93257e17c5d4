/** What a device tells of a command that a person settled before it could be asked. Pure. */

import { patternOf } from "../patterns.ts";
import { isFiscalDocument } from "./catalogue.ts";
import {
  type Command,
  type CommandResult,
  contradictsItself,
  OUTCOMES,
  type Outcome,
} from "./command.ts";

/** The device's word against the person's. */
export type Answer =
  /** It says the same. */
  | "agrees"
  /** It says otherwise, or names another number. */
  | "contradicts"
  /** A receipt that was called not printed stands open, and could only be finished. */
  | "stands_open"
  /** It cannot tell. */
  | "untold";

/** True for a result that a person has said, and no device. */
export function isSettled(result: CommandResult | null): result is CommandResult {
  return result?.data?.settledBy !== undefined;
}

/**
 * What may still become of a document whose end a person has told, while a controller has it. That it is
 * asked anew what became of it, and that none of its marks lets it go on any more, is so of all that was
 * settled; these two are not the same, and neither follows from that.
 */
export interface StillAllowed {
  /**
   * It may come out where its payment was allowed before the person spoke, as while it waits for paper,
   * and no clock ends it then: the sale counts, and its paper is to come. So it is where it was called
   * printed without a number. While nothing is paid of it no paper of it can be there, so a number that
   * somebody has read is another paper's; and what was called not printed was rung up anew.
   */
  readonly mayPrint: boolean;
  /**
   * What stands open of it, holds a payment and so can only be finished is finished. Not where it was
   * called not printed: a person is asked first.
   */
  readonly mayFinish: boolean;
}

/** Of a command that a person has settled. Only documents stand open, and wait for paper. */
export function stillAllowed({ type, result }: Pick<Command, "type" | "result">): StillAllowed {
  const isPrinted = result?.success === true;
  const isDocument = isFiscalDocument(type);
  return {
    mayPrint: isDocument && isPrinted && result.fiscalId === undefined,
    mayFinish: !isDocument || isPrinted,
  };
}

/** What a result says of its document; undefined for a failure that does not say. */
export function outcomeOf(result: CommandResult): Outcome | undefined {
  if (contradictsItself(result)) return "unknown";
  if (result.success) return "printed";
  return OUTCOMES.find((known) => known === result.data?.outcome);
}

/**
 * True where nobody can say any more that a document was not printed, which was told before. What a
 * person has said stands: that a device cannot tell is nothing against it.
 */
export function mayHavePrinted(said: CommandResult | null, told: CommandResult): boolean {
  if (said === null || isSettled(said)) return false;
  return outcomeOf(said) === "not_printed" && outcomeOf(told) === "unknown";
}

/** Holds what the device tells against what the person said. */
export function answerOf(settled: CommandResult, told: CommandResult): Answer {
  const outcome = outcomeOf(told);
  if (outcome === "printed") {
    if (!settled.success) return "contradicts";
    return isSameNumber(settled.fiscalId, told) ? "agrees" : "contradicts";
  }
  if (outcome === "not_printed") return settled.success ? "contradicts" : "agrees";
  return told.errorCode === "E301" && !told.success && !settled.success ? "stands_open" : "untold";
}

/** True for a result that tells of the printed document of that number, by its device's own word. */
export function isToldBy(result: CommandResult, fiscalId: string | undefined): boolean {
  const { success, fiscalId: said, data } = result;
  if (!success || isSettled(result) || said === undefined || fiscalId === undefined) return false;
  return isOnPaper({ fiscalId: said, ...(data && { data }) }, fiscalId);
}

/** A number that one of them does not name contradicts nothing. */
function isSameNumber(said: string | undefined, told: CommandResult): boolean {
  return said === undefined || told.fiscalId === undefined || isOnPaper(told, said);
}

/**
 * True where a number may be read from the paper of which a device tells: where documents and receipts are
 * counted apart it has two, and people read either.
 */
export function isOnPaper(
  { fiscalId, data }: Pick<CommandResult, "fiscalId" | "data">,
  number: string,
): boolean {
  return [fiscalId, data?.receiptNumber].some(
    (told) => typeof told === "string" && isSamePaper(told, number),
  );
}

/** A number without its day may be that of any. */
function isSamePaper(told: string, said: string): boolean {
  const [one, other] = [paperNumbers(told), paperNumbers(said)];
  if (one.receiptNumber !== other.receiptNumber) return false;
  const [day, otherDay] = [one.zReportNumber, other.zReportNumber];
  return day === null || otherDay === null || day === otherDay;
}

/**
 * The number on a paper, as a regular expression: digits, above zero, and where numbers begin anew
 * with each Z report that of the report before it. Anything else would stand in the books as the
 * number of a receipt that no printer lets anybody reverse.
 */
export const PAPER_NUMBER = patternOf(
  "^\\s*([0-9]+-)?0*[1-9][0-9]*\\s*$",
  "the number on the paper, in digits",
);

/**
 * What the number on a paper says of the receipt. On some devices numbers begin anew with each Z
 * report, and stand behind its number: `0012-0034`.
 */
export function paperNumbers(number: string): {
  readonly receiptNumber: string;
  readonly zReportNumber: string | null;
} {
  const [, z, own] = /^\s*(\d+)-(\d+)\s*$/.exec(number) ?? [];
  if (z === undefined || own === undefined) {
    return { receiptNumber: withoutZeros(number), zReportNumber: null };
  }
  return { receiptNumber: withoutZeros(own), zReportNumber: withoutZeros(z) };
}

const DAY_DIGITS = 4;
/** Stands in the id of a document whose number names it only together with its day, and in no other. */
export const DAY_MARK = "-";

/** What a document is called whose number begins anew with each Z report: see `paperNumbers`. */
export function numberOfDay(zReportNumber: number, receiptNumber: number): string {
  return [zReportNumber, receiptNumber]
    .map((part) => String(part).padStart(DAY_DIGITS, "0"))
    .join(DAY_MARK);
}

/** People leave out the zeros that a device pads its numbers with. */
export function withoutZeros(number: string): string {
  return number.trim().replaceAll(/(?<!\d)0+(?=\d)/g, "");
}

/** Digits to which a device or a paper pads a number at most. */
const PADDED_DIGITS_MAX = 10;
const HAS_PAPER_FORM = new RegExp(PAPER_NUMBER);

/**
 * The number of a document in each way that it may be written: devices and papers pad it with zeros, and
 * people leave them out. What has not the form of a number on a paper is written in one way.
 */
export function writingsOf(number: string): readonly string[] {
  if (!HAS_PAPER_FORM.test(number)) return [number];
  const short = withoutZeros(number);
  const padded = Array.from({ length: PADDED_DIGITS_MAX }, (_, at) =>
    short.replaceAll(/\d+/g, (digits) => digits.padStart(at + 1, "0")),
  );
  return [...new Set([number, ...padded])];
}
