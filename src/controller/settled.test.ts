/** A document that a person settled, and its job here that is still under way. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Baseline, Mark } from "#core/command/marks.ts";
import type { ToController, ToGateway } from "#core/controller/messages.ts";
import type { DeviceConfig } from "#core/device/device.ts";
import { FINE_STATUS } from "#core/device/testing/fine-status.ts";
import type { CommandProgress, Driver, Line } from "#core/driver.ts";
import { DocumentInDoubt, FiscalError } from "#core/errors.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { createInProcessChannel } from "./channel.ts";
import { type Controller, startController } from "./runtime.ts";

const DEVICE: DeviceConfig = {
  ...{ id: "dev_1", orgId: "org", name: "Till", driver: "vendorA.isl", transport: "tcp" },
  ...{ connectionParams: { host: "h", port: 1 }, timezone: "UTC", currency: "RON" },
};
const LINE: Line = { write: () => undefined, listen: () => undefined, close: () => undefined };
const COMMAND = { type: "print_receipt", payload: {} } as const;

/** What the device does with the next commands, in order; success when there is nothing left. */
let script: ((progress: CommandProgress) => Promise<void>)[];
/** What was asked of the driver. */
let events: string[];
/** What it was asked with. */
let evidence: Baseline[];
/** The marks behind which the driver went on. */
let reached: Mark[];
let clock: FakeClock;
let controller: Controller;
let told: ToGateway[];
let tell: (message: ToController) => void;

const driver: Driver = {
  id: "vendorA.isl",
  commands: new Set(),
  connect: () =>
    Promise.resolve({
      info: {
        ...{ serialNumber: "S", firmwareVersion: "1", fiscalMemorySerialNumber: "F" },
        ...{ manufacturer: "M", model: "X" },
      },
      async execute({ id }, progress) {
        events.push(`execute ${id}`);
        await script.shift()?.(progress);
        return { data: {}, status: FINE_STATUS };
      },
      resolve({ id }, { mark, baseline }) {
        evidence.push(baseline);
        events.push(`resolve ${id} from ${mark}`);
        return Promise.resolve({ outcome: "not_printed", reason: "cancelled" });
      },
      readStatus: () => Promise.resolve(FINE_STATUS),
      close: () => undefined,
    }),
};
const prints = async (progress: CommandProgress): Promise<void> => {
  for (const mark of ["baseline", "opened", "committing", "committed"] as const) {
    await progress.mark(mark);
    reached.push(mark);
  }
};

beforeEach(async () => {
  clock = new FakeClock();
  [script, events, evidence, reached, told] = [[prints], [], [], [], []];
  const channel = createInProcessChannel();
  tell = channel.gateway.send;
  channel.gateway.listen((message) => {
    told.push(message);
    const isUp = message.type === "device.announce" && message.link === "up";
    if (isUp) tell({ type: "announce.accepted", deviceId: message.deviceId });
  });
  controller = startController(channel.controller, {
    ...{ clock, log: createLog({ level: "silent", clock }), random: () => 0 },
    ...{ findDriver: () => driver, openLine: () => Promise.resolve(LINE) },
    ...{ statusPollMs: 30_000, pauseLimitMs: 600_000 },
  });
  tell({ type: "welcome", controllerId: "c", devices: [DEVICE], heartbeatSeconds: 15 });
  await clock.advanceAsync(0);
  await dispatch("c1");
});
afterEach(() => controller.stop());

async function dispatch(id: string): Promise<void> {
  const times = { expiresAt: "1970-01-01T00:00:00.000Z", expiresInMs: 180_000 };
  const command = { id, ...COMMAND };
  const order = { device: DEVICE, command, begun: false, epoch: 1, ...times };
  tell({ type: "command.dispatch", ...order });
  await clock.advanceAsync(0);
}
/** The gateway asks what became of it. */
async function settled(mark: Mark, how: object = { settled: true }): Promise<void> {
  const command = { id: "c1", ...COMMAND };
  const order = { device: DEVICE, command, baseline: {}, epoch: 2 };
  tell({ type: "command.resolve", ...order, mark, ...how });
  await clock.advanceAsync(2_000);
}
/** Types of what was said under a hand-over. */
const saidOf = (epoch: number) =>
  told.filter((message) => "epoch" in message && message.epoch === epoch).map(({ type }) => type);
const results = () =>
  told.flatMap((message) =>
    message.type === "command.result" ? [{ id: message.commandId, ...message.result }] : [],
  );
const NOT_PRINTED = { id: "c1", data: { outcome: "not_printed" } };

test.each([{ settled: true, neverFinish: true }, { settled: true }])(
  "goes no further while it waits for a mark, and its driver says what became of it: %j",
  async (how) => {
    tell({ type: "mark.stored", commandId: "c1", mark: "baseline" });
    await clock.advanceAsync(0);
    // That this one was stored was never heard here.
    await settled("committing", how);
    expect(reached).toEqual(["baseline", "opened"]);
    // It has cancelled it, and a device that tells little would tell less when it is asked anew.
    expect(events).toEqual(["execute c1"]);
    expect(saidOf(2)).toEqual(["command.result"]);
    expect(results()).toMatchObject([{ ...NOT_PRINTED, errorCode: "E903" }]);
    tell({ type: "result.stored", commandId: "c1" });
    await dispatch("c2");
    expect(events.at(-1)).toBe("execute c2");
  },
);

test("is not opened where nothing was yet", async () => {
  await settled("baseline");
  expect(reached).toEqual([]);
  expect(events).toEqual(["execute c1"]);
  expect(results()).toMatchObject([NOT_PRINTED]);
});

test("is settled so by an older gateway too, where it was called not printed", async () => {
  await settled("baseline", { neverFinish: true });
  expect(results()).toMatchObject([NOT_PRINTED]);
});

test("is told as printed where it was being paid", async () => {
  const paid = Promise.withResolvers<void>();
  script = [(progress) => paid.promise.then(() => progress.mark("committed"))];
  tell({ type: "error", code: "FINAL", message: "ended", commandId: "c1", epoch: 1 });
  await clock.advanceAsync(0);
  await dispatch("c1");
  await settled("committing", { settled: true, neverFinish: true });
  paid.resolve();
  await clock.advanceAsync(1_000);
  expect(saidOf(2)).toEqual(["command.result"]);
  expect(results()).toMatchObject([{ id: "c1", success: true }]);
});

/**
 * A sale that waits for paper behind a mark, is settled, and waits on.
 * @param mark the last one that is stored, as the gateway has it
 * @returns whether it might go on, and whether its wait had a limit, before that and after
 */
async function waiting(mark: Mark, how: object, end: () => Promise<void> | void) {
  const asked: (readonly [mayGoOn: boolean, hasLimit: boolean])[] = [];
  const paper = Promise.withResolvers<void>();
  script = [
    async (progress) => {
      await progress.mark(mark);
      progress.paused("paper_out");
      asked.push([progress.mayGoOn(), progress.hasLimit()]);
      await paper.promise;
      asked.push([progress.mayGoOn(), progress.hasLimit()]);
      await end();
    },
  ];
  tell({ type: "error", code: "FINAL", message: "ended", commandId: "c1", epoch: 1 });
  await clock.advanceAsync(0);
  await dispatch("c1");
  tell({ type: "mark.stored", commandId: "c1", mark });
  await clock.advanceAsync(0);
  await settled(mark, how);
  paper.resolve();
  await clock.advanceAsync(1_000);
  return asked;
}
const cancelled = (): never => {
  throw new FiscalError("E306", "Out of paper");
};

test.each([
  { was: "not printed", how: { settled: true, neverFinish: true } },
  { was: "printed under a number, which is another paper's", how: { settled: true } },
])("goes no further where it stands still and was called $was", async ({ how }) => {
  expect(await waiting("committing", how, cancelled)).toEqual([
    [true, true],
    [false, true],
  ]);
  // Its driver has cancelled it, and says what became of it.
  expect(events).not.toContain("resolve c1 from committing");
  expect(results()).toMatchObject([{ success: false, data: { outcome: "not_printed" } }]);
  expect(told).not.toContainEqual(expect.objectContaining({ link: "down" }));
});

const PRINTED = { settled: true, mayPrint: true };

test("goes on where it stands still and was called printed, however long that takes", async () => {
  expect(await waiting("committing", PRINTED, () => undefined)).toEqual([
    [true, true],
    [true, false],
  ]);
  expect(results()).toMatchObject([{ id: "c1", success: true }]);
});

test("goes no further where it was called printed and was not allowed to pay yet", async () => {
  expect(await waiting("baseline", PRINTED, cancelled)).toEqual([
    [true, true],
    [false, true],
  ]);
  expect(results()).toMatchObject([NOT_PRINTED]);
});

test.each([PRINTED, { settled: true, neverFinish: true }])(
  "keeps what it has seen paid for whoever finds out about it: %j",
  async (how) => {
    const frames: string[] = [];
    const lost = async (progress: CommandProgress): Promise<never> => {
      await progress.mark("committing", { paid: true });
      frames.push("close");
      throw new DocumentInDoubt(new FiscalError("E102", "The line was lost"));
    };
    const paper = Promise.withResolvers<void>();
    script = [
      async (progress) => {
        await progress.mark("committing", { number: 26 });
        await paper.promise;
        await lost(progress);
      },
    ];
    tell({ type: "error", code: "FINAL", message: "ended", commandId: "c1", epoch: 1 });
    await clock.advanceAsync(0);
    await dispatch("c1");
    tell({ type: "mark.stored", commandId: "c1", mark: "committing" });
    await clock.advanceAsync(0);
    await settled("committing", how);
    paper.resolve();
    await clock.advanceAsync(0);
    // It is on disk before it is closed.
    const learned = { number: 26, paid: true };
    expect(told.at(-1)).toMatchObject({ epoch: 2, learned: true, baseline: learned });
    expect(frames).toEqual([]);
    // Asked anew meanwhile: what it has seen is no wish to go on.
    await settled("committing", how);
    expect(frames).toEqual([]);
    tell({ type: "mark.stored", commandId: "c1", mark: "committing" });
    await clock.advanceAsync(10_000);
    expect(frames).toEqual(["close"]);
    expect(evidence).toEqual([learned]);
  },
);

test("keeps it too where the word came while it was being stored", async () => {
  const ended = Promise.withResolvers<unknown>();
  script = [
    async (progress) => {
      await progress.mark("committing", { number: 26 });
      await progress.mark("committing", { paid: true }).then(ended.resolve, ended.resolve);
    },
  ];
  tell({ type: "error", code: "FINAL", message: "ended", commandId: "c1", epoch: 1 });
  await clock.advanceAsync(0);
  await dispatch("c1");
  tell({ type: "mark.stored", commandId: "c1", mark: "committing" });
  await clock.advanceAsync(0);
  await settled("committing", PRINTED);
  expect(told.at(-1)).toMatchObject({ epoch: 2, learned: true, baseline: { paid: true } });
  tell({ type: "mark.stored", commandId: "c1", mark: "committing" });
  expect(await ended.promise).toBeUndefined();
});

test("is told by its driver too where the refusal of its mark came first", async () => {
  const cancelled = Promise.withResolvers<void>();
  script = [(progress) => prints(progress).finally(() => cancelled.promise)];
  tell({ type: "error", code: "FINAL", message: "settled", commandId: "c1" });
  await clock.advanceAsync(0);
  await dispatch("c1");
  tell({ type: "error", code: "FINAL", message: "settled", commandId: "c1" });
  await settled("baseline");
  cancelled.resolve();
  await clock.advanceAsync(1_000);
  expect(events.at(-1)).toBe("execute c1");
  expect(results()).toMatchObject([NOT_PRINTED]);
});
