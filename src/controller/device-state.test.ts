import { beforeEach, describe, expect, test } from "bun:test";
import { waitsForHand } from "#core/device/complaints.ts";
import type { DeviceStatus } from "#core/device/device.ts";
import { FINE_STATUS } from "#core/device/testing/fine-status.ts";
import type { CommandSuccess, DriverSession } from "#core/driver.ts";
import { ClockShowsNoTime, FiscalError } from "#core/errors.ts";
import { FakeClock } from "../platform/clock.ts";
import { DeviceState } from "./device-state.ts";

const STATUS: DeviceStatus = { ...FINE_STATUS, paper: "low", cover: null, dayCloseRequired: null };
const MINUTE_MS = 60_000;
const POLL_MS = 30_000;

let clock: FakeClock;
let told: { status: DeviceStatus; clockDriftMs: number | undefined }[];
/** What the device answers when it is asked for its clock. */
let clockAnswer: () => CommandSuccess;
let clockReads: number;

beforeEach(() => {
  clock = new FakeClock();
  told = [];
  clockReads = 0;
  clockAnswer = () => ({ data: { dateTime: new Date(clock.now() + MINUTE_MS).toISOString() } });
});

const session: DriverSession = {
  info: {
    serialNumber: "1",
    firmwareVersion: null,
    fiscalMemorySerialNumber: null,
    manufacturer: null,
    model: null,
  },
  execute: async () => {
    clockReads += 1;
    return clockAnswer();
  },
  resolve: () => Promise.reject(new Error("nothing is in doubt")),
  readStatus: () => Promise.resolve(STATUS),
  close: () => undefined,
};

function stateOf(
  commands: readonly "get_date_time"[] = ["get_date_time"],
  pollMs = POLL_MS,
): DeviceState {
  return new DeviceState({
    clock,
    commands: new Set(commands),
    pollMs,
    log: { warn: () => undefined },
    tell: (status, clockDriftMs) => told.push({ status, clockDriftMs }),
  });
}

test("tells how far the clock is off with the first reading, and then once for each poll", async () => {
  const state = stateOf();
  await state.read(session);
  await state.read(session);
  clock.advance(POLL_MS - 1);
  await state.read(session);
  clock.advance(1);
  await state.read(session);
  expect(told.map(({ clockDriftMs }) => clockDriftMs)).toEqual([
    ...[MINUTE_MS, undefined, undefined, MINUTE_MS],
  ]);
  clock.advance(1);
  expect([clockReads, state.nextReadAt()]).toEqual([2, clock.elapsed() + POLL_MS - 1]);
});

test("puts nothing off and nothing forward until the clock was read", () => {
  const state = stateOf();
  state.report(STATUS);
  expect(state.nextReadAt()).toBe(clock.elapsed() + POLL_MS);
});

test("tells how far it is off when a client had it read", async () => {
  const state = stateOf();
  await state.read(session);
  state.clockTold({ dateTime: new Date(clock.now() - MINUTE_MS).toISOString() });
  expect(told.at(-1)).toEqual({ status: STATUS, clockDriftMs: -MINUTE_MS });
});

test("reads the clock again once it was set", async () => {
  const state = stateOf();
  await state.read(session);
  state.clockChanged();
  await state.read(session);
  expect(clockReads).toBe(2);
});

test("tells the state of a device that has no clock to read, or shows no time", async () => {
  await stateOf([]).read(session);
  expect(clockReads).toBe(0);
  clockAnswer = () => {
    throw new FiscalError("E201", "no such command");
  };
  await stateOf().read(session);
  expect(told).toEqual([
    { status: STATUS, clockDriftMs: undefined },
    { status: STATUS, clockDriftMs: undefined },
  ]);
});

test("tells of a clock that shows no time as not set, until it shows one", async () => {
  const state = stateOf();
  clockAnswer = () => {
    throw new ClockShowsNoTime();
  };
  await state.read(session);
  state.report(STATUS);
  clockAnswer = () => ({ data: { dateTime: new Date(clock.now()).toISOString() } });
  state.clockChanged();
  await state.read(session);
  expect(told).toEqual([
    { status: { ...STATUS, clockSet: false }, clockDriftMs: undefined },
    { status: { ...STATUS, clockSet: false }, clockDriftMs: undefined },
    { status: STATUS, clockDriftMs: 0 },
  ]);
});

test("goes on beside an answer to the clock that makes no sense", async () => {
  clockAnswer = () => {
    throw new FiscalError("E902", "no number");
  };
  await stateOf().read(session);
  expect(told).toEqual([{ status: STATUS, clockDriftMs: undefined }]);
});

test("fails with the line, and asks for the clock again on the next one", async () => {
  const state = stateOf();
  clockAnswer = () => {
    throw new FiscalError("E102", "lost");
  };
  const lost = await state.read(session).catch((error: unknown) => error);
  expect(lost).toMatchObject({ code: "E102" });
  clockAnswer = () => ({ data: { dateTime: new Date(clock.now()).toISOString() } });
  await state.read(session);
  expect(told).toEqual([{ status: STATUS, clockDriftMs: 0 }]);
});

test("shows what a document waits for, and then what there was before", () => {
  const state = stateOf();
  state.report(STATUS);
  state.paused("paper_out");
  state.paused(undefined);
  expect(told.map(({ status }) => [status.paper, status.cover])).toEqual([
    ["low", null],
    ["out", null],
    ["low", null],
  ]);
});

test("shows paper and cover as in order again where they were the reason before", () => {
  const state = stateOf();
  state.report({ ...STATUS, paper: "out", cover: "open" });
  state.paused("cover_open");
  state.paused(undefined);
  expect(told.at(-1)?.status).toMatchObject({ paper: "ok", cover: "closed" });
});

test("shows what a document waits for before anything was read", () => {
  stateOf().paused("cover_open");
  expect(told.map(({ status }) => [status.paper, status.cover])).toEqual([[null, "open"]]);
});

test("shows what a document waits for as the device's word, though it tells no state", async () => {
  const state = stateOf();
  await state.read(session);
  const senseless = () => Promise.reject(new FiscalError("E902", "no status"));
  await state.read({ ...session, readStatus: senseless });
  state.paused("paper_out");
  state.paused(undefined);
  expect(told.map(({ status }) => waitsForHand(status))).toEqual([false, false, true, false]);
});

describe("a device that cannot print", () => {
  test.each([
    { is: "out of paper", change: { paper: "out" } },
    { is: "open", change: { cover: "open" } },
    { is: "broken", change: { hardwareError: true } },
  ] as const)("is read again soon while it is $is, and as before afterwards", ({ change }) => {
    const state = stateOf([]);
    state.report({ ...STATUS, ...change });
    expect(state.nextReadAt()).toBe(clock.elapsed() + 3_000);
    state.report(STATUS);
    expect(state.nextReadAt()).toBe(clock.elapsed() + POLL_MS);
  });

  test("is not read less often than any other", () => {
    const state = stateOf([], 1_000);
    state.report({ ...STATUS, paper: "out" });
    expect(state.nextReadAt()).toBe(clock.elapsed() + 1_000);
  });
});
