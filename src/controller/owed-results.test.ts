/** Results that the gateway has not stored when the controller's process begins, or cannot read. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import type { CommandResult } from "#core/command/command.ts";
import type { ToController, ToGateway } from "#core/controller/messages.ts";
import type { DeviceConfig } from "#core/device/device.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { createInProcessChannel } from "./channel.ts";
import type { KeptResult } from "./result-keeper.ts";
import { type Controller, startController } from "./runtime.ts";

const PRINTED = { success: true, fiscalId: "27", data: { receiptNumber: "27" } };
const FAILED: CommandResult = {
  ...{ success: false, errorCode: "E306", errorMessage: "no paper" },
  data: { outcome: "not_printed", seen: "much" },
};
/** Nothing answers there. */
const DEVICE: DeviceConfig = {
  ...{ id: "dev_1", orgId: "org", name: "Till", driver: "vendorA.isl", transport: "tcp" },
  ...{ connectionParams: { host: "h", port: 1 }, timezone: "UTC", currency: "RON" },
};

let clock: FakeClock;
let controller: Controller;
/** What outlives the process. */
let kept: Map<string, KeptResult>;
let told: ToGateway[];
let tell: (message: ToController) => void;

beforeEach(() => {
  clock = new FakeClock();
  told = [];
  kept = new Map();
  keep("c1", PRINTED);
});
afterEach(() => controller.stop());

function keep(commandId: string, result: CommandResult): void {
  kept.set(commandId, { commandId, deviceId: "dev_1", epoch: 1, result });
}

/** Starts the controller's process. */
function start(): void {
  const channel = createInProcessChannel();
  tell = channel.gateway.send;
  channel.gateway.listen((message) => told.push(message));
  controller = startController(channel.controller, {
    ...{ clock, log: createLog({ level: "silent", clock }), random: () => 0 },
    findDriver: () => undefined,
    openLine: () => Promise.reject(new Error("there is none")),
    results: {
      all: () => [...kept.values()],
      keep: (one) => kept.set(one.commandId, one),
      forget: (commandId) => kept.delete(commandId),
    },
    ...{ statusPollMs: 30_000, pauseLimitMs: 600_000 },
  });
}

/** @returns the results that were told since the last time, by command */
async function heard(message: ToController): Promise<unknown[]> {
  told = [];
  tell(message);
  await clock.advanceAsync(0);
  return told.flatMap((one) =>
    one.type === "command.result" ? [[one.commandId, one.epoch, one.result]] : [],
  );
}
const welcome = (devices: readonly DeviceConfig[]): ToController => ({
  ...{ type: "welcome", controllerId: "c", devices, heartbeatSeconds: 15 },
});
const error = (code: string, commandId = "c1"): ToController => ({
  ...{ type: "error", code, message: "no", commandId, epoch: 1 },
});

test.each([
  { whose: "its own", devices: [DEVICE] },
  { whose: "another controller's by now", devices: [] },
])(
  "are told at the first welcome where their device is $whose, and at each one after",
  async ({ devices }) => {
    start();
    expect(await heard(welcome(devices))).toEqual([["c1", 1, PRINTED]]);
    expect(await heard(welcome(devices))).toEqual([["c1", 1, PRINTED]]);
    await heard({ type: "result.stored", commandId: "c1" });
    expect(kept.size).toBe(0);
    expect(await heard(welcome(devices))).toEqual([]);
  },
);

test.each(["STALE", "NOT_YOURS", "FINAL"])("are forgotten behind %s", async (code) => {
  start();
  await heard(welcome([DEVICE]));
  expect(await heard(error(code))).toEqual([]);
  expect(kept.size).toBe(0);
});

test("are kept behind NOT_YOURS of a gateway that does not know the device, for their own", async () => {
  start();
  await heard(welcome([{ ...DEVICE, id: "dev_other" }]));
  await heard(error("NOT_YOURS"));
  // Pointed at another gateway while its own is mended.
  await controller.stop();
  start();
  expect(await heard(welcome([]))).toEqual([["c1", 1, PRINTED]]);
  await heard(error("NOT_YOURS"));
  expect(await heard(welcome([DEVICE]))).toEqual([["c1", 1, PRINTED]]);
  await heard({ type: "result.stored", commandId: "c1" });
  expect(kept.size).toBe(0);
});

test("that the gateway cannot read are told once more with less, and kept", async () => {
  keep("c2", FAILED);
  start();
  await heard(welcome([]));
  expect(await heard(error("INVALID_MESSAGE"))).toEqual([
    ["c1", 1, { success: true, fiscalId: "27" }],
  ]);
  const least = { success: false, errorCode: "E900", data: { outcome: "not_printed" } };
  expect(await heard(error("INVALID_MESSAGE", "c2"))).toMatchObject([["c2", 1, least]]);
  // Nor less than that.
  expect(await heard(error("INVALID_MESSAGE"))).toEqual([]);
  expect(kept.get("c1")?.result).toEqual(PRINTED);
  expect(await heard(welcome([]))).toMatchObject([
    ["c1", 1, { success: true, fiscalId: "27" }],
    ["c2", 1, least],
  ]);
});

test("that could not be written down are told again a second later", async () => {
  start();
  await heard(welcome([]));
  expect(await heard(error("NOT_STORED"))).toEqual([]);
  told = [];
  await clock.advanceAsync(1_000);
  expect(told).toMatchObject([{ type: "command.result", commandId: "c1" }]);
});
