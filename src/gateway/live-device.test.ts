import { expect, test } from "bun:test";
import type { StatusReading } from "#core/device/alerts.ts";
import { untoldStatus } from "#core/device/complaints.ts";
import type { DeviceStatus } from "#core/device/device.ts";
import { FINE_STATUS } from "#core/device/testing/fine-status.ts";
import { readingOf } from "./live-device.ts";

const told = (fiscalDayOpen: boolean | null): DeviceStatus => ({ ...FINE_STATUS, fiscalDayOpen });
const UNTOLD = untoldStatus(FINE_STATUS, { code: "E902", message: "No status" });

test.each([
  [
    "is told to be closed",
    [told(true), told(true), UNTOLD, told(true), told(false), UNTOLD, told(true)],
  ],
  // As where a Z report was made at the keys of a printer that has no bit for its day.
  [
    "may have been closed",
    [told(true), told(true), UNTOLD, told(true), told(null), UNTOLD, told(true)],
  ],
])("a fiscal day is open since it was first seen, until it %s", (_title, states) => {
  let reading: StatusReading | undefined;
  const openSince = states.map((status, hour) => {
    reading = readingOf({ type: "device.status", deviceId: "dev_1", status }, reading, hour);
    return reading.fiscalDayOpenSince;
  });
  expect(openSince).toEqual([0, 0, 0, 0, null, null, 6]);
});
