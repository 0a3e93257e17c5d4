/** Processes that end together. */

import { errorCode } from "./thrown.ts";

/**
 * Sends a signal to a process that leads a group, and to all that it has started; to nobody where all has ended, or
 * has become another user's.
 */
export function signalGroup(leader: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(-leader, signal);
  } catch (error) {
    if (!["ESRCH", "EPERM"].includes(errorCode(error) ?? "")) throw error;
  }
}
