import { afterEach, expect, test } from "bun:test";
import type { ToGateway } from "#core/controller/messages.ts";
import type { DeviceConfig } from "#core/device/device.ts";
import type { Driver } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { createInProcessChannel } from "./channel.ts";
import { type Controller, startController } from "./runtime.ts";

const DEVICE: DeviceConfig = {
  id: "dev_1",
  orgId: "org_1",
  name: "Printer",
  driver: "vendorA.isl",
  transport: "serial",
  connectionParams: { address: "/dev/ttyUSB0" },
  timezone: "Europe/Sofia",
  currency: "EUR",
};
const DRIVER: Driver = {
  id: "vendorA.isl",
  commands: new Set(),
  connect: () => Promise.reject(new Error("never gets that far")),
};

let controller: Controller;
afterEach(() => controller.stop());

test("a device whose cable is back is tried at once, not after the wait for it", async () => {
  const clock = new FakeClock();
  const told: ToGateway[] = [];
  const watches = new Set<() => void>();
  let attempts = 0;
  const channel = createInProcessChannel();
  channel.gateway.listen((message) => told.push(message));
  controller = startController(channel.controller, {
    clock,
    log: createLog({ level: "silent", clock }),
    random: () => 0,
    findDriver: () => DRIVER,
    openLine() {
      attempts += 1;
      return Promise.reject(new FiscalError("E103", "There is no port /dev/ttyUSB0"));
    },
    watchArrival(_device, arrived) {
      watches.add(arrived);
      return () => watches.delete(arrived);
    },
    statusPollMs: 30_000,
    pauseLimitMs: 600_000,
  });
  const devices = [DEVICE];
  channel.gateway.send({ type: "welcome", controllerId: "builtin", devices, heartbeatSeconds: 15 });
  await clock.advanceAsync(0);
  expect([attempts, watches.size]).toEqual([1, 1]);
  for (const arrived of watches) arrived();
  await clock.advanceAsync(0);
  expect([attempts, watches.size]).toEqual([2, 1]);
  expect(told).toContainEqual(
    expect.objectContaining({ type: "device.announce", reason: "There is no port /dev/ttyUSB0" }),
  );
});
