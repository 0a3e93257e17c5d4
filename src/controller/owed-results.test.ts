/** Results that the gateway has not stored when the controller's process begins, or cannot read. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { CommandResult } from "#core/command/command.ts";
import type { ToController, ToGateway } from "#core/controller/messages.ts";
import type { ToldCommand } from "#core/controller/told-command.ts";
import type { DeviceConfig } from "#core/device/device.ts";
import type { Driver } from "#core/driver.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { createInProcessChannel } from "./channel.ts";
import type { KeptResult } from "./result-keeper.ts";
import { type Controller, startController } from "./runtime.ts";

const DAY_MS = 86_400_000;
const COMMAND = { id: "c1", type: "print_receipt", payload: {} } as const;
const PRINTED = { success: true, fiscalId: "27", data: { receiptNumber: "27" } };
const FAILED: CommandResult = {
  ...{ success: false, errorCode: "E306", errorMessage: "no paper" },
  data: { outcome: "not_printed", seen: "much" },
};
const DRIVER: Driver = {
  ...{ id: "vendorA.isl", commands: new Set() },
  connect: () => Promise.reject(new Error("there is no line")),
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

function keep(commandId: string, result: CommandResult, owedTo: string | null = null): void {
  const told = { commandId, deviceId: "dev_1", epoch: 1, result };
  kept.set(commandId, { ...told, owedTo, answered: null });
}

/** Starts the controller's process. */
function start(): void {
  const channel = createInProcessChannel();
  tell = channel.gateway.send;
  channel.gateway.listen((message) => told.push(message));
  controller = startController(channel.controller, {
    ...{ clock, log: createLog({ level: "silent", clock }), random: () => 0 },
    findDriver: () => DRIVER,
    openLine: () => Promise.reject(new Error("there is none")),
    results: {
      all: () => [...kept.values()],
      keep: (one) => kept.set(one.commandId, one),
      answered(commandId, answered) {
        const known = kept.get(commandId);
        if (known) kept.set(commandId, { ...known, answered });
      },
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
/** @param installationId of the gateway; older ones do not say */
const welcome = (devices: readonly DeviceConfig[], installationId?: string): ToController => ({
  ...{ type: "welcome", controllerId: "c", devices, heartbeatSeconds: 15 },
  ...(installationId === undefined ? {} : { installationId }),
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

/** The controller's process ends and begins again. */
async function restart(): Promise<void> {
  await controller.stop();
  start();
}

const TOLD = [["c1", 1, PRINTED]];

describe("while another gateway stands in", () => {
  test("are kept behind NOT_YOURS of one that does not know the device, for their own", async () => {
    start();
    await heard(welcome([{ ...DEVICE, id: "dev_other" }]));
    await heard(error("NOT_YOURS"));
    // Pointed at another gateway while its own is mended.
    await restart();
    expect(await heard(welcome([]))).toEqual(TOLD);
    await heard(error("NOT_YOURS"));
    expect(await heard(welcome([DEVICE]))).toEqual(TOLD);
    await heard({ type: "result.stored", commandId: "c1" });
    expect(kept.size).toBe(0);
  });

  test.each<[string, ToController]>([
    ["STALE", error("STALE")],
    ["NOT_YOURS", error("NOT_YOURS")],
    ["FINAL", error("FINAL")],
    ["stored", { type: "result.stored", commandId: "c1" }],
  ])(
    "are told it once, whatever devices it has, and kept for their own behind %s",
    async (_, answer) => {
      keep("c1", PRINTED, "own");
      start();
      expect(await heard(welcome([DEVICE], "spare"))).toEqual(TOLD);
      // It was not answered.
      expect(await heard(welcome([DEVICE], "spare"))).toEqual(TOLD);
      await heard(answer);
      expect(await heard(welcome([DEVICE], "spare"))).toEqual([]);
      await restart();
      expect(await heard(welcome([DEVICE], "spare"))).toEqual([]);
      expect(await heard(welcome([], "own"))).toEqual(TOLD);
      await heard(answer);
      expect(kept.size).toBe(0);
    },
  );

  test("are told one that does not say who it is once a process", async () => {
    start();
    expect(await heard(welcome([]))).toEqual(TOLD);
    await heard(error("NOT_YOURS"));
    expect(await heard(welcome([]))).toEqual([]);
    await restart();
    expect(await heard(welcome([]))).toEqual(TOLD);
  });

  test.each([undefined, "spare"])(
    "are given up 30 days after the first that is not theirs has answered (%s)",
    async (installationId) => {
      keep("c1", PRINTED, installationId === undefined ? null : "own");
      start();
      await heard(welcome([], installationId));
      await heard(error("NOT_YOURS"));
      await clock.advanceAsync(29 * DAY_MS);
      await restart();
      await heard(welcome([], installationId));
      await heard(error("NOT_YOURS"));
      expect(kept.size).toBe(1);
      await clock.advanceAsync(DAY_MS);
      expect(await heard(welcome([], installationId))).toEqual([]);
      expect(kept.size).toBe(0);
    },
  );

  test.each([
    ["had not been set", () => Date.UTC(1970, 0, 2)],
    ["was ahead", () => clock.now() + 3_000 * DAY_MS],
  ])("outlive a clock that %s", async (_, wrong) => {
    const right = clock.now();
    clock.jumpTo(wrong());
    keep("c1", PRINTED, "own");
    start();
    await heard(welcome([], "spare"));
    await heard(error("NOT_YOURS"));
    clock.jumpTo(right);
    await heard(welcome([], "spare"));
    await clock.advanceAsync(29 * DAY_MS);
    await heard(welcome([], "spare"));
    expect(await heard(welcome([], "own"))).toEqual(TOLD);
  });

  test("are owed to whichever has handed the command over last", async () => {
    keep("c1", PRINTED, "own");
    start();
    await heard(welcome([DEVICE], "restored"));
    await heard(error("STALE"));
    const handOver = { command: COMMAND, device: DEVICE, epoch: 2, mark: "committing" } as const;
    expect(await heard({ type: "command.resolve", ...handOver, baseline: {} })).toEqual([
      ["c1", 2, PRINTED],
    ]);
    expect(kept.get("c1")).toMatchObject({ owedTo: "restored", epoch: 2, answered: null });
    await heard({ type: "result.stored", commandId: "c1" });
    expect(kept.size).toBe(0);
  });

  test("that come up behind the change are owed to whoever handed their command over", async () => {
    kept.clear();
    start();
    await heard(welcome([DEVICE], "own"));
    await heard({
      ...{ type: "command.dispatch", command: COMMAND, device: DEVICE, epoch: 1, begun: true },
      ...{ expiresAt: "2026-01-01T00:00:00.000Z", expiresInMs: 180_000 },
    });
    await heard(welcome([DEVICE], "spare"));
    await clock.advanceAsync(190_000);
    expect(kept.get("c1")).toMatchObject({ owedTo: "own", answered: null });
  });
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

describe("a command of a type that a later version has", () => {
  const command = { id: "c2", type: "of_a_later_version", payload: {} } as unknown as ToldCommand;
  const order = { command, device: DEVICE, epoch: 1 };
  const failure = {
    success: false,
    ...{ errorCode: "E201", errorMessage: "This version knows no command of_a_later_version" },
  };
  const times = { expiresAt: "2026-01-15T10:00:00.000Z", expiresInMs: 60_000 };

  test("ends at once, as not begun, and so when it is handed over again", async () => {
    start();
    kept.clear();
    const dispatch = { type: "command.dispatch", ...order, ...times } as const;
    const result = { ...failure, data: { outcome: "not_printed" } };
    expect(await heard({ ...dispatch, begun: false })).toEqual([["c2", 1, result]]);
    expect(await heard({ ...dispatch, begun: true, epoch: 2 })).toEqual([["c2", 2, result]]);
  });

  test("that another controller has begun nobody here can tell the outcome of", async () => {
    start();
    const result = { ...failure, data: { outcome: "unknown" } };
    expect(
      await heard({ type: "command.resolve", ...order, mark: "committing", baseline: {} }),
    ).toEqual([["c2", 1, result]]);
  });
});
