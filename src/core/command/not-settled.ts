/** Why a person cannot say yet what became of a command that has not ended. */

import { SETTLE_SILENCE_MS } from "../limits.ts";
import { tellsOutcome } from "./catalogue.ts";
import type { Command } from "./command.ts";

/**
 * One or two sentences, without the full stop, for who wanted to settle the command.
 * @param timeText how an instant in UTC milliseconds is written for the reader
 */
export function notSettledWords(
  { type, status, mark, expiresAt }: Pick<Command, "type" | "status" | "mark" | "expiresAt">,
  timeText: (instant: number) => string,
): string {
  if (!tellsOutcome(type))
    return `A ${type} leaves nothing of which a person has to say what became`;
  if (status === "sent" && mark !== null) {
    return (
      "There is nothing to settle yet: its controller has the command and has not said anything. " +
      `If it says nothing more, the command ends at ${timeText(expiresAt)}, and a person is asked`
    );
  }
  if (status === "pending" || status === "sent") {
    return (
      "There is nothing to settle: the device has not begun it. If it does not begin it, the " +
      `command ends by itself at ${timeText(expiresAt)}, as not printed`
    );
  }
  if (mark === null) {
    return (
      "There is nothing to settle: nothing was changed on the device yet. If its answer stays " +
      "out, the command ends by itself, as not printed"
    );
  }
  const seconds = SETTLE_SILENCE_MS / 1_000;
  return (
    "The outcome is not open for a person yet: the device may still tell. A person may say it " +
    `once the device was silent for ${seconds} s`
  );
}

/**
 * Why a document is not settled again, and what puts the books right where the first word was wrong.
 * @param said the word that came now
 */
export function settledBeforeWords(
  outcome: "printed" | "not_printed",
  said: "printed" | "not_printed",
): string {
  if (said === outcome) return `It is settled so already, as ${outcome}: nothing is left to say`;
  const cure =
    outcome === "not_printed"
      ? "it is missing among the receipts: store it with POST /receipts"
      : "sell it again; the day then differs by it from the printer's";
  return `It was settled before, as ${outcome}, and stays so. If that was wrong, ${cure}`;
}
