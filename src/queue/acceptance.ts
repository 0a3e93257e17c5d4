/** What belongs to the acceptance of a command, inside the operation that stores it. */

import type { Command } from "#core/command/command.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import type { Stores } from "#db/stores/index.ts";
import { requireRoom } from "./room.ts";

/**
 * Stores a command that is accepted, with the currency of its amounts and the place of its device: what
 * ends later is booked by them, whatever the shop has changed meanwhile.
 * @param closed why none are taken for now; undefined where they are
 * @throws ApiError SERVICE_UNAVAILABLE when there is no room for it
 */
export function storeAccepted(
  { commands, devices, organizations }: Pick<Stores, "commands" | "devices" | "organizations">,
  command: NewCommand,
  closed: string | undefined,
): Command {
  const { orgId, deviceId } = command;
  requireRoom(commands, deviceId, closed);
  const currency = organizations.get(orgId)?.currency ?? null;
  const locationId = devices.get(orgId, deviceId)?.locationId ?? null;
  return commands.insert({ ...command, currency, locationId, acceptedOrder: commands.orderNow() });
}
