/**
 * What a live route refuses with when its command did not complete, or not in time.
 *
 * A 503 invites a repeat, so it is only answered where a repeat prints and changes nothing twice:
 * what was asked only reads, or certainly did not happen. Everything else is 409 or 422, which
 * nobody may repeat unchanged.
 */

import { effectOf } from "#core/command/catalogue.ts";
import type { Command, CommandResult, Outcome } from "#core/command/command.ts";
import { ApiError } from "#core/errors.ts";

const LOOK_FIRST = "look at the command and at the device before it is asked again";

/** Faults that lie between the gateway and the device, or in the command's being taken back. */
const OF_THE_WAY = /^E(1|5)|^E903$/;

/**
 * Lets a completed command pass.
 * @param waitedFor what its device waits for, where that is known: for one that was taken back
 * @throws ApiError for one that failed or timed out
 */
export function requireCompleted(command: Command, waitedFor?: string): void {
  if (command.status !== "completed") throw refusalOf(command, waitedFor);
}

/** The refusal for a command that ended otherwise than completed. */
function refusalOf(command: Command, waitedFor: string | undefined): ApiError {
  const {
    errorCode = "E900",
    errorMessage = "It failed",
    data,
  }: Partial<CommandResult> = command.result ?? {};
  const told = {
    commandId: command.id,
    errorCode,
    errorMessage,
    ...(data?.outcome === undefined ? {} : { outcome: data.outcome }),
  };
  // Of what may be on paper nobody may read that it failed, whatever its device said of itself.
  if (!OF_THE_WAY.test(errorCode) && data?.outcome !== "unknown") {
    return new ApiError("UNPROCESSABLE_ENTITY", `The command failed: ${errorMessage}`, told);
  }
  const outcome = outcomeOf(command);
  if (reads(command) || outcome === "not_printed") {
    const why = errorCode === "E903" && waitedFor !== undefined ? `: ${waitedFor}` : "";
    return new ApiError("SERVICE_UNAVAILABLE", `Not done: ${errorMessage}${why}`, told);
  }
  const message = `It may have been done: ${LOOK_FIRST} (${errorMessage})`;
  return new ApiError("CONFLICT", message, { ...told, outcome });
}

/** The refusal for a command that is with the device when the time for the answer is over. */
export function refusalOfRunning(command: Command): ApiError {
  const { id: commandId } = command;
  if (reads(command)) {
    const message = "The device has not answered in time: try again later";
    return new ApiError("SERVICE_UNAVAILABLE", message, { commandId });
  }
  const outcome: Outcome = "unknown";
  const message = `The device is still at it: ${LOOK_FIRST}`;
  return new ApiError("CONFLICT", message, { commandId, outcome });
}

function reads({ type }: Command): boolean {
  return effectOf(type) === "none";
}

/** What never left the gateway was not done, whether its type tells an outcome or not. */
function outcomeOf({ result, sentAt }: Command): unknown {
  return result?.data?.outcome ?? (sentAt === null ? "not_printed" : "unknown");
}
