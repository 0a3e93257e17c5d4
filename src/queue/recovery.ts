/** What a restart of the gateway means for the commands it finds unfinished. */

import { effectOf } from "#core/command/catalogue.ts";
import type { Command } from "#core/command/command.ts";
import { failure, type LifecycleInput } from "#core/command/lifecycle.ts";
import type { CommandStore } from "#db/stores/commands.ts";
import type { Transaction } from "#db/writer.ts";
import type { CommandChanges } from "./changes.ts";
import type { ControllerPort } from "./ports.ts";

/** What decides it: nothing of the payload. */
type Unfinished = Pick<Command, "type" | "status" | "mark">;

export interface StartOptions {
  readonly commands: Pick<CommandStore, "get" | "listUnfinished">;
  readonly changes: CommandChanges;
  readonly controllers: Pick<ControllerPort, "deviceConfig">;
  /** UTC milliseconds. */
  readonly now: number;
}

/** Ends what cannot go on after a start, and what a removed device has left. */
export function endAtStart(tx: Transaction, options: StartOptions): void {
  const { commands, changes, controllers, now } = options;
  for (const unfinished of commands.listUnfinished()) {
    const { id, orgId, deviceId } = unfinished;
    const isGone = controllers.deviceConfig(orgId, deviceId) === undefined;
    const input = isGone ? ({ kind: "device_deleted" } as const) : recoveryOf(unfinished);
    const command = input && commands.get(orgId, id);
    if (command) changes.apply(tx, command, { input, now });
  }
}

/**
 * What a restart ends at once. Without a mark nothing was done: what was only sent may still go out
 * in its time, what had begun is told to the client, who knows whether the sale is still wanted.
 * With a mark, documents and ledger entries are resolved with the device; the rest nobody can tell.
 */
function recoveryOf(command: Unfinished): LifecycleInput | undefined {
  if (command.status === "pending") return undefined;
  if (command.mark === null) {
    return unreachedOf(command, "The gateway was restarted before the command reached the device");
  }
  const effect = effectOf(command.type);
  if (effect === "document" || effect === "ledger") return undefined;
  const message = "The gateway was restarted while the command ran; look at the device";
  return { kind: "finished", result: failure(command, "E102", message) };
}

/**
 * The end of a command that had begun and changed nothing, when nobody carries it out any more: its
 * time no longer runs, so it would never end. Undefined for all others.
 */
export function unreachedOf(command: Unfinished, message: string): LifecycleInput | undefined {
  if (command.status !== "processing" || command.mark !== null) return undefined;
  return { kind: "finished", result: failure(command, "E102", message) };
}
