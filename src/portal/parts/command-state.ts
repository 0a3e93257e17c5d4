/** How a command stands, for people: a word, and where it failed a sentence that says what to do. */

import type { components } from "../../client/index.ts";
import type { Word } from "../words/words.tsx";
import { centsOfDocument, type Document } from "./cents.ts";
import { isPaper } from "./command-kinds.ts";
import { failedWord, isBooked } from "./outcome-words.ts";
import type { Mood } from "./state-mark.tsx";

/** A command as the API shows it. */
export type Command = components["schemas"]["Command"];
type Failed = components["schemas"]["FailedCommandData"];
/** A code of drivers: `E102`. */
export type ErrorCode = NonNullable<NonNullable<Command["result"]>["errorCode"]>;

/** Faults of which the printer's own words, or the code, tell more. */
const UNTOLD: readonly (Word | undefined)[] = [
  ...(["fault.refused", "fault.other", "fault.wrongHere", "fault.letters"] as const),
];

/** True where people need what the printer itself has said. */
export function needsItsWords(command: Command): boolean {
  return UNTOLD.includes(faultOf(command));
}

/** True until it has ended. */
export function isUnderWay({ status }: Pick<Command, "status">): boolean {
  return status === "pending" || status === "sent" || status === "processing";
}

/** True while a person is asked what became of it. */
export function isDoubtful({ resolution }: Pick<Command, "resolution">): boolean {
  return resolution !== undefined && resolution.outcome === null;
}

/** What became of a document: the person's word goes before the printer's. */
export function outcomeOf(command: Command): "printed" | "not_printed" | "unknown" | undefined {
  const { resolution, status, result } = command;
  if (resolution !== undefined) return resolution.outcome ?? "unknown";
  if (status === "completed") return "printed";
  // What has not completed has such data.
  return (result?.data as Failed | undefined)?.outcome;
}

/** Why its printer could not tell, where it was asked; undefined where that is not known by a code. */
export function doubtOf(result: Command["result"]): Failed["doubt"] {
  // What has not completed has such data.
  return result === null || result.success ? undefined : (result.data as Failed | undefined)?.doubt;
}

/** Its state in a word. */
export function commandState(command: Command): { readonly mood: Mood; readonly word: Word } {
  const { type, status, result, resolution } = command;
  if (isDoubtful(command)) return { mood: "bad", word: "state.outcome_unknown" };
  if (resolution?.outcome === "printed") return { mood: "good", word: "commands.printed" };
  if (resolution?.outcome === "not_printed") return { mood: "idle", word: "commands.notPrinted" };
  switch (status) {
    case "pending":
      return { mood: "idle", word: "commands.waits" };
    case "sent":
    case "processing":
      return { mood: "work", word: "commands.working" };
    case "completed":
      return { mood: "good", word: isPaper(type) ? "commands.printed" : "commands.done" };
    default:
      return result?.errorCode === "E903"
        ? { mood: "idle", word: "commands.cancelled" }
        : { mood: "bad", word: "commands.failed" };
  }
}

/** Codes that mean the same to who stands at the printer. */
const FAULTS = {
  ...{ E100: "fault.unreached", E101: "fault.unreached", E103: "fault.unreached" },
  ...{ E502: "fault.unreached", E102: "fault.lost", E501: "fault.lost", E500: "fault.late" },
  ...{ E200: "fault.stranger", E202: "fault.stranger", E203: "fault.stranger" },
  ...{ E201: "fault.cannot", E300: "fault.memory", E301: "fault.open", E302: "fault.open" },
  ...{ E303: "fault.day", E304: "fault.hardware", E305: "fault.refused", E306: "fault.paper" },
  ...{ E307: "fault.cover", E400: "fault.wrong", E401: "fault.wrong", E402: "fault.wrong" },
  ...{ E403: "fault.wrong", E900: "fault.other", E901: "fault.other", E902: "fault.other" },
  E903: "fault.cancelled",
} as const satisfies Record<ErrorCode, Word>;

/** As the drivers say it, whatever the printer calls it. */
const NO_CASH = /not enough cash/i;
const NO_LETTER = /has no letter for/;

/** What happened and what to do; undefined for what did not fail. */
export function faultOf({
  type,
  result,
  requestedBy,
}: Pick<Command, "type" | "result" | "requestedBy">): Word | undefined {
  const code = result?.errorCode;
  if (result === null || result.success) return undefined;
  if (code === "E305" && NO_CASH.test(result.errorMessage ?? "")) return "fault.cash";
  if (code === "E400" && NO_LETTER.test(result.errorMessage ?? "")) return "fault.letters";
  // Refused by the printer, or by the box because another receipt is the last one by now.
  const isNoCopy = code === "E305" || code === "E400";
  if (isNoCopy && type === "print_duplicate") return "fault.copy";
  const fault = code !== undefined && Object.hasOwn(FAULTS, code) ? FAULTS[code] : "fault.other";
  // A person has asked for it here: no till is to blame.
  return fault === "fault.wrong" && requestedBy !== null ? "fault.wrongHere" : fault;
}

/** What it means for the books. */
export function meaningOf(command: Command): Word | undefined {
  if (!isBooked(command) || isUnderWay(command)) return undefined;
  const outcome = outcomeOf(command);
  if (outcome === "unknown") return "fault.unknown";
  const isToTell = outcome === "not_printed" || command.status !== "completed";
  return outcome === undefined || !isToTell ? undefined : failedWord(command, outcome);
}

/** In currency units and as it stands on paper, where it is about money. */
export function amountOf({ type, payload }: Pick<Command, "type" | "payload">): number | undefined {
  if (typeof payload.amount === "number") return payload.amount;
  if (type !== "print_receipt" && type !== "print_reversal_receipt") return undefined;
  // The gateway has checked it against its type.
  return centsOfDocument(payload as Document) / 100;
}
