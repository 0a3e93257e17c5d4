import { expect, test } from "bun:test";
import type { StatusReading } from "#core/device/alerts.ts";
import { untoldStatus } from "#core/device/complaints.ts";
import type { DeviceStatus } from "#core/device/device.ts";
import { FINE_STATUS } from "#core/device/testing/fine-status.ts";
import { readingOf } from "./live-device.ts";

function told(fiscalDayOpen: boolean | null, lastZNumber?: number): DeviceStatus {
  const number = lastZNumber === undefined ? {} : { lastZNumber };
  return { ...FINE_STATUS, fiscalDayOpen, ...number };
}

const UNTOLD = untoldStatus(FINE_STATUS, { code: "E902", message: "No status" });

test.each([
  ["until it is told to be closed", [told(true), told(true), UNTOLD, told(true), told(false)]],
  ["over what tells nothing of it", [told(true), told(null), UNTOLD, told(null), told(false)]],
  [
    "until another Z report is the last one, seen over what tells no number",
    [told(true, 6), told(null), UNTOLD, told(null, 6), told(null, 7)],
  ],
])("a fiscal day is open since it was first seen, %s", (_title, states) => {
  expect(openSince([...states, UNTOLD, told(null), told(true)])).toEqual([
    ...[0, 0, 0, 0],
    ...[null, null, null, 7],
  ]);
});

test("a fiscal day with another last Z report is open since that was seen", () => {
  const states = [told(true, 6), told(true, 6), told(true, 7), told(true), told(true, 7)];
  expect(openSince(states)).toEqual([0, 0, 2, 2, 2]);
});

function openSince(states: readonly DeviceStatus[]): (number | null)[] {
  let reading: StatusReading | undefined;
  return states.map((status, hour) => {
    reading = readingOf({ type: "device.status", deviceId: "dev_1", status }, reading, hour);
    return reading.fiscalDayOpenSince;
  });
}
