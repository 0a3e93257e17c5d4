/** Registered devices, in a process at the box that has no controller. */

import { tellsOutcome } from "#core/command/catalogue.ts";
import { isSimulated } from "#core/device/device.ts";
import { shopPrinterOf } from "#core/device/printer.ts";
import type { Stores } from "#db/stores/index.ts";
import { createWriteFor } from "#db/write-for.ts";
import { hasBluetooth } from "#drivers/transport/bluetooth.ts";
import { portKeys } from "#drivers/transport/same-port.ts";
import { createDeviceService } from "../modules/devices/service.ts";
import { systemClock } from "../platform/clock.ts";
import { createCommandChanges, NO_EFFECTS } from "../queue/changes.ts";
import { endDoubts, endOut, endUnfinished, endWaiting } from "../queue/device-end.ts";
import { raiseCheck } from "../queue/document-check.ts";
import { leavePrinter } from "../queue/exchanged-printer.ts";
import { createRecordKeeper } from "../queue/record-keeper.ts";
import type { Box } from "./box.ts";
import { NOTHING_LIVE } from "./nothing-live.ts";

/**
 * Makes the service. What ends commands is for when no gateway runs: see `doAtDevice`. Nobody knows
 * then what an earlier run has printed of what is left.
 */
export function deviceServiceOf(box: Box) {
  const { stores, random } = box;
  // A running gateway notices the change of the database by itself.
  const effects = { ...NO_EFFECTS, leftovers: "all" } as const;
  const changes = createCommandChanges(stores, createRecordKeeper(stores, random), effects);
  return createDeviceService({
    ...box,
    write: createWriteFor(box.writer, () => undefined),
    hasBluetooth: hasBluetooth(),
    addressKeys: (address) => portKeys(address, systemClock),
    live: NOTHING_LIVE,
    failOut(tx, deviceId, now) {
      // Before anything of it ends.
      askOfLeft(stores, deviceId, now);
      endOut(tx, deviceId, { commands: stores.commands, changes, now });
    },
    endDoubts: (tx, deviceId, now) =>
      endDoubts(tx, deviceId, { commands: stores.commands, changes, now }),
    endWaiting: (tx, deviceId, meant) =>
      endWaiting(tx, deviceId, { commands: stores.commands, changes, ...meant }),
    leavePrinter: (tx, device, as) => leavePrinter(tx, device, { stores, changes, ...as }),
    failUnfinished: (deviceId) =>
      endUnfinished({ ...box, commands: stores.commands, changes }, deviceId),
  });
}

/** Whoever reaches the printer of a removed record next asks it: that settles what waited for it. */
function askOfLeft(stores: Stores, deviceId: string, now: number): void {
  const device = stores.devices.find(deviceId);
  if (device === undefined || isSimulated(device)) return;
  const left = stores.commands.listUnfinished({ deviceId });
  if (!left.some(({ mark, type }) => mark === null && tellsOutcome(type))) return;
  raiseCheck(stores, shopPrinterOf(device), { raisedAt: now, isWanted: false });
}
