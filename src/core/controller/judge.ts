/**
 * What a controller's report of a command may do. Reports are judged, not believed: one that does
 * not fit what is stored never becomes the convenient answer, but the one that makes a person look.
 * Pure; the queue carries the verdict out.
 */

import { effectOf, tellsOutcome } from "../command/catalogue.ts";
import {
  type Command,
  type CommandResult,
  contradictsItself,
  isFinal,
} from "../command/command.ts";
import { advances, type Baseline, type Mark } from "../command/marks.ts";
import {
  type Answer,
  answerOf,
  isOnPaper,
  isSettled,
  mayHavePrinted,
  outcomeOf,
} from "../command/settled.ts";
import type { ControllerKey } from "./controller.ts";

/** What is said, of which hand-over. Without `epoch` the current one is meant. */
export type Report = { readonly commandId: string; readonly epoch?: number | undefined } & (
  | { readonly kind: "ack" }
  /** Asks to go on from there. */
  | { readonly kind: "mark"; readonly mark: Mark; readonly baseline: Baseline | undefined }
  /** Asks nothing: what was seen of a document in doubt, for whoever is asked next. */
  | { readonly kind: "learned"; readonly baseline: Baseline }
  | { readonly kind: "result"; readonly result: CommandResult }
);

/** Who serves a device, and says it. */
export interface Reporter extends ControllerKey {
  /** False for an older app, which tells no marks. */
  readonly reportsMarks: boolean;
}

/** A question about a command that a person settled: who has it, in which hand-over. */
export interface Asked {
  readonly controllerId: string | null;
  readonly epoch: number;
}

/** Why a report changes nothing. Each ends the controller's duty to keep what it reported. */
export type RefusalCode =
  /** The command was not handed to this controller. */
  | "NOT_YOURS"
  /** It was handed over anew since. */
  | "STALE"
  /** It has ended. */
  | "FINAL";

/** What became of a report from a controller: it is stored, or why not. */
export type ReportOutcome = "STORED" | RefusalCode;

export type Verdict =
  | { readonly kind: "apply"; readonly report: Report; readonly audit?: string }
  /** Nothing to do: it is stored already. */
  | { readonly kind: "known" }
  /** What the device tells of a command that a person settled. */
  | {
      readonly kind: "answer";
      readonly answer: Answer;
      readonly result: CommandResult;
      /** Told as a success of a running command has to be: what it names is this document's own. */
      readonly isProven: boolean;
    }
  /** Something that was seen while the device is asked, for the next attempt. */
  | { readonly kind: "learn"; readonly baseline: Baseline }
  /** Nothing may begin any more: the command has run out of time. */
  | { readonly kind: "expire" }
  | {
      readonly kind: "refuse";
      readonly code: RefusalCode;
      /** Why, in a few words, for the audit log; absent where it is nothing to look at. */
      readonly audit?: string;
      /**
       * The result is news: the command ended without it, or it reports a document, a Z report or a cash
       * movement as printed, or as what may have been though it was called not printed.
       */
      readonly late?: LateTold;
    };

/** A result that came too late to change its command. */
export interface LateTold {
  readonly result: CommandResult;
  /** Told as a success of a running command has to be: what it names is this document's own. */
  readonly isProven: boolean;
}

/** What a report may do to a command. @param command undefined when there is none with that id */
export function judge(command: Command | undefined, said: Report, from: Circumstances): Verdict {
  const report = printedAfterAll(command, said);
  const verdict = judgeTold(command, report, from);
  if (report === said || verdict.kind !== "apply") return verdict;
  return { audit: "failure of what was printed", ...verdict };
}

/** What else counts for a verdict. */
interface Circumstances {
  readonly reporter: Reporter;
  /** The time in which the command may begin is over. */
  readonly isOver: boolean;
  /** Its printer is still asked about it. */
  readonly asked?: Asked | undefined;
}

/**
 * What was printed and then failed at something else counts like any other that was printed: nobody may
 * print it anew, and it stands in the books. So its failure is taken as a success.
 */
function printedAfterAll(command: Command | undefined, report: Report): Report {
  if (command === undefined || !tellsOutcome(command.type) || report.kind !== "result") {
    return report;
  }
  const { success, data, fiscalId } = report.result;
  if (success || data?.outcome !== "printed") return report;
  const number = fiscalId === undefined ? {} : { fiscalId };
  return { ...report, result: { success: true, data, ...number } };
}

function judgeTold(command: Command | undefined, report: Report, from: Circumstances): Verdict {
  const { reporter, isOver, asked } = from;
  const { controllerId, epoch } = asked ?? command ?? NOBODYS;
  const isHis =
    command !== undefined &&
    controllerId === reporter.controllerId &&
    (reporter.orgId === null || command.orgId === reporter.orgId);
  if (command === undefined || !isHis) {
    return command !== undefined && isOfOther(command, report, epoch) && hasHad(command, reporter)
      ? stale(command, report, reporter)
      : { kind: "refuse", code: "NOT_YOURS", audit: "not his" };
  }
  if (report.epoch !== undefined && report.epoch !== epoch) return stale(command, report, reporter);
  if (asked && command.result) return ofAsked(command, command.result, { report, reporter });
  if (isFinal(command.status)) return ofFinal(command, report, reporter);
  if (command.status === "sent" && report.kind !== "result" && isOver) {
    return { kind: "expire" };
  }
  return report.kind === "result" ? ofResult(command, report, reporter) : { kind: "apply", report };
}

/**
 * True for a report of another hand-over than the current one: an older one, or, where it is not known
 * who had the command, any that is not stored, as those of a run behind the copy that was put back.
 */
function isOfOther({ formerControllers }: Command, report: Report, epoch: number): boolean {
  if (formerControllers !== null) return (report.epoch ?? epoch) < epoch;
  return report.epoch === undefined ? epoch === 0 : report.epoch !== epoch;
}

/**
 * True for whoever the command, or a question about it, was handed to: nobody else knows of it. Where it
 * is not known who that was, it may be anybody of the shop: what was printed has to be heard.
 */
function hasHad({ orgId, controllerId, formerControllers }: Command, reporter: Reporter): boolean {
  if (reporter.orgId !== null && orgId !== reporter.orgId) return false;
  if (formerControllers === null) return true;
  return [controllerId, ...formerControllers].includes(reporter.controllerId);
}

const NOBODYS: Asked = { controllerId: null, epoch: 0 };

function stale(command: Command, report: Report, reporter: Reporter): Verdict {
  return {
    kind: "refuse",
    code: "STALE",
    audit: "of an older hand-over",
    ...printedLate(command, report, reporter),
  };
}

/** Of a command that a person settled, and of which the device is asked. Nothing goes on with it. */
function ofAsked(
  command: Command,
  settled: CommandResult,
  { report, reporter }: { readonly report: Report; readonly reporter: Reporter },
): Verdict {
  switch (report.kind) {
    case "ack":
      return { kind: "known" };
    case "mark":
      return isLearnedOfOlder(report)
        ? { kind: "learn", baseline: report.baseline }
        : { kind: "refuse", code: "FINAL" };
    case "learned":
      return { kind: "learn", baseline: report.baseline };
    case "result": {
      const { result } = report;
      const isProven = isProof(command, result, reporter);
      return { kind: "answer", answer: answerOf(settled, result), result, isProven };
    }
    default:
      return report satisfies never;
  }
}

type MarkReport = Extract<Report, { readonly kind: "mark" }>;

/**
 * Older controllers do not say that they ask nothing. What they learn of a document in doubt is that
 * the device holds its payment, and nobody asks then whether he may pay.
 */
function isLearnedOfOlder(
  report: MarkReport,
): report is MarkReport & { readonly baseline: Baseline } {
  return report.mark === "committing" && report.baseline?.paid === true;
}

/** Of a command that has ended. */
function ofFinal(command: Command, report: Report, reporter: Reporter): Verdict {
  if (report.kind !== "result") return { kind: "refuse", code: "FINAL" };
  const { result: late } = report;
  // Said again, it is what was made of it.
  const taken = takenOf(ofResult(command, report, reporter)) ?? late;
  if (command.result !== null && isSameEnd(command.result, { late, taken })) {
    return { kind: "known" };
  }
  if (isSettled(command.result) && answerOf(command.result, late) !== "contradicts") {
    return { kind: "known" };
  }
  if (endedUnasked(command)) {
    return { kind: "refuse", code: "FINAL", late: lateOf(command, late, reporter) };
  }
  return {
    kind: "refuse",
    code: "FINAL",
    audit: "contradicts its result",
    ...lateIf(command, report, { taken, reporter }),
  };
}

/** Who has lost a command, and cannot tell what became of it, says nothing against who can. */
function printedLate(command: Command, report: Report, reporter: Reporter): { late?: LateTold } {
  const isLate = report.kind === "result" && tellsOutcome(command.type) && report.result.success;
  return isLate ? { late: lateOf(command, report.result, reporter) } : {};
}

function lateOf(command: Command, result: CommandResult, reporter: Reporter): LateTold {
  return { result, isProven: isProof(command, result, reporter) };
}

/** @param taken what is made of the report, for a failure that does not say what it is */
function lateIf(
  command: Command,
  report: Extract<Report, { kind: "result" }>,
  { taken, reporter }: { readonly taken: CommandResult; readonly reporter: Reporter },
): { late?: LateTold } {
  const late = outcomeOf(report.result) === undefined ? taken : report.result;
  const isDoubted = tellsOutcome(command.type) && mayHavePrinted(command.result, late);
  if (isDoubted) return { late: { result: late, isProven: false } };
  return printedLate(command, report, reporter);
}

function takenOf(verdict: Verdict): CommandResult | undefined {
  const isTaken = verdict.kind === "apply" && verdict.report.kind === "result";
  return isTaken ? verdict.report.result : undefined;
}

/** Of a command that runs. */
function ofResult(
  command: Command,
  report: Extract<Report, { kind: "result" }>,
  { reportsMarks }: Reporter,
): Verdict {
  const { result } = report;
  if (!tellsOutcome(command.type)) return { kind: "apply", report };
  if (contradictsItself(result)) return doubted(report, "success with another outcome");
  if (result.success) {
    if (!reportsMarks) return { kind: "apply", report, audit: "success without marks" };
    if (isTaken(command, result) || effectOf(command.type) !== "document") {
      return { kind: "apply", report };
    }
    return doubted(report, "success without committing");
  }
  const outcome = result.data?.outcome;
  if (outcome === "not_printed" && reached(command, "committed")) {
    return doubted(report, "not printed after committed");
  }
  if (outcome === "unknown") return { kind: "apply", report: asUnknown(report) };
  if (outcome !== undefined) return { kind: "apply", report };
  const mustTell = !reportsMarks || reached(command, "committing");
  return mustTell ? doubted(report, "failure without outcome") : untouched(report);
}

/** True for a success that marks lead up to: what it names is this document's own. */
function isProof(command: Command, result: CommandResult, { reportsMarks }: Reporter): boolean {
  return reportsMarks && outcomeOf(result) === "printed" && isTaken(command, result);
}

/** True where a document that is told as printed may have been, by what was told of it before. */
function isTaken(command: Command, { data }: CommandResult): boolean {
  // What has no mark was dispatched, and nobody was asked to find out about it.
  const isReadBack = data?.recovered === true && command.mark !== null;
  return reached(command, "committing") || isReadBack;
}

/** Until `committing` is on disk nothing was paid, so nothing was printed: no need to be told. */
function untouched(report: Extract<Report, { kind: "result" }>): Verdict {
  const { result } = report;
  const data = { ...result.data, outcome: "not_printed" };
  return { kind: "apply", report: { ...report, result: { ...result, data } } };
}

/** Of a document of which nobody knows what became of it. */
const UNKNOWN_CODE = "E102";
const UNFIT = "The controller's report does not fit what it reported before";

/** Nobody knows, whatever was said. */
function doubted(report: Extract<Report, { kind: "result" }>, audit: string): Verdict {
  return { kind: "apply", report: asUnknown(report), audit };
}

/** The report of what nobody knows, said or inferred: its own code says nothing of the document. */
function asUnknown(report: Extract<Report, { kind: "result" }>): Report {
  const { errorCode = UNKNOWN_CODE, errorMessage: message = UNFIT, data } = report.result;
  // What the device said of itself is no cure for that.
  const told = errorCode === UNKNOWN_CODE ? {} : { deviceError: { code: errorCode, message } };
  const result: CommandResult = {
    success: false,
    errorCode: UNKNOWN_CODE,
    errorMessage: message,
    data: { ...told, ...data, outcome: "unknown" },
  };
  return { ...report, result };
}

function reached({ mark }: Command, wanted: Mark): boolean {
  return mark !== null && (mark === wanted || advances(wanted, mark));
}

/**
 * True for the end that is stored. What was made of a failure is that failure said again; a success that
 * was not believed stays news. Older versions stored a code as it was told.
 */
function isSameEnd(
  stored: CommandResult,
  { late, taken }: { readonly late: CommandResult; readonly taken: CommandResult },
): boolean {
  return (
    stored.success === late.success &&
    outcomeOf(stored) === outcomeOf(taken) &&
    isSameId(stored, late.fiscalId) &&
    (stored.errorCode === taken.errorCode || stored.errorCode === late.errorCode)
  );
}

/** Older versions kept a receipt without an id of which the number on its paper alone was told. */
function isSameId(stored: CommandResult, id: string | undefined): boolean {
  if (stored.fiscalId === id) return true;
  return stored.fiscalId === undefined && id !== undefined && isOnPaper(stored, id);
}

/** True for a command of which the device was not asked how it ended: a result is news then. */
function endedUnasked({ status, result }: Command): boolean {
  return status === "timeout" || result?.errorCode === "E903" || isSettled(result);
}
