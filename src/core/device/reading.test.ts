import { expect, test } from "bun:test";
import { UNKNOWN_STATUS, untoldStatus } from "./complaints.ts";
import type { DeviceStatus } from "./device.ts";
import { isToldOf, type KnownDay, readingOf, type StatusReading } from "./reading.ts";
import { FINE_STATUS } from "./testing/fine-status.ts";

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

test.each([
  ["where it is still open", told(true), 10],
  ["where nothing is told of it", UNTOLD, 10],
  ["with the same last Z report", told(true, 6), 10],
  ["but for one with another", told(true, 7), 20],
  ["but for one that is closed", told(false), null],
])("a day that was seen open before a start is known behind it, %s", (_title, status, since) => {
  const known = { fiscalDayOpenSince: 10, lastZNumber: 6 };
  expect(readings([status], { known, from: 20 }).at(-1)?.fiscalDayOpenSince).toBe(since);
});

test("a day that was seen open while the clock was ahead is open since it was set right", () => {
  const [first, second] = readings([told(true), told(true)], {
    ...{ known: { fiscalDayOpenSince: 99 }, from: 20 },
  });
  expect([first?.fiscalDayOpenSince, second?.fiscalDayOpenSince]).toEqual([20, 20]);
});

const PAUSED: DeviceStatus = { ...UNKNOWN_STATUS, paper: "out", partial: true };

test("a state that is told in part is nobody's reading, and says nothing of what it does not name", () => {
  const [untold, paused, read, later] = readings([
    ...[UNTOLD, PAUSED, { ...FINE_STATUS, cover: null, fiscalMemory: "full" } as const, PAUSED],
  ]);
  expect([untold?.readAt, paused?.readAt, read?.readAt, later?.readAt]).toEqual([null, null, 2, 2]);
  const tells = (reading: StatusReading | undefined) =>
    ["paper_out", "cover_open", "fiscal_memory_full"].map((alert) => isToldOf(reading, alert));
  expect([untold, paused, read, later].map(tells)).toEqual([
    [false, false, false],
    [true, false, false],
    // What a device never tells of is nothing that it could take back.
    ...[
      [true, true, true],
      [true, true, true],
    ],
  ]);
  expect(later?.status).toMatchObject({ paper: "out", fiscalMemory: "full" });
});

test("a clock is told of by its time, by a bit that it has none, or not at all", () => {
  const tells = (states: readonly DeviceStatus[], clockDriftMs?: number, stepMs = 1) =>
    readings(states, { clockDriftMs, stepMs }).map((one) => isToldOf(one, "clock_drift"));
  expect(tells([FINE_STATUS, FINE_STATUS])).toEqual([false, false]);
  expect(tells([UNTOLD], 7)).toEqual([true]);
  expect(tells([{ ...FINE_STATUS, clockSet: false }, FINE_STATUS])).toEqual([true, true]);
  const minutes = tells(
    Array.from({ length: 17 }, () => FINE_STATUS),
    undefined,
    60_000,
  );
  expect(minutes.indexOf(true)).toBe(15);
});

test.each([
  ["nothing by a state that does not say", { ...FINE_STATUS, dayCloseRequired: null }, false],
  ["it is by one that does", FINE_STATUS, true],
  ["it is by a closed day", { ...FINE_STATUS, ...told(false), dayCloseRequired: null }, true],
  ["it is by another Z report", { ...FINE_STATUS, dayCloseRequired: null, lastZNumber: 7 }, true],
])("whether a day must be closed: %s", (_title, status, isTold) => {
  const known = { fiscalDayOpenSince: null, lastZNumber: 6 };
  expect(isToldOf(readings([status], { known })[0], "z_report_overdue")).toBe(isTold);
});

function openSince(states: readonly DeviceStatus[]): (number | null)[] {
  return readings(states).map(({ fiscalDayOpenSince }) => fiscalDayOpenSince);
}

interface Told {
  readonly known?: KnownDay;
  readonly from?: number;
  readonly stepMs?: number;
  readonly clockDriftMs?: number | undefined;
}

/** What is known of a device after each of the states that it tells, one each step. */
function readings(
  states: readonly DeviceStatus[],
  { known = { fiscalDayOpenSince: null }, from = 0, stepMs = 1, clockDriftMs }: Told = {},
): StatusReading[] {
  const drift = clockDriftMs === undefined ? {} : { clockDriftMs };
  let before: StatusReading | undefined;
  return states.map((status, step) => {
    before = readingOf({ status, ...drift }, { before, known }, from + step * stepMs);
    return before;
  });
}
