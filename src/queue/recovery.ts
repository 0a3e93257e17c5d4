/** What a restart of the gateway means for the commands it finds unfinished. */

import { tellsOutcome } from "#core/command/catalogue.ts";
import type { Command } from "#core/command/command.ts";
import { failure, type LifecycleInput } from "#core/command/lifecycle.ts";
import { BUILTIN_CONTROLLER_ID } from "#core/device/device.ts";
import type { CommandStore, UnfinishedCommand } from "#db/stores/commands.ts";
import type { Transaction } from "#db/writer.ts";
import type { CommandChanges } from "./changes.ts";
import type { Holds } from "./holds.ts";
import { isLastDocumentQuestion } from "./known-documents.ts";
import type { ControllerPort } from "./ports.ts";
import { type AskedStores, isAskedFirst } from "./printer-records.ts";

/** What decides it: nothing of the payload. */
type Unfinished = Pick<Command, "type" | "status" | "mark" | "controllerId" | "processingAt">;

const ASKED_ANEW = "The gateway was restarted, and asks the printer anew";

export interface StartOptions {
  readonly commands: Pick<CommandStore, "get" | "listUnfinished">;
  readonly changes: CommandChanges;
  readonly controllers: Pick<ControllerPort, "deviceConfig">;
  readonly holds: Pick<Holds, "isHeld">;
  readonly stores: AskedStores;
  /** UTC milliseconds. */
  readonly now: number;
}

/**
 * Ends what cannot go on after a start, and what a removed device has left. What was sent to a
 * device that is held, and has not begun, waits like whatever comes after it. So does what has begun
 * and changed nothing, until its printer was asked for its last document: see `Leftovers`.
 */
export function endAtStart(tx: Transaction, options: StartOptions): void {
  const { commands, changes, controllers, holds, stores, now } = options;
  for (const unfinished of commands.listUnfinished()) {
    const { id, orgId, deviceId, type } = unfinished;
    const isGone = controllers.deviceConfig(orgId, deviceId) === undefined;
    // A remote controller did not end with the gateway: it is asked when it comes again.
    const recovery = isRemote(unfinished) ? undefined : recoveryOf(unfinished);
    // Only these change nothing before a stored mark, whatever a controller elsewhere has done since.
    const mayWait = tellsOutcome(type) && unfinished.mark === null;
    const isAsked = isAskedFirst(stores, deviceId);
    const waits = mayWait && (recovery === undefined ? holds.isHeld(deviceId) : isAsked);
    const waiting = waits ? ({ kind: "put_back" } as const) : undefined;
    const gone = isGone ? ({ kind: "device_deleted" } as const) : undefined;
    const input = gone ?? waiting ?? recovery ?? askedAnew(unfinished);
    const command = input && commands.get(orgId, id);
    if (command) changes.apply(tx, command, { input, now });
  }
}

/**
 * The end of a question of an earlier start. Each start asks its own, whose answer is not of before;
 * where none is answered they would gather.
 */
function askedAnew(command: UnfinishedCommand): LifecycleInput | undefined {
  if (!isLastDocumentQuestion(command)) return undefined;
  return { kind: "finished", result: failure(command, "E903", ASKED_ANEW) };
}

/**
 * What a restart ends at once. Without a mark nothing was done: what was only sent may still go out
 * in its time, what had begun is told to the client, who knows whether the sale is still wanted.
 * With a mark, documents and ledger entries are resolved with the device; the rest nobody can tell.
 */
function recoveryOf(command: Unfinished): LifecycleInput | undefined {
  if (command.status === "pending" && command.processingAt === null) return undefined;
  if (command.mark === null) return unreachedAtStart(command);
  if (tellsOutcome(command.type)) return undefined;
  const message = "The gateway was restarted while the command ran; look at the device";
  return { kind: "finished", result: failure(command, "E102", message) };
}

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
  command: Unfinished,
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

/**
 * The end of one that had begun, and changed nothing, when the gateway was stopped. It may be back in
 * the line meanwhile, behind its printer's word.
 */
export function unreachedAtStart(command: Unfinished): LifecycleInput | undefined {
  if (command.processingAt === null || command.mark !== null) return undefined;
  const message = "The gateway was restarted before the command reached the device";
  return { kind: "finished", result: failure(command, "E102", message) };
}

/** True for what was handed to a controller outside of this process. */
export function isRemote({ controllerId }: Pick<Command, "controllerId">): boolean {
  return controllerId !== null && controllerId !== BUILTIN_CONTROLLER_ID;
}
