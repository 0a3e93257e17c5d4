/** The machine's clock, for what the person at the box makes that ends by it. */

import type { Command } from "commander";
import { currentSurroundings } from "../config/surroundings.ts";
import { currentBoot } from "../platform/boot.ts";
import { type StateLock, StateLocked } from "../platform/lock.ts";
import { createLog } from "../platform/log.ts";
import { takeUpTime } from "../queue/kept-time.ts";
import { SetClock } from "../queue/set-clock.ts";
import type { Box } from "./box.ts";
import { loadSettings } from "./settings-options.ts";
import { takeStateDirectory } from "./state.ts";

/**
 * Does something by the clock as it is now. While no gateway runs, whatever ends by a time is moved first
 * with a clock that was set since one did, as at a start: the next start would move along what is made now.
 * A gateway that runs does that itself; one that is started amid this finds the state taken.
 */
export async function byClockOfNow<T>(
  command: Command,
  box: Box,
  work: () => Promise<T>,
): Promise<T> {
  const lock = takenUnlessServed(loadSettings(command).config["state.dir"]);
  try {
    if (lock !== undefined) {
      const boot = currentBoot(currentSurroundings().environment);
      const time = takeUpTime(box.stores.appliance, box.clock, boot);
      const log = createLog({ level: "silent", clock: box.clock });
      await new SetClock({ ...box, time, log }).takeUp();
    }
    return await work();
  } finally {
    lock?.withdraw();
  }
}

/** Undefined while a gateway has the state. */
function takenUnlessServed(stateDir: string): StateLock | undefined {
  try {
    return takeStateDirectory(stateDir);
  } catch (error) {
    if (error instanceof StateLocked) return undefined;
    throw error;
  }
}
