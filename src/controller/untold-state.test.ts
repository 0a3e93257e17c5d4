/** A device that answers when it is asked for its state, but tells none. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import type { ToGateway } from "#core/controller/messages.ts";
import type { DeviceConfig, DeviceStatus } from "#core/device/device.ts";
import { FINE_STATUS } from "#core/device/testing/fine-status.ts";
import type { Driver, Line } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { createInProcessChannel } from "./channel.ts";
import { type Controller, startController } from "./runtime.ts";

const POLL_MS = 30_000;
const READS_MAX = 50;
const SENSELESS = new FiscalError("E902", "The device's answer has no status");
const LINE: Line = { write: () => undefined, listen: () => undefined, close: () => undefined };

let clock: FakeClock;
let controller: Controller;
/** What the device answers to the question for its state. */
let answer: DeviceStatus | FiscalError;
let reads: number;
let connects: number;
let told: ToGateway[];
let lines: string[];

const driver: Driver = {
  id: "vendorA.isl",
  commands: new Set(["get_date_time"] as const),
  connect() {
    connects += 1;
    return Promise.resolve({
      info: {
        ...{ serialNumber: "S", firmwareVersion: "1", fiscalMemorySerialNumber: "F" },
        ...{ manufacturer: "M", model: "X" },
      },
      execute: () => Promise.resolve({ data: { dateTime: new Date(clock.now()).toISOString() } }),
      resolve: () => Promise.reject(new Error("nothing is in doubt")),
      readStatus() {
        reads += 1;
        // Asked without a pause it would be asked for ever.
        if (reads > READS_MAX) return new Promise(() => undefined);
        return answer instanceof FiscalError ? Promise.reject(answer) : Promise.resolve(answer);
      },
      close: () => undefined,
    });
  },
};

beforeEach(async () => {
  clock = new FakeClock();
  [answer, reads, connects, told, lines] = [SENSELESS, 0, 0, [], []];
  const channel = createInProcessChannel();
  channel.gateway.listen((message) => {
    told.push(message);
    const { type } = message;
    if (type !== "device.announce" || message.link !== "up") return;
    channel.gateway.send({ type: "announce.accepted", deviceId: message.deviceId });
  });
  controller = startController(channel.controller, {
    clock,
    log: createLog({ level: "info", clock, sink: { write: (text) => lines.push(text) } }),
    random: () => 0,
    findDriver: () => driver,
    openLine: () => Promise.resolve(LINE),
    ...{ statusPollMs: POLL_MS, pauseLimitMs: 600_000 },
  });
  const device: DeviceConfig = {
    ...{ id: "dev_1", orgId: "org", name: "Till", driver: "vendorA.isl", transport: "tcp" },
    connectionParams: { host: "h", port: 1 },
    ...{ timezone: "UTC", currency: "RON" },
  };
  channel.gateway.send({
    ...{ type: "welcome", controllerId: "builtin", devices: [device], heartbeatSeconds: 15 },
  });
  await clock.advanceAsync(0);
});
afterEach(() => controller.stop());

const polls = async (count: number): Promise<void> => {
  for (let poll = 0; poll < count; poll += 1) await clock.advanceAsync(POLL_MS);
};
const links = () => told.flatMap((one) => (one.type === "device.announce" ? [one.link] : []));
const states = () => told.flatMap((one) => (one.type === "device.status" ? [one.status] : []));
const logged = () => lines.filter((text) => text.includes("does not tell its state"));

test("keeps its line, and is asked again with each poll", async () => {
  await polls(3);
  expect([connects, links(), reads]).toEqual([1, ["up"], 4]);
  expect(states().at(-1)).toMatchObject({
    ...{ paper: null, hardwareError: null },
    errors: [{ code: "E902", message: SENSELESS.message }],
  });
});

test("is asked with each poll also when its clock was read before", async () => {
  answer = FINE_STATUS;
  await polls(2);
  const before = reads;
  answer = SENSELESS;
  await polls(3);
  expect(reads - before).toBe(3);
});

test("is shown as out of paper, open or broken until it tells that it is not", async () => {
  answer = { ...FINE_STATUS, paper: "out", cover: "open", hardwareError: true };
  await polls(1);
  answer = SENSELESS;
  await polls(1);
  expect(states().at(-1)).toMatchObject({ paper: "out", cover: "open", hardwareError: true });
  answer = FINE_STATUS;
  await polls(1);
  answer = SENSELESS;
  await polls(1);
  expect(states().at(-1)).toMatchObject({ paper: null, cover: null, hardwareError: null });
});

test("is shown with whatever else raised an alert until it tells that it is fine", async () => {
  const wrong = {
    ...({ paper: "low", fiscalMemory: "full" } as const),
    ...{ dayCloseRequired: true, clockSet: false },
  };
  answer = { ...FINE_STATUS, ...wrong };
  await polls(1);
  answer = SENSELESS;
  await polls(1);
  expect(states().at(-1)).toMatchObject({ ...wrong, cover: null, fiscalDayOpen: null });
});

test("is told in the log once until that changes", async () => {
  await polls(3);
  expect(logged()).toHaveLength(1);
  answer = new FiscalError("E305", "The device refused");
  await polls(2);
  expect(logged()).toHaveLength(2);
  answer = FINE_STATUS;
  await polls(1);
  expect(states().at(-1)).toEqual(FINE_STATUS);
  answer = SENSELESS;
  await polls(2);
  expect(logged()).toHaveLength(3);
});

test("loses its line with a fault of the line", async () => {
  answer = new FiscalError("E101", "silent");
  await polls(1);
  expect(links()).toContain("down");
  expect(connects).toBeGreaterThan(1);
});
