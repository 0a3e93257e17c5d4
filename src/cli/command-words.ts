/** A command's progress and end in words, and what a person may do about it. */

import { Type } from "@sinclair/typebox";
import type { CashPayload } from "#core/command/cash-movement.ts";
import { type CommandType, isFiscalDocument, tellsOutcome } from "#core/command/catalogue.ts";
import { type Command, isFinal } from "#core/command/command.ts";
import type { Mark } from "#core/command/marks.ts";
import { type PrintReceiptPayload, toSaleDocument } from "#core/command/types/print-receipt.ts";
import {
  type PrintReversalReceiptPayload,
  toStornoDocument,
} from "#core/command/types/print-reversal-receipt.ts";
import { FISCAL_ERRORS } from "#core/errors.ts";
import { SETTLE_SILENCE_MS } from "#core/limits.ts";
import { formatMinor, toMinor } from "#core/money.ts";
import { documentTotalMinor } from "#core/receipt-total.ts";
import { schemaCheckOf } from "#core/schema-check.ts";
import type { AuditEntry } from "#db/stores/audit.ts";
import type { OutcomeHold } from "#db/stores/outcome-holds.ts";

/** What the audit log keeps of a late result. */
const ToldLater = schemaCheckOf(
  Type.Object({
    result: Type.Object({
      success: Type.Boolean(),
      fiscalId: Type.Optional(Type.String()),
      data: Type.Optional(Type.Object({ outcome: Type.Optional(Type.Unknown()) })),
    }),
  }),
);

/** A person tells papers apart by the first few. */
const ITEMS_SHOWN = 6;

/** What is on disk of a command's progress, for who looks at the paper. */
const MARK_WORDS: Readonly<Record<Mark, string>> = {
  baseline: "the printer was read; nothing was begun on it",
  opened: "the document was open on the printer; nothing was paid",
  committing: "payment was about to be sent, so the printer may have finished it",
  committed: "the printer said that it is finished",
};

/** The same of a command without a payment, before the frame that does it. */
const COMMITTING_WORDS: Readonly<Partial<Record<CommandType, string>>> = {
  cash_in: "the amount was about to be sent, so the printer may have booked it",
  cash_out: "the amount was about to be sent, so the printer may have booked it",
  z_report: "the report was about to be asked for, so the printer may have made it",
};

const STANDS_OPEN =
  "It stands open on the printer, which can only finish it. Look at the paper, then say what it shows: called printed, it is finished and counts; called not printed, the next receipt is refused (E301) and you are asked again. Until then nothing else is printed on it.";

/**
 * How far it got; undefined for one that got to its end. What is stored may be behind the printer: after
 * a restore, and where a person has said that it was printed.
 */
export function progressWords(
  command: Command,
  { hold, isRestored }: { readonly hold: OutcomeHold | undefined; readonly isRestored: boolean },
): string | undefined {
  const { status, sentAt } = command;
  if (status === "completed") return undefined;
  const words = storedProgress(command);
  if (sentAt === null || !(isRestored || hold?.outcome === "printed")) return words;
  return `${words}, as far as is stored here; the printer may have gone on`;
}

function storedProgress({ type, mark, sentAt, status }: Command): string {
  if (mark === "committing") return COMMITTING_WORDS[type] ?? MARK_WORDS.committing;
  if (mark !== null) return MARK_WORDS[mark];
  if (sentAt !== null) return "handed over; nothing was changed on the printer";
  return isFinal(status)
    ? "its turn never came; nothing was sent"
    : "it waits for its turn; nothing was sent";
}

/** What the printer told of it later, against what was known; undefined where it told nothing. */
export function toldLater(details: AuditEntry["details"]): string | undefined {
  if (!ToldLater.accepts(details)) return undefined;
  const { success, fiscalId, data } = details.result;
  if (success || data?.outcome === "printed") {
    return fiscalId === undefined ? "it was printed" : `it was printed as number ${fiscalId}`;
  }
  return data?.outcome === "unknown" ? "it cannot tell" : "it was not printed";
}

/**
 * True for what a person may say something of, though it is under way still: the printer may have been
 * silent for long enough, which only the gateway knows.
 * @param now UTC milliseconds
 */
export function isLongInDoubt({ type, status, mark, processingAt }: Command, now: number): boolean {
  if (status !== "processing" || mark === null || !tellsOutcome(type)) return false;
  return processingAt !== null && now - processingAt >= SETTLE_SILENCE_MS;
}

/** True where the paper has a number that a person may tell: receipts and Z reports have one. */
export function isNumbered(type: CommandType): boolean {
  return isFiscalDocument(type) || type === "z_report";
}

/** The fault of its end; undefined when there is none. */
export function errorWords({ result }: Command): string | undefined {
  const { errorCode, errorMessage } = result ?? {};
  if (errorCode === undefined) return undefined;
  const { name } = FISCAL_ERRORS[errorCode];
  return `${errorCode} ${name}${errorMessage === undefined ? "" : `: ${errorMessage}`}`;
}

/** What became of a document or an entry; undefined for other commands, and before their end. */
export function outcomeWords(command: Command, hold: OutcomeHold | undefined): string | undefined {
  const { type, status, result } = command;
  if (!tellsOutcome(type) || !isFinal(status)) return undefined;
  if (hold !== undefined && hold.resolvedAt === null) return "unknown: a person has to say";
  if (hold?.outcome === "printed") return "printed, as a person said";
  if (hold?.outcome === "not_printed") return "not printed, as a person said";
  if (status === "completed") {
    return result?.data?.recovered === true ? "printed, as the printer showed later" : "printed";
  }
  return isNotPrinted(command, hold) ? "not printed" : "unknown";
}

/** What a person said counts, whatever the result told before. */
function isNotPrinted({ result }: Command, hold: OutcomeHold | undefined): boolean {
  return (hold?.outcome ?? result?.data?.outcome) === "not_printed";
}

/** The status; for a document that is in doubt, or was settled by a person, what became of it. */
export function statusWords(
  { status, result }: Pick<Command, "status" | "result">,
  hold: OutcomeHold | undefined,
): string {
  if (status === "completed") return status;
  if (hold?.outcome === "printed") return "printed";
  if (hold?.outcome === "not_printed") return "not printed";
  return hold !== undefined || result?.data?.outcome === "unknown" ? "unknown" : status;
}

/** What is to be done, in a sentence or two; undefined when nothing is. */
export function adviceWords(
  command: Command,
  {
    hold,
    standsOpen,
    now,
  }: {
    readonly hold: OutcomeHold | undefined;
    /** The printer shows that the document is still open, though it was called not printed. */
    readonly standsOpen: boolean;
    /** UTC milliseconds. */
    readonly now: number;
  },
): string | undefined {
  const { status, type } = command;
  if (hold !== undefined && hold.resolvedAt === null) {
    if (standsOpen) return STANDS_OPEN;
    return "Look at the paper of the printer, then say what it shows. Until then nothing else is printed on it.";
  }
  switch (status) {
    case "pending":
      return "It begins when what is before it has ended and the printer can be reached: fiscald status shows both.";
    case "sent":
    case "processing": {
      const asked =
        "It is under way. Where the printer was out of reach meanwhile, it is asked what became of it before anything else.";
      return isLongInDoubt(command, now)
        ? `${asked} If the printer stays silent, look at its paper and say what it shows:`
        : asked;
    }
    case "completed":
      return undefined;
    case "failed":
    case "timeout":
      if (hold?.outcome === "printed") {
        return "It is on paper, and counts: the till must not send it again.";
      }
      return tellsOutcome(type) && isNotPrinted(command, hold)
        ? "Mend the cause; then the till may send it again, with a new Idempotency-Key."
        : undefined;
    default:
      return status satisfies never;
  }
}

/** What a list says of a document or a cash movement: its sum and its sale number, or null. */
export function listedDocument(command: Command): {
  readonly sum: string | null;
  readonly saleNumber: string | null;
} {
  const document = documentOf(command.type, command.payload);
  if (document === undefined) {
    const cash = cashOf(command);
    return { sum: cash ? formatMinor(toMinor(cash.amount) ?? 0) : null, saleNumber: null };
  }
  return { sum: formatMinor(totalOf(document)), saleNumber: document.uniqueSaleNumber ?? null };
}

/** The number on the paper, else the code of the fault; null while there is neither. */
export function listedResult(
  { result }: Command,
  hold: Pick<OutcomeHold, "fiscalId"> | undefined,
): string | null {
  const number = hold?.fiscalId ?? result?.fiscalId;
  return number === undefined || number === null ? (result?.errorCode ?? null) : `no. ${number}`;
}

/** What was sold, for who has two papers of one sum; undefined where nothing was. */
export function itemWords({ type, payload }: Command): string | undefined {
  const items = documentOf(type, payload)?.items ?? [];
  if (items.length === 0) return undefined;
  const shown = items.slice(0, ITEMS_SHOWN).map(({ name }) => name);
  const more = items.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

type ShownDocument = NonNullable<ReturnType<typeof documentOf>>;

function totalOf(document: ShownDocument): number {
  return documentTotalMinor(document.items, document.kind === "sale" ? document.modifiers : []);
}

/** What cash was moved, and for what; undefined for other commands. */
export function cashWords(command: Command, currency: string | undefined): string | undefined {
  const cash = cashOf(command);
  if (cash === undefined) return undefined;
  const { amount, description = "" } = cash;
  const sum = amountWords(formatMinor(toMinor(amount) ?? 0), currency);
  return description === "" ? sum : `${sum}, ${description}`;
}

/** The payload was checked when the command was accepted. */
function cashOf({ type, payload }: Command): CashPayload | undefined {
  return type === "cash_in" || type === "cash_out" ? (payload as CashPayload) : undefined;
}

function amountWords(sum: string, currency: string | undefined): string {
  return currency === undefined ? sum : `${sum} ${currency}`;
}

/** What was to be printed, to be compared with the paper; undefined for other commands. */
export function documentWords(
  { type, payload }: Command,
  currency: string | undefined,
): string | undefined {
  const document = documentOf(type, payload);
  if (document === undefined) return undefined;
  const total = formatMinor(totalOf(document));
  const lines = document.items.length === 1 ? "1 line" : `${document.items.length} lines`;
  const paid = document.payments.map(
    ({ method, amountMinor }) => `${method} ${formatMinor(amountMinor)}`,
  );
  return [lines, amountWords(total, currency), ...paid].join(", ");
}

/** The payload was checked when the command was accepted. */
function documentOf(type: Command["type"], payload: unknown) {
  if (type === "print_receipt") return toSaleDocument(payload as PrintReceiptPayload);
  if (type === "print_reversal_receipt") {
    // The zone decides on the time of the original alone, which is not shown.
    return toStornoDocument(payload as PrintReversalReceiptPayload, "UTC");
  }
  return undefined;
}
