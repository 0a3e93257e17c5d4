/** Registered devices, in a process at the box that has no controller. */

import { hasBluetooth } from "#drivers/transport/bluetooth.ts";
import { portKeys } from "#drivers/transport/same-port.ts";
import type { LiveConnectivity } from "../modules/devices/records.ts";
import { createDeviceService } from "../modules/devices/service.ts";
import { systemClock } from "../platform/clock.ts";
import { createCommandChanges } from "../queue/changes.ts";
import { endOut, endUnfinished, endWaiting } from "../queue/device-end.ts";
import { createRecordKeeper } from "../queue/record-keeper.ts";
import type { Box } from "./box.ts";

/** The service; what is live is known to `serve` alone. */
export function deviceServiceOf(box: Box) {
  const { stores, random } = box;
  const unknown: LiveConnectivity = {
    wsConnected: false,
    controllerOnline: false,
    linkUp: false,
    lastSeenAt: null,
  };
  // A running gateway notices the change of the database by itself.
  const effects = { onHold() {}, reasonOf: () => undefined, begun() {}, ended() {} };
  const changes = createCommandChanges(stores, createRecordKeeper(stores, random), effects);
  return createDeviceService({
    ...box,
    hasBluetooth: hasBluetooth(),
    addressKeys: (address) => portKeys(address, systemClock),
    live: {
      isHere: false,
      connectivity: () => unknown,
      reading: () => undefined,
      diskFullSince: () => null,
      lateResults: () => [],
    },
    failOut: (tx, deviceId, now) =>
      endOut(tx, deviceId, { commands: stores.commands, changes, now }),
    stateAccepted: (tx, deviceId, now) =>
      endWaiting(tx, deviceId, { commands: stores.commands, changes, now }),
    failUnfinished: (deviceId) =>
      endUnfinished({ ...box, commands: stores.commands, changes }, deviceId),
  });
}
