/** What a command comes to that its driver did not carry out. Pure. */

import { effectOf } from "#core/command/catalogue.ts";
import type { CommandResult } from "#core/command/command.ts";
import { DocumentInDoubt, FiscalError, isLineFault } from "#core/errors.ts";
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
