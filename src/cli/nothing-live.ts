/** What is live of devices, for commands at the box: that is known to `serve` alone. */

import type { DeviceLive } from "../modules/devices/device-state.ts";

export const NOTHING_LIVE: DeviceLive = {
  isHere: false,
  connectivity: () => ({
    ...{ wsConnected: false, controllerOnline: false, linkUp: false },
    ...{ reason: null, lastSeenAt: null },
  }),
  controller: () => undefined,
  reading: () => undefined,
  diskFullSince: () => null,
  lateResults: () => [],
};
