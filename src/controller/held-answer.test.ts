/** Doubts about a printer that holds its answers back until somebody has loaded paper. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import type { ToGateway } from "#core/controller/messages.ts";
import type { DeviceConfig } from "#core/device/device.ts";
import { FINE_STATUS } from "#core/device/testing/fine-status.ts";
import type { Driver, Line } from "#core/driver.ts";
import { type FiscalError, LineFault } from "#core/errors.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { createInProcessChannel } from "./channel.ts";
import { type Controller, startController } from "./runtime.ts";

const DEVICE: DeviceConfig = {
  ...{ id: "dev_1", orgId: "org", name: "Till", driver: "vendorE.zfp", transport: "tcp" },
  connectionParams: { host: "h", port: 1 },
  ...{ timezone: "UTC", currency: "RON" },
};
const LINE: Line = { write: () => undefined, listen: () => undefined, close: () => undefined };
/** How long a driver waits for an answer. */
const ATTEMPT_MS = 60_000;

let clock: FakeClock;
let controller: Controller;
/** Why a question is given up; undefined once the printer answers. */
let lack: FiscalError | undefined;
let told: ToGateway[];

const driver: Driver = {
  id: "vendorE.zfp",
  commands: new Set(),
  connect: () =>
    Promise.resolve({
      info: {
        ...{ serialNumber: "S", firmwareVersion: "1", fiscalMemorySerialNumber: "F" },
        ...{ manufacturer: "M", model: "X" },
      },
      execute: () => Promise.resolve({ data: {} }),
      resolve: () =>
        new Promise((resolve, reject) => {
          clock.setTimer(ATTEMPT_MS, () => {
            if (lack) reject(lack);
            else resolve({ outcome: "printed", success: { data: {} } });
          });
        }),
      readStatus: () => Promise.resolve(FINE_STATUS),
      close: () => undefined,
    }),
};

beforeEach(() => {
  clock = new FakeClock();
  told = [];
  const channel = createInProcessChannel();
  const tell = channel.gateway.send;
  channel.gateway.listen((message) => {
    told.push(message);
    if (message.type !== "device.announce" || message.link !== "up") return;
    tell({ type: "announce.accepted", deviceId: message.deviceId });
  });
  controller = startController(channel.controller, {
    clock,
    log: createLog({ level: "info", clock, sink: { write: () => undefined } }),
    random: () => 0,
    findDriver: () => driver,
    openLine: () => Promise.resolve(LINE),
    ...{ statusPollMs: 30_000, pauseLimitMs: 600_000 },
  });
  tell({
    ...{ type: "welcome", controllerId: "builtin", devices: [DEVICE], heartbeatSeconds: 15 },
  });
  const command = { id: "cmd_1", type: "print_receipt", payload: {} } as const;
  const known = { epoch: 2, mark: "committing", baseline: {} } as const;
  tell({ type: "command.resolve", command, device: DEVICE, ...known });
});
afterEach(() => controller.stop());

const results = () => told.flatMap((one) => (one.type === "command.result" ? [one.result] : []));

test("what holds a payment waits for paper for as long as it takes", async () => {
  lack = new LineFault("E306", "The device holds its answer back");
  await clock.advanceAsync(3_600_000);
  expect(results()).toEqual([]);
  lack = undefined;
  await clock.advanceAsync(2 * ATTEMPT_MS);
  expect(results()).toMatchObject([{ success: true, data: { recovered: true } }]);
});

test("a person is asked after ten minutes of any other silence", async () => {
  lack = new LineFault("E501", "The device went silent");
  await clock.advanceAsync(700_000);
  expect(results()).toMatchObject([{ success: false, data: { outcome: "unknown" } }]);
});
