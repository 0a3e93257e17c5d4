/** What the gateway is told of a device's line, and when something is done on it. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import type { CommandType } from "#core/command/catalogue.ts";
import type { ToController, ToGateway } from "#core/controller/messages.ts";
import type { DeviceConfig } from "#core/device/device.ts";
import { FINE_STATUS } from "#core/device/testing/fine-status.ts";
import type { Driver, Line } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { FakeClock } from "../platform/clock.ts";
import { silentLog } from "../platform/log.ts";
import { createInProcessChannel } from "./channel.ts";
import { type Controller, startController } from "./runtime.ts";

const DEVICE: DeviceConfig = {
  ...{ id: "dev_1", orgId: "org", name: "Till", driver: "vendorA.isl", transport: "tcp" },
  connectionParams: { host: "h", port: 1 },
  ...{ timezone: "UTC", currency: "RON" },
};
const INFO = {
  ...{ serialNumber: "S", firmwareVersion: "1", fiscalMemorySerialNumber: "F" },
  ...{ manufacturer: "M", model: "X" },
};
const line: Line = { write: () => undefined, listen: () => undefined, close: () => undefined };
const noClock: Driver = {
  id: "vendorA.isl",
  commands: new Set<CommandType>(),
  connect: () =>
    Promise.resolve({
      info: INFO,
      execute: () => Promise.resolve({ data: { dateTime: dateTime(7_000) } }),
      resolve: () => Promise.resolve({ outcome: "not_printed", reason: "untouched" }),
      readStatus: () => Promise.resolve(FINE_STATUS),
      close: () => undefined,
    }),
};

let clock: FakeClock;
let driver: Driver;
/** Why its line cannot be had; it can when undefined. */
let fault: string | undefined;
let told: ToGateway[];
let tell: (message: ToController) => void;
let controller: Controller;

beforeEach(() => {
  clock = new FakeClock();
  [fault, told, driver] = [undefined, [], noClock];
  const channel = createInProcessChannel();
  tell = channel.gateway.send;
  channel.gateway.listen((message) => told.push(message));
  controller = startController(channel.controller, {
    ...{ clock, log: silentLog, random: () => 0, statusPollMs: 30_000, pauseLimitMs: 600_000 },
    findDriver: () => driver,
    openLine: () =>
      fault === undefined ? Promise.resolve(line) : Promise.reject(new FiscalError("E100", fault)),
  });
});
afterEach(() => controller.stop());

const seconds = (many: number) => clock.advanceAsync(many * 1_000);
const welcome = (): void => {
  tell({ type: "welcome", controllerId: "c", devices: [DEVICE], heartbeatSeconds: 15 });
};
const dateTime = (aheadMs: number) => new Date(clock.now() + aheadMs).toISOString();
const announced = () => told.flatMap((one) => (one.type === "device.announce" ? [one] : []));
const drifts = () =>
  told.flatMap((one) => (one.type === "device.status" ? [one.clockDriftMs ?? null] : []));
const states = () => told.filter(({ type }) => type === "device.status");

test("a line that is down is announced once, and again to whoever may not have heard it", async () => {
  fault = "refused";
  welcome();
  await seconds(3_600);
  expect(announced()).toMatchObject([{ link: "down", reason: "refused" }]);
  fault = "no route";
  await seconds(60);
  expect(announced().slice(1)).toMatchObject([{ link: "down", reason: "no route" }]);
  welcome();
  await seconds(60);
  expect(announced().slice(2)).toMatchObject([{ link: "down", reason: "no route" }]);
});

test("a line is used when it is accepted, not when the one before was", async () => {
  fault = "refused";
  welcome();
  await seconds(1);
  fault = undefined;
  await seconds(60);
  expect(announced()).toMatchObject([{ link: "down" }, { link: "up" }]);
  tell({ type: "announce.accepted", deviceId: DEVICE.id, link: "down" });
  await seconds(60);
  expect(states()).toEqual([]);
  tell({ type: "announce.accepted", deviceId: DEVICE.id, link: "up" });
  await seconds(1);
  expect(states()).toHaveLength(1);
});

test("what the gateway could not take is announced again a second later", async () => {
  welcome();
  await seconds(60);
  expect(announced()).toHaveLength(1);
  const about = { deviceId: DEVICE.id };
  tell({ type: "error", code: "NOT_STORED", message: "The disk", ...about });
  await seconds(1);
  expect(announced()).toMatchObject([{ link: "up" }, { link: "up" }]);
  tell({ type: "announce.accepted", ...about, link: "up" });
  await seconds(60);
  expect(states().length).toBeGreaterThan(0);
});

test("how far a clock is off is said again to a gateway that may not have heard it", async () => {
  driver = { ...driver, commands: new Set<CommandType>(["get_date_time"]) };
  const accepted = { type: "announce.accepted", deviceId: DEVICE.id, link: "up" } as const;
  welcome();
  await seconds(1);
  tell(accepted);
  await seconds(35);
  expect(drifts()).toEqual([7_000, 7_000]);
  welcome();
  await seconds(1);
  expect(drifts()).toEqual([7_000, 7_000, 7_000]);
});
