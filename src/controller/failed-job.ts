/** What a command comes to that its driver did not carry out, or could not resolve. Pure. */

import { effectOf } from "#core/command/catalogue.ts";
import type { CommandResult } from "#core/command/command.ts";
import {
  DocumentInDoubt,
  FiscalError,
  isLineFault,
  isPauseFault,
  MustStayOpen,
} from "#core/errors.ts";
import type { Job } from "./job.ts";
import { MarkRefused } from "./progress.ts";
import { failureResult } from "./results.ts";

export type Failure =
  /** Nothing is left of it on the device, and nobody waits for a result. */
  | { readonly kind: "nothing" }
  /** Nothing was changed yet: it is done on the next line, if that comes in time. */
  | { readonly kind: "again" }
  /** The device has to be asked what became of it. */
  | { readonly kind: "doubt" }
  | { readonly kind: "ended"; readonly result: CommandResult };

/** @param error what the driver threw */
export function failureOf(job: Job, error: unknown): Failure {
  const { command, mark } = job;
  // A driver stops at a refused mark and leaves nothing on the device; where it cannot, it is in doubt.
  if (error instanceof MarkRefused) return ofRefusedMark(job, error);
  const effect = effectOf(command.type);
  const isGuarded = effect === "document" || effect === "ledger";
  if (error instanceof DocumentInDoubt) return { kind: "doubt" };
  if (isDefect(error) && isGuarded && mark !== undefined) return { kind: "doubt" };
  if (!isLineFault(error)) return endedAs(job, error);
  if (mark === undefined) return { kind: "again" };
  return {
    kind: "ended",
    result: failureResult(command, error, isGuarded ? "not_printed" : "unknown"),
  };
}

/** What an attempt to find out what became of a command comes to that told nothing. */
export type Unresolved =
  /** It will not end by itself, and only a person may end it. */
  | { readonly kind: "given_up"; readonly result: CommandResult }
  /** A person has to see to the printer first, which may let no line stand until then. */
  | { readonly kind: "waits"; readonly reason: "paper_out" | "cover_open" }
  /** It is asked soon, or on the next line where this one is not to be trusted any more. */
  | { readonly kind: "again" };

/** @param error what the driver threw */
export function unresolvedOf({ command }: Job, error: unknown): Unresolved {
  if (error instanceof MustStayOpen) {
    return { kind: "given_up", result: failureResult(command, error, "unknown") };
  }
  if (!(error instanceof FiscalError) || !isPauseFault(error)) return { kind: "again" };
  return { kind: "waits", reason: error.code === "E306" ? "paper_out" : "cover_open" };
}

/** True for what no driver should throw. */
export function isDefect(error: unknown): boolean {
  const isMeant = error instanceof FiscalError || error instanceof DocumentInDoubt;
  return !isMeant && !(error instanceof MarkRefused);
}

function ofRefusedMark(job: Job, { message, isOpen }: MarkRefused): Failure {
  // It is asked what became of it. The driver knows: a device that tells little would not.
  if (job.settled) return endedAs(job, new FiscalError("E903", "A person said what became of it"));
  return isOpen ? endedAs(job, new FiscalError("E901", message)) : { kind: "nothing" };
}

function endedAs({ command }: Job, error: unknown): Failure {
  return { kind: "ended", result: failureResult(command, error, "not_printed") };
}
