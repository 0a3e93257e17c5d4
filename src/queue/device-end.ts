/**
 * The end of what waits for a device that was removed. The device is gone first, so nothing new is
 * accepted; what thousands of commands take is done in parts, between which everybody else goes on.
 */

import type { CommandStore } from "#db/stores/commands.ts";
import type { Writer } from "#db/writer.ts";
import type { CommandChanges } from "./changes.ts";

/** Commands that end in one operation of the writer. */
const PART_MAX = 50;

export interface DeviceEndOptions {
  readonly commands: Pick<CommandStore, "get" | "listUnfinished">;
  readonly writer: Writer;
  readonly clock: { now(): number };
  readonly changes: CommandChanges;
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
        const input = { kind: "device_deleted" } as const;
        if (command) changes.apply(tx, command, { input, now: clock.now() });
      }
      return part.length < PART_MAX;
    });
  }
}
