/** A device's status for tests that are about something else. */

import type { DeviceStatus } from "../device.ts";

/** Nothing is wrong, and the fiscal day is open. */
export const FINE_STATUS: DeviceStatus = {
  ...{ paper: "ok", cover: "closed", fiscalReceiptOpen: false, nonFiscalReceiptOpen: false },
  ...{ fiscalDayOpen: true, dayCloseRequired: false, fiscalMemory: "ok", clockSet: true },
  ...{ hardwareError: false, fiscalized: true, errors: [], rawHex: "" },
};
