/** A device whose time zone or currency is changed while it is served. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import type { ToController, ToGateway } from "#core/controller/messages.ts";
import type { DeviceConfig } from "#core/device/device.ts";
import { FINE_STATUS } from "#core/device/testing/fine-status.ts";
import type { CommandProgress, Driver, Line } from "#core/driver.ts";
import { DocumentInDoubt, FiscalError } from "#core/errors.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { createInProcessChannel } from "./channel.ts";
import { type Controller, startController } from "./runtime.ts";

const LINE: Line = { write: () => undefined, listen: () => undefined, close: () => undefined };
const LOST = new FiscalError("E102", "lost");
const DEVICE: DeviceConfig = {
  ...{ id: "dev_1", orgId: "org", name: "Till", driver: "vendorA.isl", transport: "tcp" },
  connectionParams: { host: "h", port: 1 },
  ...{ timezone: "Europe/Bucharest", currency: "RON" },
};
const SOFIA = { ...DEVICE, timezone: "Europe/Sofia", currency: "EUR" };

let clock: FakeClock;
let controller: Controller;
/** What happened at the device, and under which place. */
let events: string[];
/** What becomes of the next documents; each is printed when there is nothing left. */
let script: ((progress: CommandProgress) => Promise<void>)[];
/** What the next attempts to connect wait for. */
let delays: Promise<void>[];
let told: ToGateway[];
let tell: (message: ToController) => void;

const driver: Driver = {
  id: "vendorA.isl",
  commands: new Set(),
  async connect(_line, { timezone, currency }) {
    const place = `${timezone} ${currency}`;
    events.push(`connect ${place}`);
    await delays.shift();
    return {
      info: {
        ...{ serialNumber: "S", firmwareVersion: "1", fiscalMemorySerialNumber: "F" },
        ...{ manufacturer: "M", model: "X" },
      },
      async execute({ id }, progress) {
        await progress.mark("baseline", {});
        await script.shift()?.(progress);
        events.push(`${id} ${place}`);
        return { data: {}, status: FINE_STATUS };
      },
      resolve({ id }) {
        events.push(`${id} found out ${place}`);
        return Promise.resolve({ outcome: "not_printed", reason: "untouched" });
      },
      readStatus: () => Promise.resolve(FINE_STATUS),
      close: () => events.push("close"),
    };
  },
};

beforeEach(async () => {
  clock = new FakeClock();
  [events, script, delays, told] = [[], [], [], []];
  const channel = createInProcessChannel();
  tell = channel.gateway.send;
  channel.gateway.listen((message) => {
    told.push(message);
    if (message.type === "device.announce" && message.link === "up")
      tell({ type: "announce.accepted", deviceId: message.deviceId });
    if (message.type === "command.mark")
      tell({ type: "mark.stored", commandId: message.commandId, mark: message.mark });
  });
  controller = startController(channel.controller, {
    ...{ clock, log: createLog({ level: "silent", clock }), random: () => 0 },
    findDriver: () => driver,
    openLine: () => Promise.resolve(LINE),
    ...{ statusPollMs: 30_000, pauseLimitMs: 600_000 },
  });
  await welcome(DEVICE);
});
afterEach(() => controller.stop());

async function welcome(device: DeviceConfig): Promise<void> {
  tell({ type: "welcome", controllerId: "builtin", devices: [device], heartbeatSeconds: 15 });
  await clock.advanceAsync(0);
}
async function assign(device: DeviceConfig): Promise<void> {
  tell({ type: "device.assigned", device });
  await clock.advanceAsync(0);
}
async function print(id: string): Promise<void> {
  const command = { id, type: "print_receipt", payload: {} } as const;
  const time = { expiresAt: "2026-01-01T00:00:00.000Z", expiresInMs: 180_000 };
  tell({
    ...{ type: "command.dispatch", command, device: DEVICE, epoch: 1, begun: false },
    ...time,
  });
  await clock.advanceAsync(0);
}
const links = () => told.flatMap((one) => (one.type === "device.announce" ? [one.link] : []));

test("is spoken to on another line at once while nothing is under way, and is never away", async () => {
  await assign(SOFIA);
  await print("c1");
  expect(events).toEqual([
    "connect Europe/Bucharest RON",
    "close",
    "connect Europe/Sofia EUR",
    "c1 Europe/Sofia EUR",
  ]);
  expect(links()).toEqual(["up", "up"]);
});

test.each([
  ["told by the gateway", assign],
  ["told as the gateway is connected to anew", welcome],
])("finishes what is under way as it began, and prints the next as %s", async (_how, change) => {
  const paper = Promise.withResolvers<void>();
  script = [() => paper.promise];
  await print("c1");
  await change(SOFIA);
  await print("c2");
  expect(events).toEqual(["connect Europe/Bucharest RON"]);
  paper.resolve();
  await clock.advanceAsync(0);
  expect(events.slice(1)).toEqual([
    "c1 Europe/Bucharest RON",
    "close",
    "connect Europe/Sofia EUR",
    "c2 Europe/Sofia EUR",
  ]);
});

test("is asked of a document in doubt by the place in which that was begun", async () => {
  const cut = Promise.withResolvers<void>();
  script = [() => cut.promise];
  await print("c1");
  await assign(SOFIA);
  cut.reject(new DocumentInDoubt(LOST));
  await clock.advanceAsync(1_000);
  await print("c2");
  expect(events).toEqual([
    "connect Europe/Bucharest RON",
    "close",
    "connect Europe/Bucharest RON",
    "c1 found out Europe/Bucharest RON",
    "close",
    "connect Europe/Sofia EUR",
    "c2 Europe/Sofia EUR",
  ]);
});

test("is spoken to by the place that was told while it was being connected to", async () => {
  const slow = Promise.withResolvers<void>();
  delays = [slow.promise];
  await assign({ ...DEVICE, currency: "EUR" });
  await assign(SOFIA);
  slow.resolve();
  await clock.advanceAsync(0);
  await print("c1");
  expect(events.slice(-3)).toEqual(["close", "connect Europe/Sofia EUR", "c1 Europe/Sofia EUR"]);
});

test("keeps its line under another name, and under a place that was taken back meanwhile", async () => {
  const paper = Promise.withResolvers<void>();
  script = [() => paper.promise];
  await print("c1");
  await assign({ ...SOFIA, name: "Bar" });
  await assign({ ...DEVICE, name: "Bar" });
  paper.resolve();
  await clock.advanceAsync(0);
  expect(events).toEqual(["connect Europe/Bucharest RON", "c1 Europe/Bucharest RON"]);
});
