/** What it means for the books that a document was printed, or was not: for each kind of document. */

import type { components } from "../../client/index.ts";
import type { Word } from "../words/words.tsx";
import { isNumbered } from "./command-kinds.ts";

type Command = components["schemas"]["Command"];

type Kind = "sale" | "reversal" | "closing" | "cash";

/** The types that leave a document or change the books: what became of them can be in doubt. */
const KINDS: Partial<Record<Command["type"], Kind>> = {
  print_receipt: "sale",
  ...{ print_reversal_receipt: "reversal", void_receipt: "reversal" },
  z_report: "closing",
  ...{ cash_in: "cash", cash_out: "cash" },
};

type Outcome = "printed" | "not_printed";
type Told = Record<Outcome, Word>;

/** Said by the printer, of what has failed. */
const FAILED: Record<Kind, Told> = {
  sale: { not_printed: "fault.notPrinted.sale", printed: "fault.printed.sale" },
  reversal: { not_printed: "fault.notPrinted.reversal", printed: "fault.printed.reversal" },
  closing: { not_printed: "fault.notPrinted.closing", printed: "fault.printed.closing" },
  cash: { not_printed: "fault.notPrinted.cash", printed: "fault.printed.cash" },
};

/** Said by a person, of what was in doubt. */
const SETTLED: Record<Kind, Told> = {
  sale: { not_printed: "doubtful.afterNot.sale", printed: "doubtful.afterPrinted.sale" },
  reversal: {
    ...{ not_printed: "doubtful.afterNot.reversal", printed: "doubtful.afterPrinted.reversal" },
  },
  closing: { not_printed: "doubtful.afterNot.closing", printed: "doubtful.afterPrinted.closing" },
  cash: { not_printed: "doubtful.afterNot.cash", printed: "doubtful.afterPrinted.cash" },
};

/** What follows from saying no, before it is said. */
const NO: Record<Kind, Word> = {
  ...{ sale: "doubtful.noText.sale", reversal: "doubtful.noText.reversal" },
  ...{ closing: "doubtful.noText.closing", cash: "doubtful.noText.cash" },
};

/** @returns undefined for what leaves no document */
function kindOf({ type }: Pick<Command, "type">): Kind | undefined {
  return KINDS[type];
}

/** True for what a person may have to be asked about. */
export function isBooked(command: Pick<Command, "type">): boolean {
  return kindOf(command) !== undefined;
}

/** What it means that a printer failed at it; undefined for what leaves no document. */
export function failedWord(command: Pick<Command, "type">, outcome: Outcome): Word | undefined {
  const kind = kindOf(command);
  return kind && FAILED[kind][outcome];
}

/** What it means that a person has answered so; what nobody is asked about speaks like a sale. */
export function settledWord(command: Pick<Command, "type">, outcome: Outcome): Word {
  return SETTLED[kindOf(command) ?? "sale"][outcome];
}

/** What it would mean to answer that it is not printed. */
export function noWord(command: Pick<Command, "type">): Word {
  return NO[kindOf(command) ?? "sale"];
}

/**
 * What a person may do to the number that was said of a printed receipt: correct it, or tell it where nobody
 * had read it. Undefined of what has none, or was not said to be printed.
 */
export function numberWord({
  type,
  resolution,
}: Pick<Command, "type" | "resolution">): Word | undefined {
  if (!isNumbered(type) || resolution?.outcome !== "printed") return undefined;
  return resolution.fiscalId === null ? "doubtful.addNumber" : "doubtful.correct";
}
