import { expect, test } from "bun:test";
import type { StatusReading } from "#core/device/alerts.ts";
import { UNKNOWN_STATUS } from "#core/device/complaints.ts";
import { FINE_STATUS } from "#core/device/testing/fine-status.ts";
import { readingOf } from "./live-device.ts";

test("a fiscal day is open since it was first seen, until it is told to be closed", () => {
  let reading: StatusReading | undefined;
  const openSince = [true, true, null, true, false, null, true].map((fiscalDayOpen, hour) => {
    const untold = { ...UNKNOWN_STATUS, errors: [{ code: "E902", message: "No status" }] };
    const status = fiscalDayOpen === null ? untold : { ...FINE_STATUS, fiscalDayOpen };
    reading = readingOf({ type: "device.status", deviceId: "dev_1", status }, reading, hour);
    return reading.fiscalDayOpenSince;
  });
  expect(openSince).toEqual([0, 0, 0, 0, null, null, 6]);
});
