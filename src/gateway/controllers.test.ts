import { beforeEach, describe, expect, test } from "bun:test";
import { BUILTIN_CONTROLLER } from "#core/controller/controller.ts";
import type { ReportOutcome } from "#core/controller/judge.ts";
import type { ToController } from "#core/controller/messages.ts";
import { storedDevice } from "#core/device/testing/stored-device.ts";
import { type Database, openDatabase } from "#db/connection.ts";
import { migrate } from "#db/migrate.ts";
import type { Device } from "#db/stores/devices.ts";
import { createStores, type Stores } from "#db/stores/index.ts";
import { Writer } from "#db/writer.ts";
import { createEventBus } from "../events/bus.ts";
import { EventLog } from "../events/event-log.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { createRandom } from "../platform/random.ts";
import { rejection } from "../platform/testing/rejection.ts";
import { type ControllerConnection, Controllers } from "./controllers.ts";
import { DeviceRoster } from "./device-roster.ts";

const ORG = "0123456789ab";

let clock: FakeClock;
let database: Database;
let stores: Stores;
let writer: Writer;
let controllers: Controllers;
let roster: DeviceRoster;
let session: ControllerConnection;
/** What the controller is told. */
let told: ToController[];
/** What the queue is told. */
let reports: string[];
let markOutcome: () => Promise<ReportOutcome>;
/** A command is out at each device. */
let isBusy: boolean;

beforeEach(() => {
  clock = new FakeClock();
  database = openDatabase(":memory:");
  migrate(database, clock.now());
  stores = createStores(database);
  const bus = createEventBus((error) => {
    throw error;
  });
  const random = createRandom(clock);
  writer = new Writer(database, {
    events: new EventLog({ stores, bus, clock, random }),
    rehearses: true,
  });
  [told, reports] = [[], []];
  markOutcome = () => Promise.resolve("STORED");
  isBusy = false;
  stores.organizations.insert({
    id: ORG,
    name: "Shop",
    currency: "RON",
    timezone: "UTC",
    plan: "pro",
    createdAt: 0,
    updatedAt: 0,
  });
  for (const id of ["dev_1", "dev_2"]) stores.devices.insert(device(id));
  startGateway();
});

/** On the database as it is; also in place of one that was killed. */
function startGateway(): void {
  controllers = new Controllers({
    stores,
    writer,
    clock,
    log: createLog({ level: "silent", clock }),
    reports: {
      isBusy: () => isBusy,
      ready: (deviceId) => reports.push(`ready ${deviceId}`),
      lineLost: () => undefined,
      withdrawn: (deviceId) => reports.push(`withdrawn ${deviceId}`),
      report: (_, message) =>
        message.type === "command.mark" ? markOutcome() : Promise.reject(new Error("disk full")),
    },
  });
  roster = new DeviceRoster(stores.devices, controllers);
  const identity = {
    ...BUILTIN_CONTROLLER,
    reportsMarks: true,
    name: "Built-in",
    appVersion: "1",
    deviceModel: "x64",
    osVersion: "linux",
  };
  session = controllers.connect(identity, roster.initial(), {
    send: (message) => told.push(message),
    close() {},
  });
}

const device = (id: string): Device => storedDevice({ id, orgId: ORG, name: id });

/** Everything that was begun is on disk, and its word is out. */
async function atRest(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await writer.run(() => undefined);
}

const note = (deviceId: string, more: object = {}) =>
  session.receive({
    type: "device.note",
    deviceId,
    action: "receipt.put_away",
    details: { settlement: "cancelled", number: 26 },
    ...more,
  });

describe("what was done on a device unasked", () => {
  test("stands in the organization's audit log", async () => {
    note("dev_1");
    await atRest();
    expect(stores.audit.list(ORG, 10)).toMatchObject([
      {
        orgId: ORG,
        at: clock.now(),
        actor: "controller:builtin",
        action: "receipt.put_away",
        resource: "dev_1",
        details: { settlement: "cancelled", number: 26 },
      },
    ]);
  });

  test("is not taken from a controller that does not serve the device", async () => {
    note("dev_3");
    controllers.release("dev_1");
    note("dev_1");
    await atRest();
    expect(stores.audit.list(ORG, 10)).toEqual([]);
  });

  test("is lost with a disk that is full, and nothing else is", async () => {
    database.sqlite.pragma("query_only = ON");
    note("dev_1");
    await atRest().catch(() => undefined);
    database.sqlite.pragma("query_only = OFF");
    note("dev_1");
    await atRest();
    expect(stores.audit.list(ORG, 10)).toHaveLength(1);
  });
});

describe("a note that its controller knows by an id", () => {
  const answers = () =>
    told
      .filter(({ type }) => type === "note.stored" || type === "error")
      .map((one) => ({ ...one }));

  test("is answered once it is stored, and stored once, however often it is said", async () => {
    note("dev_1", { noteId: "n1" });
    note("dev_1", { noteId: "n1" });
    await atRest();
    note("dev_1", { noteId: "n1", details: { number: 26, doneAt: "2026-01-15T10:00:00.000Z" } });
    note("dev_1", { noteId: "n2" });
    await atRest();
    expect(stores.audit.list(ORG, 10)).toHaveLength(2);
    const stored = { type: "note.stored", deviceId: "dev_1" } as const;
    expect(answers()).toEqual(["n1", "n1", "n1", "n2"].map((noteId) => ({ ...stored, noteId })));
  });

  test("is stored once also where the gateway is killed before it can say so", async () => {
    note("dev_1", { noteId: "n1" });
    note("dev_1", { noteId: "n2" });
    await atRest();
    told.length = 0;
    startGateway();
    note("dev_1", { noteId: "n1", details: { number: 26, doneAt: "2026-01-15T10:00:00.000Z" } });
    note("dev_2", { noteId: "n1" });
    note("dev_1", { noteId: "n3" });
    await atRest();
    expect(answers()).toMatchObject([{ noteId: "n1" }, { noteId: "n1" }, { noteId: "n3" }]);
    expect(stores.audit.list(ORG, 10).map(({ resource }) => resource)).toEqual([
      ...["dev_1", "dev_2", "dev_1", "dev_1"],
    ]);
  });

  test("is its own where an id comes again behind twenty others", async () => {
    for (let id = 1; id <= 21; id++) note("dev_1", { noteId: `n${id}` });
    await atRest();
    note("dev_1", { noteId: "n1" });
    note("dev_1", { noteId: "n21" });
    await atRest();
    expect(stores.audit.list(ORG, 50)).toHaveLength(22);
  });

  test("is stored also where what shares its transaction is refused", async () => {
    note("dev_1", { noteId: "n1" });
    const refused = writer.run(() => {
      throw new Error("refused");
    });
    expect((await rejection(refused)).message).toContain("refused");
    await atRest();
    expect(stores.audit.list(ORG, 10)).toHaveLength(1);
    expect(answers()).toMatchObject([{ type: "note.stored", noteId: "n1" }]);
  });

  test("is refused where it cannot be stored, and stored when it is said again", async () => {
    database.sqlite.pragma("query_only = ON");
    note("dev_1", { noteId: "n1" });
    await atRest().catch(() => undefined);
    database.sqlite.pragma("query_only = OFF");
    expect(answers()).toMatchObject([{ type: "error", code: "NOT_STORED", deviceId: "dev_1" }]);
    note("dev_1", { noteId: "n1" });
    await atRest();
    expect(answers().at(-1)).toMatchObject({ type: "note.stored", noteId: "n1" });
    expect(stores.audit.list(ORG, 10)).toHaveLength(1);
  });
});

describe("a device that is no longer registered", () => {
  test("is taken from its controller, and the queue is told", () => {
    stores.devices.remove(ORG, "dev_1");
    roster.sync();
    expect(told.at(-1)).toEqual({ type: "device.released", deviceId: "dev_1" });
    expect(reports).toEqual(["ready dev_1", "ready dev_2", "withdrawn dev_1"]);
    expect(controllers.controllerOf("dev_1")).toBeUndefined();
    expect(controllers.controllerOf("dev_2")).toMatchObject(BUILTIN_CONTROLLER);
  });

  test("is told of once", () => {
    stores.devices.remove(ORG, "dev_1");
    roster.sync();
    roster.sync();
    expect(told.filter(({ type }) => type === "device.released")).toHaveLength(1);
  });

  test("cannot be announced", () => {
    controllers.release("dev_1");
    session.receive({ type: "device.announce", deviceId: "dev_1", link: "up" });
    expect(told.at(-1)).toEqual({
      type: "announce.rejected",
      deviceId: "dev_1",
      code: "NOT_FOUND",
    });
  });
});

test("a device whose settings changed is assigned again, and one whose status changed is not", () => {
  stores.devices.update(ORG, "dev_1", { storedStatus: "online" });
  roster.sync();
  expect(told.map(({ type }) => type)).toEqual(["welcome"]);
  stores.devices.update(ORG, "dev_1", { connectionParams: { host: "other", port: 1 } });
  roster.sync();
  expect(told.at(-1)).toMatchObject({
    type: "device.assigned",
    device: { id: "dev_1", connectionParams: { host: "other" } },
  });
});

describe("a report that could not be stored", () => {
  test("is answered so that the controller keeps it", async () => {
    session.receive({
      type: "command.result",
      deviceId: "dev_1",
      commandId: "cmd_1",
      result: { success: true },
    });
    await atRest();
    expect(told.at(-1)).toMatchObject({ type: "error", code: "NOT_STORED", commandId: "cmd_1" });
  });

  test("stops the driver when it was a mark", async () => {
    markOutcome = () => Promise.reject(new Error("disk full"));
    session.receive({
      type: "command.mark",
      deviceId: "dev_1",
      commandId: "cmd_1",
      mark: "baseline",
    });
    await atRest();
    expect(told.at(-1)).toMatchObject({ type: "error", code: "NOT_STORED", commandId: "cmd_1" });
  });
});

test("a mark of a command that ended meanwhile is refused", async () => {
  markOutcome = () => Promise.resolve("FINAL");
  session.receive({
    type: "command.mark",
    deviceId: "dev_1",
    commandId: "cmd_1",
    mark: "baseline",
  });
  await atRest();
  expect(told.at(-1)).toMatchObject({ type: "error", code: "FINAL", commandId: "cmd_1" });
});

describe("the time zone of a device", () => {
  const zones = () =>
    told.flatMap((message) =>
      message.type === "device.assigned" ? [[message.device.id, message.device.timezone]] : [],
    );
  const LOCATION = { id: "loc_1", orgId: ORG, name: "North", address: null };
  const AT = { createdAt: 0, updatedAt: 0 };

  test("is its location's where that has one, else the organization's", () => {
    stores.locations.insert({ ...LOCATION, ...AT, timezone: "Europe/Sofia" });
    stores.locations.insert({ ...LOCATION, ...AT, id: "loc_2", timezone: null });
    const zoneOf = (locationId: string, orgId = ORG) => {
      stores.devices.update(ORG, "dev_1", { locationId });
      return controllers.deviceConfig(orgId, "dev_1")?.timezone;
    };
    expect(["loc_1", "loc_2", "shop"].map((id) => zoneOf(id))).toEqual([
      ...["Europe/Sofia", "UTC", "UTC"],
    ]);
  });

  test("of another organization's location is not its own", () => {
    const other = {
      id: "other",
      name: "O",
      currency: "RON",
      timezone: "UTC",
      plan: "pro",
    } as const;
    stores.organizations.insert({ ...other, ...AT });
    stores.locations.insert({ ...LOCATION, ...AT, orgId: "other", timezone: "Europe/Sofia" });
    stores.devices.update(ORG, "dev_1", { locationId: "loc_1" });
    expect(controllers.deviceConfig(ORG, "dev_1")?.timezone).toBe("UTC");
  });

  test("is told to its controller when it changes, and then alone", () => {
    stores.locations.insert({ ...LOCATION, ...AT, timezone: "Europe/Sofia" });
    stores.devices.update(ORG, "dev_1", { locationId: "loc_1" });
    roster.sync();
    expect(zones()).toEqual([["dev_1", "Europe/Sofia"]]);
    stores.locations.update(ORG, "loc_1", { timezone: "Europe/Athens" });
    roster.sync();
    stores.organizations.update(ORG, { timezone: "Europe/Bucharest" });
    roster.sync();
    roster.sync();
    expect(zones().slice(1)).toEqual([
      ["dev_1", "Europe/Athens"],
      ["dev_2", "Europe/Bucharest"],
    ]);
    stores.locations.remove(ORG, "loc_1");
    roster.sync();
    expect(zones().at(-1)).toEqual(["dev_1", "Europe/Bucharest"]);
  });

  test("is told behind the command that is out, and before the next one", () => {
    isBusy = true;
    reports.length = 0;
    const move = (timezone: string) => {
      stores.organizations.update(ORG, { timezone });
      roster.sync();
      controllers.ended("dev_1");
    };
    move("Europe/Sofia");
    const device = controllers.deviceConfig(ORG, "dev_1");
    if (device === undefined) throw new Error("there is no such device");
    const order = {
      type: "command.dispatch",
      command: { id: "c1", type: "get_status", payload: {} },
      ...{ device, epoch: 1, expiresAt: new Date(clock.now()).toISOString(), expiresInMs: 1 },
    } as const;
    controllers.send(BUILTIN_CONTROLLER, { ...order, begun: true });
    expect([zones(), reports]).toEqual([[], []]);
    controllers.send(BUILTIN_CONTROLLER, { ...order, begun: false });
    controllers.send(BUILTIN_CONTROLLER, { ...order, begun: false });
    const types = told.map(({ type }) => type).slice(-3);
    expect(types).toEqual(["device.assigned", "command.dispatch", "command.dispatch"]);
    expect(zones()).toEqual([["dev_1", "Europe/Sofia"]]);
    move("Europe/Athens");
    move("Europe/Sofia");
    isBusy = false;
    for (const id of ["dev_1", "dev_2"]) controllers.ended(id);
    expect(zones().slice(1)).toEqual([["dev_2", "Europe/Sofia"]]);
    expect(reports).toEqual([]);
  });

  test("is told at once beside what leads elsewhere", () => {
    isBusy = true;
    stores.organizations.update(ORG, { timezone: "Europe/Sofia" });
    stores.devices.update(ORG, "dev_1", { connectionParams: { host: "elsewhere", port: 1 } });
    roster.sync();
    expect(zones()).toEqual([["dev_1", "Europe/Sofia"]]);
  });
});
