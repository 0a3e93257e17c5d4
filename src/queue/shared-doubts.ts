/** Documents in doubt of printers that more than one device record leads to, as the lanes hold them. */

import { tellsOutcome } from "#core/command/catalogue.ts";
import type { OpenPrinter } from "#core/device/printer.ts";
import { type DocumentPrinterStores, documentPrinter } from "#db/stores/document-printer.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Lane, Lanes } from "./lanes.ts";

/** Of them a document in doubt is read, and its printer. */
export type DoubtStores = DocumentPrinterStores & Pick<Stores, "commands">;

/**
 * The printers with a document in doubt that other records lead to, or may lead to, each by the record
 * that the document belongs to.
 */
export function sharedDoubts(lanes: Lanes, stores: DoubtStores): readonly OpenPrinter[] {
  return lanes.all().flatMap((lane) => {
    const found = lane.shared ? doubtIn(lane, stores) : undefined;
    return found ? [found] : [];
  });
}

/** What is out in the lane and tells its outcome; undefined where nothing is. */
export function outIn(lane: Lane, stores: DoubtStores): OpenPrinter | undefined {
  const command = lane.out && stores.commands.get(lane.out.orgId, lane.out.id);
  const device = stores.devices.find(lane.deviceId);
  if (!command || !device || !tellsOutcome(command.type)) return undefined;
  const { id: commandId, createdAt: raisedAt } = command;
  return { ...documentPrinter(stores, command), orgId: device.orgId, commandId, raisedAt };
}

/** What is out in the lane and may have changed its printer; undefined where nothing is. */
export function doubtIn(lane: Lane, stores: DoubtStores): OpenPrinter | undefined {
  const { status, mark } = (lane.out && stores.commands.get(lane.out.orgId, lane.out.id)) ?? {};
  const isBegun = status === "processing" && mark !== null;
  return isBegun ? outIn(lane, stores) : undefined;
}
