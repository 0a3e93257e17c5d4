/** What becomes of a printer that is asked for its last document, and of what waits for its word. */

import { describe, expect, test } from "bun:test";
import { type CommandResult, isFinal } from "#core/command/command.ts";
import type { AheadMode } from "#core/device/ahead-mode.ts";
import { printerOf } from "#core/device/printer.ts";
import { createLog } from "../platform/log.ts";
import { createRandom } from "../platform/random.ts";
import { DocumentChecks } from "./document-check.ts";
import { takeUpTime } from "./kept-time.ts";
import { createRecordKeeper } from "./record-keeper.ts";
import { RestoredState } from "./restored-state.ts";
import { createQueueBench, DEVICE, ORG } from "./testing/queue-bench.ts";
import { TimerQueue } from "./timer-queue.ts";

const MEMORY = "50123456";
/** Receipt 27, which the database knows too. */
const KNOWN: CommandResult = {
  success: true,
  fiscalId: "27",
  data: {
    receiptNumber: "27",
    fiscalMemorySerialNumber: MEMORY,
    issuedAt: "2026-01-01T00:00:00.000Z",
  },
};
const TOLD: CommandResult = {
  success: true,
  data: {
    lastReceipt: {
      ...{ receiptNumber: "27", fiscalMemorySerialNumber: MEMORY },
      ...{ receiptDateTime: "2026-01-01T00:00:00.000Z", receiptAmount: 3 },
    },
  },
};
const issued = (known: CommandResult, issuedAt: unknown): CommandResult =>
  issuedAt === undefined ? known : { ...known, data: { ...known.data, issuedAt } };
const refusal = (errorCode: "E201" | "E305" | "E306" | "E902"): CommandResult => ({
  success: false,
  errorCode,
  errorMessage: "refused",
});

/** More often than one that refuses is asked. */
const ASKED_MAX = 20;
/** It is asked again after this at the latest. */
const ASKED_AGAIN_MAX_MS = 600_000;

interface Start {
  readonly whenAhead?: AheadMode;
  /** The disk is full when the printer is first asked. */
  readonly isFull?: boolean;
  /** The state was put back from a copy. */
  readonly isRestored?: boolean;
  /** When the receipt was printed that the database knows. */
  readonly issuedAt?: string;
  /** It knows none. */
  readonly knowsNone?: boolean;
}

/** A printer that has printed receipt 27, and a start behind which one more waits for its word. */
async function started(start: Start = {}) {
  const { whenAhead = "alert", isFull = false, isRestored = false, knowsNone = false } = start;
  const bench = createQueueBench();
  bench.controller.id = "builtin";
  bench.stores.devices.insert({
    ...{ id: DEVICE, orgId: ORG, name: "Till", driver: "vendorE.zfp", transport: "tcp" },
    ...{ locationId: "loc_1", managedBy: "builtin", connectionParams: { host: "h", port: 1 } },
    ...{ controllerId: null, controllerName: null, storedStatus: "online", lastSeenAt: 1 },
    ...{ serialNumber: "AB123456", fiscalMemorySerialNumber: MEMORY, model: null },
    ...{ firmwareVersion: null, charsPerLine: null, reversalTenders: null, addressKeys: null },
    ...{ createdAt: 0, updatedAt: 0 },
  });
  bench.stores.locations.insert({
    ...{ id: "loc_1", orgId: ORG, name: "Shop", address: null, timezone: "Europe/Sofia" },
    ...{ createdAt: 0, updatedAt: 0 },
  });
  if (!knowsNone) {
    await bench.finished("builtin", await bench.submit(), issued(KNOWN, start.issuedAt));
  }
  const waiting = await bench.submit();
  const { stores, clock } = bench;
  const checksOf = () => {
    const random = createRandom(clock);
    const options = {
      ...{ stores, clock, random, writer: bench.writer, queue: bench.queue },
      time: takeUpTime(stores.appliance, clock),
      ...{ log: createLog({ level: "silent", clock }), timers: new TimerQueue(clock) },
      controllers: { reaches: () => true },
    };
    return isRestored
      ? new RestoredState({ ...options, records: createRecordKeeper(stores, random) })
      : new DocumentChecks({ ...options, whenAhead, onChange: () => undefined });
  };
  // Before the queue takes anything up, as at a start.
  await checksOf().begin();
  await bench.restart();
  const checks = checksOf();
  // What waits since before the start is known to whoever has begun alone.
  if (knowsNone) await checks.begin();
  /** The disk refuses what is written behind the end of a question. */
  const disk = {
    isFullBehind: false,
    set isFull(isFull: boolean) {
      bench.database.sqlite.exec(`PRAGMA query_only = ${isFull ? "ON" : "OFF"}`);
    },
  };
  bench.bus.subscribe(({ event }) => {
    if (event.type !== "command.updated" || !isFinal(event.command.status)) return;
    if (disk.isFullBehind) disk.isFull = true;
    checks.ended(event.command);
  });
  const question = () => {
    const asked = [...stores.commands.listUnfinished()].find(
      ({ type }) => type === "get_last_receipt_info",
    );
    return asked?.id;
  };
  const answer = async (result: CommandResult): Promise<void> => {
    const id = question();
    if (id === undefined) throw new Error("nothing is asked");
    await bench.told("builtin", id, result);
    await bench.atRest();
  };
  disk.isFull = isFull;
  checks.reached(DEVICE);
  await bench.atRest();
  disk.isFull = false;
  /** Refuses as often as it is asked, until it is asked no more. @returns how often that was */
  const refuseAll = async (errorCode: "E305" | "E902" = "E305"): Promise<number> => {
    let times = 0;
    for (let pauseMs = 5_000; times < ASKED_MAX && question() !== undefined; pauseMs *= 2) {
      await answer(refusal(errorCode));
      times += 1;
      if (isAsked()) await bench.tick(pauseMs);
    }
    return times;
  };
  const isAsked = () => {
    const rows = isRestored ? stores.restoredPrinters.list() : stores.documentChecks.list();
    return rows.some(({ state }) => state === "asked");
  };
  const isHeld = () => bench.queue.isHeld(DEVICE);
  return { bench, checks, disk, question, answer, refuseAll, isAsked, isHeld, waiting };
}

test("what waited for a printer of which nothing was known is not printed blindly", async () => {
  const { bench, answer, waiting } = await started({ knowsNone: true });
  // What shares the transaction of the answer is refused, and undoes it once.
  const refused = bench.writer.run(() => {
    throw new Error("refused");
  });
  expect(refused).rejects.toThrow("refused");
  await answer(TOLD);
  expect(bench.result(waiting)).toMatchObject({ success: false, data: { outcome: "unknown" } });
  expect(bench.stores.documentChecks.list()).toMatchObject([{ state: "unknown" }]);
});

test("what a printer is still to tell outlives its record, for a week that has passed", async () => {
  const { bench, checks, isAsked } = await started();
  const WEEK_MS = 7 * 86_400_000;
  await bench.writer.run(() => bench.stores.devices.remove(ORG, DEVICE));
  bench.clock.jumpTo(bench.clock.now() + 2 * WEEK_MS);
  await checks.begin();
  expect(isAsked()).toBe(true);
  bench.clock.stall(WEEK_MS + 1);
  await checks.begin();
  expect(isAsked()).toBe(false);
});

test("a refusal of the question is no word of the printer: it is asked again", async () => {
  const { bench, answer, isHeld, question, waiting } = await started();
  await answer(refusal("E305"));
  expect([isHeld(), bench.status(waiting), question()]).toEqual([true, "pending", undefined]);
  await bench.tick(5_000);
  await answer(TOLD);
  expect([isHeld(), bench.out().at(-1)]).toEqual([false, `dispatch ${waiting}`]);
});

test("a printer that cannot tell is not asked again, and goes on", async () => {
  const { bench, answer, isHeld, waiting } = await started();
  await answer(refusal("E201"));
  expect([isHeld(), bench.out().at(-1)]).toEqual([false, `dispatch ${waiting}`]);
});

test("a printer without paper, which refuses whatever it is asked, is asked until it has some", async () => {
  const { bench, answer, isAsked } = await started();
  for (let time = 0; time < 20; time += 1) {
    await answer(refusal("E306"));
    await bench.tick(ASKED_AGAIN_MAX_MS);
  }
  expect(isAsked()).toBe(true);
  await answer(TOLD);
  expect(isAsked()).toBe(false);
});

/** What is told of a sale that its printer may have printed. */
const DOUBTED = { errorCode: "E903", data: { outcome: "unknown" } };

test("a printer that refuses for good goes on when a person has said what became of what waited", async () => {
  const { bench, refuseAll, isAsked, isHeld, waiting } = await started();
  const next = await bench.submit();
  expect(await refuseAll()).toBe(6);
  expect(isAsked()).toBe(false);
  expect(bench.result(waiting)).toMatchObject(DOUBTED);
  // What came behind the start is still in its time, and waits for the person.
  expect([isHeld(), bench.status(next)]).toEqual([true, "pending"]);
  const doubted = bench.stores.commands.get(ORG, waiting);
  if (doubted === undefined) throw new Error("no such command");
  await bench.writer.run((tx) =>
    bench.queue.settle(tx, doubted, {
      ...{ outcome: "printed", fiscalId: undefined, by: "user:usr_1", address: null },
      now: bench.clock.now(),
    }),
  );
  await bench.atRest();
  expect([isHeld(), bench.out().at(-1)]).toEqual([false, `dispatch ${next}`]);
  expect(bench.out()).not.toContain(`dispatch ${waiting}`);
});

test("a printer whose answers make no sense will not tell, as one that refuses", async () => {
  const { bench, refuseAll, isAsked, waiting } = await started();
  expect(await refuseAll("E902")).toBe(6);
  expect(isAsked()).toBe(false);
  expect(bench.result(waiting)).toMatchObject(DOUBTED);
});

test("a printer that refuses for good is held for an owner, where one that is ahead is", async () => {
  const { bench, refuseAll, isAsked, waiting } = await started({ whenAhead: "hold" });
  expect(await refuseAll()).toBe(6);
  expect(isAsked()).toBe(false);
  expect(bench.status(waiting)).toBe("pending");
  expect(bench.stores.restoredPrinters.list()).toMatchObject([
    { deviceId: DEVICE, state: "ahead" },
  ]);
});

/** An owner accepts what the printer has printed, whatever that is: it is asked again. */
async function accept({ bench, checks }: Awaited<ReturnType<typeof started>>): Promise<void> {
  const device = bench.stores.devices.find(DEVICE);
  if (device === undefined) throw new Error("no such device");
  const now = bench.clock.now();
  await bench.writer.run(() => {
    const { restoredPrinters, documentChecks } = bench.stores;
    restoredPrinters.remove(DEVICE);
    documentChecks.raise({
      ...{ ...printerOf(device), orgId: ORG, state: "asked", raisedAt: now },
      ...documentChecks.acceptance(now),
      ...{ questionId: null, number: null, day: null, documents: null, since: null, seq: 1 },
    });
  });
  checks.changed(DEVICE);
  await bench.atRest();
}

describe("an owner's word on a printer that refuses for good", () => {
  const HOURS_MS = 3 * 3_600_000;

  test("lets it go on", async () => {
    const start = await started({ whenAhead: "hold" });
    await start.refuseAll();
    await accept(start);
    expect(await start.refuseAll()).toBe(6);
    expect([start.isAsked(), start.bench.stores.restoredPrinters.list()]).toEqual([false, []]);
  });

  test("does not count for the next start, where the clock is set back before it", async () => {
    const start = await started({ whenAhead: "hold" });
    const { bench, checks, refuseAll } = start;
    await refuseAll();
    await accept(start);
    await refuseAll();
    bench.clock.jumpTo(bench.clock.now() - HOURS_MS);
    await checks.begin();
    checks.changed(DEVICE);
    await bench.atRest();
    expect(await refuseAll()).toBe(6);
    expect(bench.stores.restoredPrinters.list()).toMatchObject([{ state: "ahead" }]);
  });

  test.each([0, HOURS_MS])(
    "says nothing of a sale that was in doubt before, where the clock is set back by %d",
    async (ms) => {
      const start = await started();
      const { bench, refuseAll, answer, waiting } = start;
      await refuseAll();
      bench.clock.jumpTo(bench.clock.now() - ms);
      await accept(start);
      await answer(TOLD);
      expect(bench.stores.outcomeHolds.listOpen()).toMatchObject([{ commandId: waiting }]);
    },
  );
});

describe("a printer of a state that was put back", () => {
  test("goes on when it tells behind a refusal that it has stood still", async () => {
    const { bench, answer, isAsked } = await started({ isRestored: true });
    await answer(refusal("E305"));
    expect(isAsked()).toBe(true);
    await bench.tick(5_000);
    await answer(TOLD);
    expect(bench.stores.restoredPrinters.list()).toEqual([]);
  });

  test.each([
    ["goes on", "at the same time", "2026-10-25T00:30:20.000Z"],
    ["goes on", "in the other pass of the hour that comes twice", "2026-10-25T01:30:20.000Z"],
    ["waits for an owner", "an hour later on another day", "2026-10-26T01:30:20.000Z"],
  ])("%s when it dates its last receipt %s", async (becomes, _when, told) => {
    const day = told.slice(0, "2026-10-25".length);
    const { bench, answer } = await started({
      ...{ isRestored: true, issuedAt: `${day}T00:30:20.000Z` },
    });
    const lastReceipt = { ...(TOLD.data?.lastReceipt as object), receiptDateTime: told };
    await answer({ success: true, data: { lastReceipt } });
    expect(bench.stores.restoredPrinters.list()).toHaveLength(becomes === "goes on" ? 0 : 1);
  });

  test("waits for an owner when it refuses for good", async () => {
    const { bench, refuseAll } = await started({ isRestored: true });
    expect(await refuseAll()).toBe(6);
    expect(bench.stores.restoredPrinters.list()).toMatchObject([{ state: "ahead" }]);
  });

  test("is asked again when its answer could not be stored", async () => {
    const { bench, disk, answer } = await started({ isRestored: true });
    disk.isFullBehind = true;
    await answer(TOLD);
    disk.isFullBehind = false;
    disk.isFull = false;
    await bench.tick(5_000);
    await answer(TOLD);
    expect(bench.stores.restoredPrinters.list()).toEqual([]);
  });
});

describe("a printer is asked again", () => {
  test("when its answer could not be stored", async () => {
    const { bench, disk, answer, isHeld, waiting } = await started();
    disk.isFullBehind = true;
    await answer(TOLD);
    disk.isFullBehind = false;
    disk.isFull = false;
    expect(isHeld()).toBe(true);
    await bench.tick(5_000);
    await answer(TOLD);
    expect([isHeld(), bench.out().at(-1)]).toEqual([false, `dispatch ${waiting}`]);
  });

  test("when the question could not be stored", async () => {
    const { bench, answer, isHeld, question } = await started({ isFull: true });
    expect(question()).toBeUndefined();
    await bench.tick(5_000);
    await answer(TOLD);
    expect(isHeld()).toBe(false);
  });
});
