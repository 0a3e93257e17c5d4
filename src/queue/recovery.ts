/** What a restart of the gateway means for the commands it finds unfinished. */

import { tellsOutcome } from "#core/command/catalogue.ts";
import type { Command } from "#core/command/command.ts";
import { failure, type LifecycleInput } from "#core/command/lifecycle.ts";
import { isRemote } from "#core/device/device.ts";
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
 * The end of one that had begun, and changed nothing, when the gateway was stopped. It may be back in
 * the line meanwhile, behind its printer's word.
 */
export function unreachedAtStart(command: Unfinished): LifecycleInput | undefined {
  if (command.processingAt === null || command.mark !== null) return undefined;
  const message = "The gateway was restarted before the command reached the device";
  return { kind: "finished", result: failure(command, "E102", message) };
}
