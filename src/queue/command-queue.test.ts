import { beforeEach, describe, expect, test } from "bun:test";
import type { CommandType } from "#core/command/catalogue.ts";
import { acceptedCommand, type CommandResult } from "#core/command/command.ts";
import type { Baseline, Mark } from "#core/command/marks.ts";
import type { Reporter } from "#core/controller/judge.ts";
import type { ToController } from "#core/controller/messages.ts";
import { type Database, openDatabase } from "#db/connection.ts";
import { migrate } from "#db/migrate.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import { createStores, type Stores } from "#db/stores/index.ts";
import { Writer } from "#db/writer.ts";
import { createEventBus } from "../events/bus.ts";
import { EventLog } from "../events/event-log.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { createRandom } from "../platform/random.ts";
import { createCommandChanges } from "./changes.ts";
import { CommandQueue } from "./command-queue.ts";
import { endUnfinished } from "./device-end.ts";
import { takeUpTime } from "./kept-time.ts";
import { createReceiptKeeper } from "./receipt-keeper.ts";
import { TimerQueue } from "./timer-queue.ts";

const ORG = "0123456789ab";
const DEVICE = "dev_1";
const DONE: CommandResult = { success: true, data: {}, fiscalId: "27" };
const SALE = {
  items: [{ name: "Bread", quantity: 2, price: 1.5, vatGroup: "VAT1" }],
  payments: [{ method: "cash", amount: 3 }],
};

let clock: FakeClock;
let database: Database;
let stores: Stores;
let writer: Writer;
let queue: CommandQueue;
let events: EventLog;
let sent: ToController[];
let connected: boolean;
let ids: number;
/** Commands that were told to be final. */
let ended: string[];

/** Thrown when a device's settings are read. */
let deviceFault: Error | undefined;

/** A queue on the same database, as after a restart. */
function start(): CommandQueue {
  sent = [];
  ended = [];
  const random = createRandom(clock);
  const bus = createEventBus((error) => {
    throw error;
  });
  bus.subscribe(({ event }) => {
    if ("command" in event && event.type !== "command.updated") ended.push(event.command.id);
  });
  events = new EventLog({ stores, bus, clock, random });
  writer = new Writer(database, { events });
  return new CommandQueue({
    stores,
    writer,
    clock,
    time: takeUpTime(stores.appliance, clock),
    log: createLog({ level: "silent", clock }),
    timers: new TimerQueue(clock),
    times: { pushWaitMs: 60_000, overallMs: 180_000 },
    receipts: createReceiptKeeper(stores, random),
    controllers: {
      controllerOf: () => (connected ? { orgId: null, controllerId: "c1" } : undefined),
      reasonOf: () => undefined,
      send: (_, message) => sent.push(message),
      deviceConfig: (orgId, id) => {
        if (deviceFault) throw deviceFault;
        return {
          id,
          orgId,
          name: "Till",
          driver: "vendorA.isl",
          transport: "tcp",
          connectionParams: { host: "h", port: 1 },
          timezone: "UTC",
          currency: "RON",
        };
      },
    },
  });
}

beforeEach(() => {
  clock = new FakeClock();
  database = openDatabase(":memory:");
  migrate(database, clock.now());
  stores = createStores(database);
  connected = true;
  ids = 0;
  deviceFault = undefined;
  stores.organizations.insert({
    id: ORG,
    name: "Shop",
    currency: "RON",
    timezone: "UTC",
    plan: "pro",
    createdAt: 0,
    updatedAt: 0,
  });
  queue = start();
});

function command(id: string, type: CommandType = "print_receipt", deviceId = DEVICE): NewCommand {
  const now = clock.now();
  return acceptedCommand({
    ...{ id, orgId: ORG, deviceId, type, payload: type === "print_receipt" ? SALE : {} },
    ...{ source: "api", createdAt: now, expiresAt: queue.expiryOf(now) },
  });
}

async function submit(type?: CommandType, deviceId?: string): Promise<string> {
  const accepted = command(`cmd_${++ids}`, type, deviceId);
  await writer.run((tx) => queue.accept(tx, accepted));
  await atRest();
  return accepted.id;
}

/** Everything that was begun is on disk, or has failed. */
async function atRest(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await writer.run(() => undefined).catch(() => undefined);
}

/** What a controller of the shop reports of a command, without an epoch as older ones do. */
const reporter = (controllerId: string): Reporter => ({
  orgId: ORG,
  controllerId,
  reportsMarks: true,
});
const told = (controllerId: string, commandId: string, result: CommandResult) =>
  queue.report(reporter(controllerId), {
    ...{ type: "command.result", deviceId: DEVICE, commandId, result },
  });
/** The same for a document that a driver printed: its mark goes before. */
const finished = async (controllerId: string, commandId: string, result: CommandResult) => {
  await marked(controllerId, commandId, { mark: "committing", baseline: {} });
  return told(controllerId, commandId, result);
};
const marked = (
  controllerId: string,
  commandId: string,
  said: { readonly mark: Mark; readonly baseline: Baseline | undefined },
) =>
  queue.report(reporter(controllerId), {
    ...{ type: "command.mark", deviceId: DEVICE, commandId, mark: said.mark },
    ...(said.baseline === undefined ? {} : { baseline: said.baseline }),
  });
const acknowledged = (controllerId: string, commandId: string) =>
  queue.report(reporter(controllerId), { type: "command.ack", deviceId: DEVICE, commandId });

const status = (id: string) => stores.commands.get(ORG, id)?.status;
const result = (id: string) => stores.commands.get(ORG, id)?.result;
const out = () =>
  sent.flatMap((message) =>
    message.type === "command.dispatch" || message.type === "command.resolve"
      ? [`${message.type.slice(8)} ${message.command.id}`]
      : [],
  );
async function tick(ms: number): Promise<void> {
  clock.advance(ms);
  await atRest();
}

describe("a device's queue", () => {
  test("hands out one command at a time, in order of acceptance", async () => {
    const ids = [await submit(), await submit(), await submit()];
    expect(out()).toEqual(["dispatch cmd_1"]);
    expect(ids.map(status)).toEqual(["sent", "pending", "pending"]);
    await finished("c1", "cmd_1", DONE);
    expect(out()).toEqual(["dispatch cmd_1", "dispatch cmd_2"]);
    expect(ids.map(status)).toEqual(["completed", "sent", "pending"]);
  });

  test("claims for an idle device in the commit that accepts, and never two at once", async () => {
    const first = command("cmd_a");
    const second = command("cmd_b");
    // One turn, one transaction.
    await Promise.all([
      writer.run((tx) => queue.accept(tx, first)),
      writer.run((tx) => queue.accept(tx, second)),
    ]);
    expect([status("cmd_a"), status("cmd_b")]).toEqual(["sent", "pending"]);
    await atRest();
    expect(out()).toEqual(["dispatch cmd_a"]);
  });

  test("runs devices side by side", async () => {
    await submit("print_receipt", "dev_1");
    await submit("print_receipt", "dev_2");
    expect(out()).toEqual(["dispatch cmd_1", "dispatch cmd_2"]);
  });

  test("keeps a receipt in the transaction that completes the command", async () => {
    const id = await submit();
    await finished("c1", id, DONE);
    const receipt = stores.receipts.findByIdOrFiscalId(ORG, DEVICE, "27");
    expect(receipt).toMatchObject({ commandId: id, type: "sale", totalMinor: 300 });
  });

  test("refuses reports from a controller that does not have the command", async () => {
    const id = await submit();
    expect(await finished("c2", id, DONE)).toBe("NOT_YOURS");
    expect(await marked("c2", id, { mark: "baseline", baseline: {} })).toBe("NOT_YOURS");
    expect(status(id)).toBe("sent");
  });

  test("takes a result once and answers a repeated one the same way", async () => {
    const id = await submit();
    expect(await finished("c1", id, DONE)).toBe("STORED");
    expect(await finished("c1", id, DONE)).toBe("STORED");
    expect(await finished("c1", id, { success: false, errorCode: "E305" })).toBe("FINAL");
    expect(result(id)).toEqual(DONE);
  });

  test("fails a void of an unknown receipt without sending it", async () => {
    const id = await submit("void_receipt");
    expect(out()).toEqual([]);
    expect(result(id)).toMatchObject({ errorCode: "E401", data: { outcome: "not_printed" } });
  });
});

describe("the time rules", () => {
  test("time out after 60 s while no controller connects", async () => {
    connected = false;
    const id = await submit();
    await tick(59_999);
    expect(status(id)).toBe("pending");
    await tick(1);
    expect(status(id)).toBe("timeout");
    expect(result(id)).toMatchObject({ errorCode: "E500", data: { outcome: "not_printed" } });
  });

  test("stop the 60 s for good when a controller connects", async () => {
    connected = false;
    const id = await submit();
    await tick(30_000);
    queue.ready(DEVICE);
    await tick(149_999);
    expect(status(id)).toBe("pending");
    await tick(1);
    expect(status(id)).toBe("timeout");
  });

  test("time out after 180 s when a printer stays off behind its controller", async () => {
    const first = await submit();
    const second = await submit();
    await tick(180_000);
    expect([first, second].map(status)).toEqual(["timeout", "timeout"]);
  });

  test("end a command that begins too late, and go on with the next one", async () => {
    const late = await submit();
    clock.stall(100_000);
    const next = await submit();
    // Its own time is over, and the timer has not fired yet.
    clock.stall(80_000);
    expect(await marked("c1", late, { mark: "baseline", baseline: {} })).toBe("FINAL");
    await atRest();
    expect([late, next].map(status)).toEqual(["timeout", "sent"]);
    expect(out().at(-1)).toBe(`dispatch ${next}`);
  });

  test("end a late command where it would be claimed, should its timer not have fired yet", async () => {
    const [first, late] = [await submit(), await submit()];
    await marked("c1", first, { mark: "committing", baseline: {} });
    clock.stall(180_000);
    await told("c1", first, DONE);
    expect([first, late].map(status)).toEqual(["completed", "timeout"]);
    expect(out()).toEqual([`dispatch ${first}`]);
  });

  test("leave a command alone that its device has begun", async () => {
    const id = await submit();
    await acknowledged("c1", id);
    await tick(600_000);
    expect(status(id)).toBe("processing");
  });

  test("refuse the baseline of a command that timed out, so that it never prints", async () => {
    const id = await submit();
    await tick(180_000);
    expect(await marked("c1", id, { mark: "baseline", baseline: {} })).toBe("FINAL");
  });

  test("keep a result that comes after the time-out as an audit entry only", async () => {
    const id = await submit();
    await tick(180_000);
    expect(await finished("c1", id, DONE)).toBe("FINAL");
    expect(status(id)).toBe("timeout");
    expect(stores.audit.list(ORG, 10)).toMatchObject([{ action: "command.late_result" }]);
  });
});

describe("a controller that says what is not so", () => {
  test("is not believed: a receipt without marks is nobody's to know", async () => {
    const id = await submit();
    expect(await told("c1", id, DONE)).toBe("STORED");
    expect(result(id)).toMatchObject({ success: false, data: { outcome: "unknown" } });
    expect(stores.outcomeHolds.listOpen()).toMatchObject([{ commandId: id }]);
    expect(stores.audit.list(ORG, 10)).toMatchObject([{ action: "command.report_doubted" }]);
  });

  test("does not fill the audit log", async () => {
    const id = await submit();
    for (let times = 0; times < 150; times += 1) await told("c2", id, DONE);
    expect(stores.audit.list(ORG, 1_000)).toHaveLength(100);
    clock.jumpTo(clock.now() + 3_600_000);
    await told("c2", id, DONE);
    expect(stores.audit.list(ORG, 1_000)).toHaveLength(101);
  });
});

describe("a result that came too late", () => {
  const late = async (result: CommandResult): Promise<void> => {
    const id = await submit();
    await tick(180_000);
    await finished("c1", id, result);
  };

  test("is known of the device when it was a printed receipt", async () => {
    expect(queue.lateResultAt(DEVICE)).toBeNull();
    await late(DONE);
    expect(queue.lateResultAt(DEVICE)).toBe(clock.now());
    expect(queue.lateResultAt("dev_2")).toBeNull();
  });

  test("is no matter when nothing was printed", async () => {
    await late({ success: false, errorCode: "E306", data: { outcome: "not_printed" } });
    expect(queue.lateResultAt(DEVICE)).toBeNull();
  });

  test("is still known after a restart, for a day", async () => {
    await late(DONE);
    const at = clock.now();
    clock.jumpTo(at + 86_399_999);
    queue = start();
    await queue.recover();
    expect(queue.lateResultAt(DEVICE)).toBe(at);
    clock.jumpTo(at + 86_400_000);
    queue = start();
    await queue.recover();
    expect(queue.lateResultAt(DEVICE)).toBeNull();
  });

  test("is kept of a receipt whose device was deleted while it was printed", async () => {
    const id = await submit();
    await marked("c1", id, { mark: "committing", baseline: {} });
    await queue.failUnfinished(DEVICE);
    expect(await finished("c1", id, DONE)).toBe("FINAL");
    expect(stores.audit.list(ORG, 10)).toMatchObject([{ action: "command.late_result" }]);
  });
});

describe("a device that another process deletes", () => {
  /** As `fiscald device remove` does beside a running gateway. */
  const removeElsewhere = async (): Promise<void> => {
    const random = createRandom(clock);
    const bus = createEventBus(() => undefined);
    const other = new Writer(database, { events: new EventLog({ stores, bus, clock, random }) });
    const effects = { onHold() {}, reasonOf: () => undefined, begun() {}, ended() {} };
    const changes = createCommandChanges(stores, createReceiptKeeper(stores, random), effects);
    await endUnfinished({ commands: stores.commands, writer: other, clock, changes }, DEVICE);
  };
  const notice = (): void => {
    events.catchUp();
    queue.reconcile();
  };

  test("frees its lane, and tells whoever waits for its commands", async () => {
    const running = await submit();
    await marked("c1", running, { mark: "baseline", baseline: {} });
    const waiting = await submit();
    await removeElsewhere();
    notice();
    expect(ended.toSorted()).toEqual([running, waiting]);
    expect(queue.isBusy(DEVICE)).toBe(false);
    await tick(600_000);
    expect(ended).toHaveLength(2);
  });

  test("has its running command refused when that wants to go on", async () => {
    const id = await submit();
    await removeElsewhere();
    notice();
    expect(await marked("c1", id, { mark: "baseline", baseline: {} })).toBe("FINAL");
    expect(await finished("c1", id, DONE)).toBe("FINAL");
    expect(result(id)).toMatchObject({ errorCode: "E903" });
  });

  test("is told of once, also when nothing was waiting", async () => {
    const id = await submit();
    await removeElsewhere();
    notice();
    notice();
    expect(ended).toEqual([id]);
  });
});

describe("a device that is taken from its controller", () => {
  test("ends what had begun but not reached it", async () => {
    const id = await submit();
    await acknowledged("c1", id);
    await atRest();
    connected = false;
    queue.withdrawn(DEVICE);
    await atRest();
    expect(result(id)).toMatchObject({ errorCode: "E102", data: { outcome: "not_printed" } });
    expect(queue.isBusy(DEVICE)).toBe(false);
  });

  test("leaves what may have changed it to the next controller", async () => {
    const id = await submit();
    await marked("c1", id, { mark: "baseline", baseline: {} });
    connected = false;
    queue.withdrawn(DEVICE);
    await atRest();
    expect(status(id)).toBe("processing");
    connected = true;
    queue.ready(DEVICE);
    await atRest();
    expect(out().at(-1)).toBe(`resolve ${id}`);
  });
});

describe("a controller that takes a device up again", () => {
  test("hears that a command had begun, because its time no longer runs", async () => {
    const id = await submit();
    const stored = acknowledged("c1", id);
    // The acknowledgement is not on disk yet.
    queue.ready(DEVICE);
    await stored;
    await atRest();
    expect(sent.at(-1)).toMatchObject({ type: "command.dispatch", begun: true });
    expect(sent[0]).toMatchObject({ type: "command.dispatch", begun: false });
  });

  test("is asked what became of a document whose mark was on its way to the disk", async () => {
    const id = await submit();
    const stored = marked("c1", id, { mark: "baseline", baseline: {} });
    queue.ready(DEVICE);
    await stored;
    await atRest();
    expect(out()).toEqual([`dispatch ${id}`, `resolve ${id}`]);
  });

  test("is not handed what ended while it connected", async () => {
    const id = await submit();
    await marked("c1", id, { mark: "committing", baseline: {} });
    const stored = told("c1", id, DONE);
    queue.ready(DEVICE);
    await stored;
    await atRest();
    expect(out()).toEqual([`dispatch ${id}`]);
  });

  test("is not bound by what is said of the hand-over before", async () => {
    const id = await submit();
    queue.ready(DEVICE);
    await atRest();
    expect(sent).toMatchObject([{ epoch: 1 }, { epoch: 2 }]);
    const late = { type: "command.result", deviceId: DEVICE, commandId: id, result: DONE } as const;
    expect(await queue.report(reporter("c1"), { ...late, epoch: 1 })).toBe("STALE");
    expect(status(id)).toBe("sent");
    expect(queue.lateResultAt(DEVICE)).toBe(clock.now());
    expect(stores.audit.list(ORG, 10)).toMatchObject([
      { action: "command.late_result", actor: "controller:c1", resource: id },
      { action: "command.report_refused", details: { code: "STALE" } },
    ]);
  });

  test("stores what it reads of the device in place of what the one before read", async () => {
    const id = await submit();
    await marked("c1", id, { mark: "baseline", baseline: { sumMinor: 1 } });
    await marked("c1", id, { mark: "baseline", baseline: { sumMinor: 2 } });
    expect(stores.commands.get(ORG, id)).toMatchObject({ baseline: { sumMinor: 2 } });
    await marked("c1", id, { mark: "committing", baseline: undefined });
    await marked("c1", id, { mark: "baseline", baseline: { sumMinor: 3 } });
    expect(stores.commands.get(ORG, id)).toMatchObject({
      mark: "committing",
      baseline: { sumMinor: 2 },
    });
  });
});

describe("a database that cannot be written for a while", () => {
  const fail = (): unknown => database.sqlite.pragma("query_only = ON");
  const mend = (): unknown => database.sqlite.pragma("query_only = OFF");

  test("keeps no mark it did not store, so that the driver does not go on", async () => {
    const id = await submit();
    fail();
    const stored = marked("c1", id, { mark: "baseline", baseline: {} });
    await expect(stored).rejects.toThrow("readonly");
    mend();
    expect(stores.commands.get(ORG, id)).toMatchObject({ status: "sent", mark: null });
  });

  test("takes the result when it is told again, and goes on with the next command", async () => {
    const ids = [await submit(), await submit()];
    fail();
    await expect(finished("c1", "cmd_1", DONE)).rejects.toThrow("readonly");
    mend();
    expect(ids.map(status)).toEqual(["sent", "pending"]);
    expect(await finished("c1", "cmd_1", DONE)).toBe("STORED");
    expect(ids.map(status)).toEqual(["completed", "sent"]);
    expect(ended).toEqual(["cmd_1"]);
  });

  test("claims the next command when it can again", async () => {
    connected = false;
    const id = await submit();
    connected = true;
    fail();
    queue.ready(DEVICE);
    await atRest();
    mend();
    expect(out()).toEqual([]);
    await tick(1_000);
    expect(out()).toEqual([`dispatch ${id}`]);
  });

  test("times a command out when it can again", async () => {
    const id = await submit();
    fail();
    await tick(180_000);
    mend();
    expect(status(id)).toBe("sent");
    await tick(1_000);
    expect(status(id)).toBe("timeout");
    expect(ended).toEqual([id]);
  });

  test("ends what was taken from its controller when it can again", async () => {
    const id = await submit();
    await acknowledged("c1", id);
    await atRest();
    connected = false;
    fail();
    queue.withdrawn(DEVICE);
    await atRest();
    mend();
    expect(status(id)).toBe("processing");
    await tick(1_000);
    expect(result(id)).toMatchObject({ errorCode: "E102", data: { outcome: "not_printed" } });
  });
});

test("a command that could not be handed out is handed out a little later", async () => {
  deviceFault = new Error("disk I/O error");
  const id = await submit();
  expect(out()).toEqual([]);
  deviceFault = undefined;
  await tick(1_000);
  expect(out()).toEqual([`dispatch ${id}`]);
});

describe("cancelling", () => {
  test("ends a pending command with E903", async () => {
    await submit();
    const id = await submit();
    expect((await queue.cancel(ORG, id))?.cancelled).toBe(true);
    expect(result(id)).toMatchObject({ errorCode: "E903", data: { outcome: "not_printed" } });
  });

  test("leaves a sent command alone", async () => {
    const id = await submit();
    expect((await queue.cancel(ORG, id))?.cancelled).toBe(false);
    expect(status(id)).toBe("sent");
  });
});

describe("an unknown outcome", () => {
  const UNKNOWN: CommandResult = {
    success: false,
    errorCode: "E102",
    data: { outcome: "unknown" },
  };

  test("holds fiscal documents of the device but lets other commands pass", async () => {
    const doubtful = await submit();
    const held = await submit();
    const passing = await submit("get_status");
    await finished("c1", doubtful, UNKNOWN);
    expect(out()).toEqual(["dispatch cmd_1", "dispatch cmd_3"]);
    await finished("c1", passing, { success: true });
    expect(status(held)).toBe("pending");
  });

  test.each(["z_report", "cash_in"] as const)("of a %s holds the device too", async (type) => {
    const doubtful = await submit(type);
    const held = await submit();
    await finished("c1", doubtful, UNKNOWN);
    expect(status(held)).toBe("pending");
    expect(stores.outcomeHolds.listOpen()).toMatchObject([{ commandId: doubtful }]);
  });

  test("still holds after a restart, and goes on once a person settled it", async () => {
    const doubtful = await submit();
    await finished("c1", doubtful, UNKNOWN);
    queue = start();
    await queue.recover();
    const held = await submit();
    expect(status(held)).toBe("pending");
    await writer.run(() =>
      stores.outcomeHolds.resolve(ORG, doubtful, {
        outcome: "not_printed",
        fiscalId: null,
        resolvedBy: "user:u",
        resolvedAt: clock.now(),
      }),
    );
    queue.holdsChanged();
    await atRest();
    expect(status(held)).toBe("sent");
  });
});

describe("after a restart", () => {
  test("a command that was only sent goes out again, the next one waits", async () => {
    await submit();
    const second = await submit();
    queue = start();
    await queue.recover();
    await atRest();
    expect(out()).toEqual(["dispatch cmd_1"]);
    expect(status(second)).toBe("pending");
  });

  test("a receipt that had begun without a mark is reported as not printed", async () => {
    const id = await submit();
    await acknowledged("c1", id);
    await atRest();
    queue = start();
    await queue.recover();
    expect(result(id)).toMatchObject({ errorCode: "E102", data: { outcome: "not_printed" } });
  });

  test("a receipt with a baseline is resolved, never dispatched again", async () => {
    const id = await submit();
    await marked("c1", id, { mark: "baseline", baseline: { ownNumber: 26 } });
    queue = start();
    await queue.recover();
    await atRest();
    expect(out()).toEqual([`resolve ${id}`]);
    expect(sent[0]).toMatchObject({ mark: "baseline", baseline: { ownNumber: 26 } });
  });

  test("a later mark keeps what the baseline read", async () => {
    const id = await submit();
    await marked("c1", id, { mark: "baseline", baseline: { ownNumber: 26 } });
    await marked("c1", id, { mark: "committing", baseline: undefined });
    await marked("c1", id, { mark: "opened", baseline: undefined });
    expect(stores.commands.get(ORG, id)).toMatchObject({
      mark: "committing",
      baseline: { ownNumber: 26 },
      status: "processing",
    });
  });

  test("what waited too long meanwhile times out at once", async () => {
    connected = false;
    const id = await submit();
    clock.jumpTo(clock.now() + 200_000);
    queue = start();
    await queue.recover();
    await tick(0);
    expect(status(id)).toBe("timeout");
  });

  test("a non-fiscal slip that had begun printing is not printed again", async () => {
    const id = await submit("non_fiscal_receipt");
    await marked("c1", id, { mark: "committing", baseline: undefined });
    queue = start();
    await queue.recover();
    await atRest();
    expect(out()).toEqual([]);
    expect(result(id)).toMatchObject({ errorCode: "E102" });
  });
});

test("deleting a device fails what was not finished on it", async () => {
  const ids = [await submit(), await submit()];
  await marked("c1", "cmd_1", { mark: "committing", baseline: {} });
  await queue.failUnfinished(DEVICE);
  expect(ids.map(result)).toMatchObject([
    { errorCode: "E903", data: { outcome: "unknown" } },
    { errorCode: "E903", data: { outcome: "not_printed" } },
  ]);
});

test("a reconnecting controller gets what is out as a question once a mark is stored", async () => {
  const id = await submit();
  await marked("c1", id, { mark: "baseline", baseline: {} });
  queue.ready(DEVICE);
  await atRest();
  expect(out()).toEqual([`dispatch ${id}`, `resolve ${id}`]);
});
