/**
 * The end of what waits for a device that was removed, or whose printer may be ahead of a state that
 * was put back. A removed device is gone first, so nothing new is accepted; what thousands of commands
 * take is done in parts, between which everybody else goes on.
 */

import { tellsOutcome } from "#core/command/catalogue.ts";
import type { CommandStore } from "#db/stores/commands.ts";
import type { Transaction, Writer } from "#db/writer.ts";
import type { CommandChanges } from "./changes.ts";
import { MAY_REPEAT } from "./restored-waiting.ts";

/** Commands that end in one operation of the writer. */
const PART_MAX = 50;
const DEVICE_DELETED = { kind: "device_deleted" } as const;
const ACCEPTED_TOO_EARLY = {
  kind: "finished",
  result: {
    success: false,
    errorCode: "E903",
    errorMessage: `Not begun: ${MAY_REPEAT}`,
    data: { outcome: "unknown" },
  },
} as const;

export interface DeviceEndOptions {
  readonly commands: Pick<CommandStore, "get" | "listUnfinished">;
  readonly writer: Writer;
  readonly clock: { now(): number };
  readonly changes: CommandChanges;
}

/**
 * Ends what is out on a device, in the operation that removes it: what is then in doubt belongs to
 * its printer, of which only the record tells.
 */
export function endOut(
  tx: Transaction,
  deviceId: string,
  from: Pick<DeviceEndOptions, "commands" | "changes"> & { readonly now: number },
): void {
  const { commands, changes, now } = from;
  for (const { id, status } of commands.listUnfinished({ deviceId })) {
    const command = status === "pending" ? undefined : commands.get(null, id);
    if (command) changes.apply(tx, command, { input: DEVICE_DELETED, now });
  }
}

/**
 * Ends what is unfinished on a device of which the record is gone.
 * @returns when all of it is on disk; what a crash leaves over is ended by the next start
 */
export async function endUnfinished(options: DeviceEndOptions, deviceId: string): Promise<void> {
  const { commands, writer, clock, changes } = options;
  for (let isOver = false; !isOver; ) {
    isOver = await writer.run((tx) => {
      const part = commands.listUnfinished({ deviceId, limit: PART_MAX });
      for (const { id } of part) {
        const command = commands.get(null, id);
        if (command) changes.apply(tx, command, { input: DEVICE_DELETED, now: clock.now() });
      }
      return part.length < PART_MAX;
    });
  }
}

/** An owner accepts a state that was put back: what waited until then does not print by that. */
export function endWaiting(
  tx: Transaction,
  deviceId: string,
  from: Pick<DeviceEndOptions, "commands" | "changes"> & { readonly now: number },
): void {
  const { commands, changes, now } = from;
  for (const { id, type, status } of commands.listUnfinished({ deviceId })) {
    const command = status === "pending" && tellsOutcome(type) ? commands.get(null, id) : undefined;
    if (command) changes.apply(tx, command, { input: ACCEPTED_TOO_EARLY, now });
  }
}
