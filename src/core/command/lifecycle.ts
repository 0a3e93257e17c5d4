/**
 * The states of a command.
 *
 *   pending ----taken---> sent --acknowledged--> processing --finished--> completed | failed
 *      ^                   |                        |      (also straight from sent)
 *      +---- put back -----+------------------------+  (without a mark: its printer must tell first)
 *      |                   |
 *      +----- expired -----+--> timeout
 *      +----- cancelled -------> failed (E903)
 *   any of these three --device deleted--> failed (E903)
 *
 * `completed`, `failed` and `timeout` accept nothing. The store repeats each guard in its UPDATE, so
 * that of two writers exactly one wins. Two steps are guarded there alone, because nothing is decided
 * by them: a command is taken (`markSent`), and acknowledged by its first mark (`setMark`).
 */

import type { FiscalErrorCode } from "../errors.ts";
import { tellsOutcome } from "./catalogue.ts";
import { type Command, type CommandResult, type CommandStatus, isFinal } from "./command.ts";

export type LifecycleInput =
  /** Before it changed anything: its device must first tell something else. */
  | { readonly kind: "put_back" }
  /** The controller has begun to talk to the device. */
  | { readonly kind: "acknowledged" }
  /** The controller reported the result. */
  | { readonly kind: "finished"; readonly result: CommandResult }
  /** A deadline passed before the command began. @property reason why its device is out of reach */
  | { readonly kind: "expired"; readonly reason?: string | undefined }
  /** Somebody took it back. */
  | { readonly kind: "cancelled" }
  /** Its device was deleted. */
  | { readonly kind: "device_deleted" };

/** The change to make, or why there is none. */
export type Transition =
  | { readonly to: CommandStatus; readonly result?: CommandResult }
  | { readonly refused: string };

/** What an input does to a command. */
export function next(command: Command, input: LifecycleInput): Transition {
  const { status } = command;
  if (isFinal(status)) return { refused: `the command is already ${status}` };
  switch (input.kind) {
    case "put_back":
      if (status !== "pending" && command.mark === null) return { to: "pending" };
      return { refused: `the command is ${status}` };
    case "acknowledged":
      return status === "sent" ? { to: "processing" } : { refused: `the command is ${status}` };
    case "finished":
      // A pending command can be refused before it leaves, by whoever would have sent it.
      if (input.result.success && status === "pending") {
        return { refused: "a pending command has not run" };
      }
      return { to: input.result.success ? "completed" : "failed", result: input.result };
    case "expired":
      // A command in processing has an end of its own; see the limits of drivers and resolution.
      if (status === "processing") return { refused: "the command is processing" };
      return {
        to: "timeout",
        result: failure(command, "E500", command.mark === null ? inTime(input.reason) : UNTOLD),
      };
    case "cancelled":
      if (status !== "pending") return { refused: `the command is ${status}` };
      return { to: "failed", result: failure(command, "E903", "Cancelled before it was sent") };
    case "device_deleted":
      return { to: "failed", result: failure(command, "E903", "The device was deleted") };
    default:
      return input satisfies never;
  }
}

/** Of a controller without marks: it may have printed the document without a word. */
const UNTOLD = "The controller got the command and did not say in time what became of it";

function inTime(reason: string | undefined): string {
  const late = "The command did not begin in time";
  return reason === undefined ? late : `${late}: ${reason}`;
}

/**
 * The result of a command that did nothing, or of which nobody can tell any more. Without a stored
 * mark the device was not changed; with one, only the device could tell.
 */
export function failure(
  command: Pick<Command, "type" | "mark">,
  code: FiscalErrorCode,
  message: string,
): CommandResult {
  const outcome = command.mark === null ? "not_printed" : "unknown";
  return {
    success: false,
    errorCode: code,
    errorMessage: message,
    ...(tellsOutcome(command.type) ? { data: { outcome } } : {}),
  };
}
