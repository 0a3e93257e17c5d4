/** What is done on a device unasked while no gateway hears of it. */

import { describe, expect, test } from "bun:test";
import type { ToController, ToGateway } from "#core/controller/messages.ts";
import type { DeviceConfig } from "#core/device/device.ts";
import { FINE_STATUS } from "#core/device/testing/fine-status.ts";
import type { Driver, Line } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { startController } from "./runtime.ts";

const DEVICE: DeviceConfig = {
  ...{ id: "dev_1", orgId: "org", name: "Till", driver: "vendorA.isl", transport: "tcp" },
  ...{ connectionParams: { host: "h", port: 1 }, timezone: "UTC", currency: "RON" },
};
const LINE: Line = { write: () => undefined, listen: () => undefined, close: () => undefined };

/** A printer on which something is put away on each line, and a controller beside it. */
function bar() {
  const clock = new FakeClock();
  const told: ToGateway[] = [];
  const state = { isOn: false, isConnected: true, times: 1 };
  let hear: (message: ToController) => void = () => undefined;
  const driver: Driver = {
    id: "vendorA.isl",
    commands: new Set(),
    connect(_line, { note }) {
      if (!state.isOn) return Promise.reject(new FiscalError("E100", "off"));
      for (let number = 1; number <= state.times; number += 1) note("receipt.put_away", { number });
      return Promise.resolve({
        info: {
          ...{ serialNumber: "S", firmwareVersion: "1", fiscalMemorySerialNumber: "F" },
          ...{ manufacturer: "M", model: "X" },
        },
        execute: () => Promise.resolve({ data: {} }),
        resolve: () => Promise.reject(new Error("nothing is in doubt")),
        readStatus: () => Promise.resolve(FINE_STATUS),
        close: () => undefined,
      });
    },
  };
  const channel = {
    get isConnected() {
      return state.isConnected;
    },
    listen: (listener: typeof hear) => {
      hear = listener;
    },
    // As over a WebSocket: what is said without a connection is lost.
    send: (message: ToGateway) => void (state.isConnected && told.push(message)),
  };
  const controller = startController(channel, {
    ...{ clock, log: createLog({ level: "silent", clock }), random: () => 0 },
    ...{ findDriver: () => driver, openLine: () => Promise.resolve(LINE) },
    ...{ statusPollMs: 30_000, pauseLimitMs: 600_000 },
  });
  /** @param installationId of the gateway; older ones say neither that nor what they have stored */
  const welcome = async (installationId?: string): Promise<void> => {
    state.isConnected = true;
    const known = installationId === undefined ? {} : { installationId };
    const about = { controllerId: "c", devices: [DEVICE], heartbeatSeconds: 15 };
    hear({ type: "welcome", ...about, ...known });
    await clock.advanceAsync(0);
  };
  const said = () => told.flatMap((one) => (one.type === "device.note" ? [one] : []));
  const notes = () => said().map(({ details }) => details);
  return {
    clock,
    told,
    state,
    controller,
    welcome,
    said,
    notes,
    hear: (one: ToController) => hear(one),
  };
}

test("is said behind the announcement of the device, with its time, once the gateway is back", async () => {
  const { clock, told, state, controller, welcome, notes } = bar();
  await welcome();
  Object.assign(state, { isConnected: false, isOn: true });
  await clock.advanceAsync(5_000);
  expect(notes()).toEqual([]);
  told.length = 0;
  const before = clock.now();
  await clock.advanceAsync(60_000);
  await welcome();
  const types = told.map(({ type }) => type);
  expect(types.slice(0, 2)).toEqual(["device.announce", "device.note"]);
  const [note] = notes();
  expect(note).toMatchObject({ number: 1 });
  expect(Date.parse(String(note?.doneAt))).toBeLessThanOrEqual(before);
  await welcome();
  expect(notes()).toHaveLength(1);
  await controller.stop();
});

test("is said at once while the gateway hears it, and of much the newest", async () => {
  const { clock, state, controller, welcome, notes } = bar();
  state.isOn = true;
  await welcome();
  expect(notes()).toEqual([{ number: 1 }]);
  await controller.stop();
  const other = bar();
  await other.welcome();
  Object.assign(other.state, { isConnected: false, isOn: true, times: 25 });
  await other.clock.advanceAsync(5_000);
  await other.welcome();
  expect(other.notes().map(({ number }) => number)).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 6),
  );
  await other.controller.stop();
  expect(clock.pendingTimers).toBe(0);
});

describe("a note that was under way", () => {
  test("as the connection broke is said again, with its time, until it is stored", async () => {
    const { clock, state, controller, welcome, said, hear } = bar();
    state.isOn = true;
    await welcome("here");
    const doneAt = new Date(clock.now()).toISOString();
    await clock.advanceAsync(60_000);
    await welcome("here");
    const [first, again] = said();
    expect(first?.details).toEqual({ number: 1 });
    expect(again).toEqual({ ...first, details: { number: 1, doneAt } } as typeof again);
    hear({ type: "note.stored", deviceId: "dev_1", noteId: first?.noteId ?? "" });
    await welcome("here");
    expect(said()).toHaveLength(2);
    await controller.stop();
  });

  test("as the gateway could not write is said again a second later", async () => {
    const { clock, state, controller, welcome, said, hear } = bar();
    Object.assign(state, { isOn: true, times: 2 });
    await welcome("here");
    const [first, second] = said().map(({ noteId = "" }) => noteId);
    hear({ type: "note.stored", deviceId: "dev_1", noteId: first ?? "" });
    hear({ type: "error", code: "NOT_STORED", message: "disk full", deviceId: "dev_1" });
    await clock.advanceAsync(999);
    expect(said()).toHaveLength(2);
    await clock.advanceAsync(1);
    expect(said().map(({ noteId }) => noteId)).toEqual([first, second, second]);
    await controller.stop();
    expect(clock.pendingTimers).toBe(0);
  });

  test("is not said again to a gateway that never says what it has stored", async () => {
    const { state, controller, welcome, said } = bar();
    state.isOn = true;
    await welcome();
    await welcome();
    await welcome("newer by now");
    expect(said()).toHaveLength(1);
    await controller.stop();
  });
});
