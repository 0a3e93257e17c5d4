/** Documents in doubt of printers that more than one device record leads to, as the lanes hold them. */

import { tellsOutcome } from "#core/command/catalogue.ts";
import { printerBefore, type ShopPrinter } from "#core/device/printer.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Lane, Lanes } from "./lanes.ts";

/**
 * The printers with a document in doubt that other records lead to, or may lead to, each by the record
 * that the document belongs to.
 */
export function sharedDoubts(
  lanes: Lanes,
  stores: Pick<Stores, "commands" | "devices">,
): readonly ShopPrinter[] {
  return lanes.all().flatMap((lane) => {
    const found = lane.shared ? doubtIn(lane, stores) : undefined;
    return found ? [found] : [];
  });
}

/** What is out in the lane and tells its outcome; undefined where nothing is. */
export function outIn(
  lane: Lane,
  stores: Pick<Stores, "commands" | "devices">,
): ShopPrinter | undefined {
  const command = lane.out && stores.commands.get(lane.out.orgId, lane.out.id);
  const device = stores.devices.find(lane.deviceId);
  if (!command || !device || !tellsOutcome(command.type)) return undefined;
  return { ...printerBefore(device, command.baseline), orgId: device.orgId };
}

/** What is out in the lane and may have changed its printer; undefined where nothing is. */
export function doubtIn(
  lane: Lane,
  stores: Pick<Stores, "commands" | "devices">,
): ShopPrinter | undefined {
  const { status, mark } = (lane.out && stores.commands.get(lane.out.orgId, lane.out.id)) ?? {};
  const isBegun = status === "processing" && mark !== null;
  return isBegun ? outIn(lane, stores) : undefined;
}
