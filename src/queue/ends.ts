/** How a command that was handed out ends when its controller is gone, or has given it up. */

import { tellsOutcome } from "#core/command/catalogue.ts";
import type { Command } from "#core/command/command.ts";
import { failure, type LifecycleInput } from "#core/command/lifecycle.ts";

/**
 * The end of a command that a remote controller has abandoned. A document that a controller with
 * marks may have printed is left for its device to tell; one that a controller without them was given
 * nobody can tell of. What is only sent ends by its own time.
 */
export function abandonedOf(command: Command, message: string): LifecycleInput | undefined {
  if (command.status !== "processing" || mayBeTold(command)) return undefined;
  return { kind: "finished", result: failure(command, "E102", message) };
}

/**
 * True for a document or ledger entry under way that may have changed its device, which can tell
 * what became of it.
 */
export function mayBeTold(command: Command): boolean {
  const { status, mark, type } = command;
  return status === "processing" && mark !== null && tellsOutcome(type) && !isUnmarked(command);
}

/**
 * True for a command that was handed to a controller without marks: it is marked as if it were being
 * paid from the hand-over on, and nothing was read of its device before.
 */
export function isUnmarked({ mark, baseline }: Pick<Command, "mark" | "baseline">): boolean {
  return mark !== null && baseline === null;
}

/**
 * The end of a command that had begun, when its device is taken from its controller: of what changed
 * nothing, as its time no longer runs, and of what nobody can tell of, whoever is asked. Undefined for
 * what its device can tell of, and for what has not begun.
 * @param line why its line may not be used
 * @param wasLost true where it had broken before the device was taken from its controller
 */
export function withdrawnOf(
  command: Pick<Command, "type" | "status" | "mark">,
  { line, wasLost }: { readonly line: string | undefined; readonly wasLost: boolean },
): LifecycleInput | undefined {
  const { status, mark, type } = command;
  if (status !== "processing" || (mark !== null && tellsOutcome(type))) return undefined;
  const isLost = wasLost || line !== undefined;
  const what = isLost
    ? "The line to the device was lost"
    : "The device was taken from its controller";
  const when =
    mark === null ? "before the command reached it" : "while the command ran; look at the device";
  const message = [`${what} ${when}`, ...(line === undefined ? [] : [line])].join(". ");
  return { kind: "finished", result: failure(command, "E102", message) };
}
