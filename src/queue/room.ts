/** How many commands may wait: a shop never comes near it, a till gone wild does. */

import { ApiError } from "#core/errors.ts";
import { WAITING_MAX, WAITING_PER_DEVICE_MAX } from "#core/limits.ts";
import type { CommandStore } from "#db/stores/commands.ts";

/**
 * Asks for room for one more command, inside the operation that stores it.
 * @param closed why none are taken for now; undefined where they are
 * @throws ApiError SERVICE_UNAVAILABLE when there is none
 */
export function requireRoom(
  commands: Pick<CommandStore, "countPending" | "countUnfinished">,
  deviceId: string,
  closed: string | undefined,
): void {
  if (closed !== undefined) throw full(closed);
  if (commands.countPending(deviceId) >= WAITING_PER_DEVICE_MAX) {
    throw full(`${WAITING_PER_DEVICE_MAX} commands wait for this device already`);
  }
  if (commands.countUnfinished() >= WAITING_MAX) {
    throw full(`${WAITING_MAX} commands wait already`);
  }
}

function full(message: string): ApiError {
  return new ApiError("SERVICE_UNAVAILABLE", `${message}: nothing was queued`);
}
