import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { BUILTIN_CONTROLLER, type ControllerIdentity } from "#core/controller/controller.ts";
import type { ToController, ToGateway } from "#core/controller/messages.ts";
import { printerOf } from "#core/device/printer.ts";
import { type Database, openDatabase } from "#db/connection.ts";
import { migrate } from "#db/migrate.ts";
import type { Device } from "#db/stores/devices.ts";
import { createStores, type Stores } from "#db/stores/index.ts";
import { Writer } from "#db/writer.ts";
import { createEventBus } from "../events/bus.ts";
import { EventLog } from "../events/event-log.ts";
import { FakeClock } from "../platform/clock.ts";
import { silentLog } from "../platform/log.ts";
import { createRandom } from "../platform/random.ts";
import { rejection } from "../platform/testing/rejection.ts";
import { type ControllerConnection, Controllers } from "./controllers.ts";
import { DeviceRoster } from "./device-roster.ts";

const ORG = "0123456789ab";
const OTHER_ORG = "ba9876543210";

let clock: FakeClock;
let database: Database;
let stores: Stores;
let writer: Writer;
let controllers: Controllers;
/** What the queue is told. */
let queue: string[];
/** The devices of which the queue is told that their line went. */
let lost: string[];
/** What happens when the queue is told that a device is served. */
let atReady: () => void;
/** A command is out at each device. */
let isBusy: boolean;
let faults: unknown[];
let events: string[];
/** Which controllers came and went. */
let gone: string[];

beforeEach(() => {
  clock = new FakeClock();
  database = openDatabase(":memory:");
  migrate(database, clock.now());
  stores = createStores(database);
  const bus = createEventBus((error) => {
    throw error;
  });
  gone = [];
  [queue, lost, events, isBusy, atReady] = [[], [], [], false, () => undefined];
  bus.subscribe(({ event }) => {
    if ("device" in event) events.push(`${event.type} ${event.device.id} ${event.controllerId}`);
    else if ("controllerId" in event) gone.push(`${event.type} ${event.controllerId}`);
  });
  const random = createRandom(clock);
  writer = new Writer(database, { events: new EventLog({ stores, bus, clock, random }) });
  faults = [];
  controllers = new Controllers({
    onFault: (error) => void faults.push(error),
    ...{ stores, writer, clock, log: silentLog },
    reports: {
      isBusy: () => isBusy,
      ready: (deviceId) => {
        queue.push(`ready ${deviceId}`);
        atReady();
      },
      lineLost: (deviceId) => lost.push(deviceId),
      withdrawn: (deviceId) => queue.push(`withdrawn ${deviceId}`),
      report: ({ controllerId }, { type }) => {
        queue.push(`${type} of ${controllerId}`);
        return Promise.resolve("STORED");
      },
    },
  });
  for (const id of [ORG, OTHER_ORG]) {
    const settings = { name: id, currency: "RON", timezone: "UTC", plan: "pro" } as const;
    stores.organizations.insert({ id, ...settings, createdAt: 0, updatedAt: 0 });
  }
  for (const [orgId, deviceId] of [
    [ORG, "dev_1"],
    [ORG, "dev_2"],
    [OTHER_ORG, "dev_9"],
  ] as const) {
    stores.devices.insert(device(orgId, deviceId));
  }
});
afterEach(() => database.close());

const SIMULATED = {
  transport: "simulated",
  connectionParams: { address: "dev_s" },
  managedBy: "builtin",
} as const;

function device(orgId: string, id: string): Device {
  return {
    ...{ id, orgId, name: id, driver: "vendorA.isl", transport: "tcp", locationId: "shop" },
    connectionParams: { host: id, port: 1 },
    ...{ managedBy: "remote", controllerId: null, controllerName: null, storedStatus: "offline" },
    ...{ lastSeenAt: null, serialNumber: null, fiscalMemorySerialNumber: null, model: null },
    ...{ firmwareVersion: null, charsPerLine: null, reversalTenders: null, addressKeys: null },
    ...{ createdAt: 0, updatedAt: 0 },
  };
}

/** A controller that is connected. */
interface Peer {
  readonly connection: ControllerConnection;
  readonly told: ToController[];
  readonly closed: number[];
  say(message: ToGateway): void;
}

function connect(
  controllerId: string,
  orgId: string | null = ORG,
  devices?: readonly Device[],
): Peer {
  const told: ToController[] = [];
  const closed: number[] = [];
  const identity: ControllerIdentity = {
    ...{ orgId, controllerId, name: `Tablet ${controllerId}` },
    ...{ appVersion: "1", deviceModel: "tablet", osVersion: "os", reportsMarks: true },
  };
  const connection = controllers.connect(identity, devices ?? controllers.devicesOf(identity), {
    send: (message) => told.push(message),
    close: (code) => closed.push(code),
  });
  return { connection, told, closed, say: (message) => connection.receive(message) };
}

const announce = (peer: Peer, deviceId: string, link: "up" | "down" = "up"): void =>
  peer.say({ type: "device.announce", deviceId, link });
const infoOf = (serialNumber: string) => ({
  ...{ serialNumber, fiscalMemorySerialNumber: `F${serialNumber}` },
  ...{ firmwareVersion: null, manufacturer: null, model: null },
});
/** Everything that was begun is on disk. */
const atRest = (): Promise<unknown> => writer.run(() => undefined);

describe("a device that a controller announces", () => {
  test("is its own, and online", async () => {
    const peer = connect("t1");
    announce(peer, "dev_1");
    await atRest();
    expect(peer.told.at(-1)).toEqual({
      type: "announce.accepted",
      ...{ deviceId: "dev_1", link: "up" },
    });
    expect(controllers.controllerOf("dev_1")).toMatchObject({ orgId: ORG, controllerId: "t1" });
    expect(stores.devices.get(ORG, "dev_1")).toMatchObject({
      controllerId: "t1",
      controllerName: "Tablet t1",
      storedStatus: "online",
    });
    expect(queue).toEqual(["ready dev_1"]);
    expect(events).toEqual(["device.online dev_1 t1"]);
  });

  test("of another organization does not exist", () => {
    const peer = connect("t1");
    announce(peer, "dev_9");
    expect(peer.told.at(-1)).toMatchObject({ type: "announce.rejected", code: "NOT_FOUND" });
    expect(controllers.controllerOf("dev_9")).toBeUndefined();
  });

  test("is nobody's but the gateway's own where it is a simulated one", () => {
    stores.devices.insert({ ...device(ORG, "dev_s"), ...SIMULATED });
    const peer = connect("t1");
    announce(peer, "dev_s");
    expect(peer.told.at(-1)).toMatchObject({ code: "OWNED", ownerId: "builtin" });
    expect(controllers.controllerOf("dev_s")).toBeUndefined();
  });

  test("is not taken while its owner's link is up", () => {
    announce(connect("t1"), "dev_1");
    const second = connect("t2");
    announce(second, "dev_1");
    expect(second.told.at(-1)).toMatchObject({ code: "OWNED", ownerId: "t1" });
    expect(controllers.controllerOf("dev_1")).toMatchObject({ controllerId: "t1" });
  });

  test("is taken when its owner reports its link as down, and the owner is told", () => {
    const [first, second] = [connect("t1"), connect("t2")];
    announce(first, "dev_1");
    announce(first, "dev_1", "down");
    announce(second, "dev_1");
    expect(first.told.at(-1)).toEqual({ type: "device.released", deviceId: "dev_1" });
    expect(controllers.controllerOf("dev_1")).toMatchObject({ controllerId: "t2" });
    expect(queue).toEqual(["ready dev_1", "ready dev_1"]);
  });

  test("is free when its owner is gone", async () => {
    const first = connect("t1");
    announce(first, "dev_1");
    first.connection.close();
    await atRest();
    expect(controllers.controllerOf("dev_1")).toBeUndefined();
    expect(events.at(-1)).toBe("device.offline dev_1 t1");
    announce(connect("t2"), "dev_1");
    expect(controllers.controllerOf("dev_1")).toMatchObject({ controllerId: "t2" });
  });

  test("is not spoken of by anybody else", async () => {
    const [first, second] = [connect("t1"), connect("t2")];
    announce(first, "dev_1");
    second.say({ type: "device.note", deviceId: "dev_1", action: "a.b", details: {} });
    await atRest();
    expect(stores.audit.list(ORG, 10)).toEqual([]);
  });
});

describe("a controller", () => {
  test("is known by its organization and its name", () => {
    const [here, there] = [connect("t1", ORG), connect("t1", OTHER_ORG)];
    expect(here.closed).toEqual([]);
    announce(here, "dev_1");
    announce(there, "dev_9");
    expect(controllers.size).toBe(2);
    expect(controllers.controllerOf("dev_9")).toMatchObject({ orgId: OTHER_ORG });
    there.connection.close();
    expect(controllers.controllerOf("dev_1")).toMatchObject({ orgId: ORG });
  });

  test("that connects again takes the place of its first connection", async () => {
    const first = connect("t1");
    announce(first, "dev_1");
    const second = connect("t1");
    expect(first.closed).toEqual([4409]);
    // Nothing that the first one still says counts, and its end changes nothing.
    first.say({ type: "command.ack", deviceId: "dev_1", commandId: "cmd_1" });
    first.connection.close();
    expect(controllers.size).toBe(1);
    expect(controllers.live("dev_1")).toMatchObject({ link: "down" });
    announce(second, "dev_1");
    second.say({ type: "command.ack", deviceId: "dev_1", commandId: "cmd_1" });
    await atRest();
    expect(queue).toEqual(["ready dev_1", "command.ack of t1"]);
    expect(controllers.live("dev_1")).toMatchObject({ link: "up" });
  });

  test("may not call itself the built-in one", () => {
    expect(() => connect(BUILTIN_CONTROLLER.controllerId)).toThrow(RangeError);
  });
});

describe("what a remote controller is asked besides commands", () => {
  const viewer = () => {
    const seen: string[] = [];
    const watcher = {
      begin: (kept: readonly unknown[]) => seen.push(`begin ${kept.length}`),
      entry: ({ number }: { number: number }) => seen.push(`entry ${number}`),
      ended: () => seen.push("ended"),
    };
    return { seen, watcher };
  };
  const NOON = "2026-01-15T12:00:00.000Z";
  const entry = (number: number) => ({
    ...({ kind: "line", number, at: NOON, times: 1, lastAt: NOON } as const),
    ...({ event: "opened", text: "" } as const),
  });
  const requestOf = ({ told }: Peer): string => {
    const last = told.at(-1);
    return last && "requestId" in last ? last.requestId : "";
  };

  test("shows what passes on a line for as long as somebody looks", () => {
    const peer = connect("t1");
    announce(peer, "dev_1");
    const { seen, watcher } = viewer();
    const leave = controllers.watchLine("dev_1", watcher);
    const requestId = requestOf(peer);
    expect(peer.told.at(-1)).toEqual({ type: "trace.follow", requestId, deviceId: "dev_1" });
    const show = (...numbers: number[]) =>
      peer.say({ type: "trace.entries", requestId, entries: numbers.map(entry), ended: false });
    show(1, 2);
    show(3);
    // Another controller knows the number of the request, and is not heard.
    const stranger = connect("t2");
    stranger.say({ type: "trace.entries", requestId, entries: [entry(9)], ended: false });
    leave();
    expect(peer.told.at(-1)).toEqual({ type: "trace.end", requestId });
    show(4);
    expect(seen).toEqual(["begin 2", "entry 3"]);
  });

  test("ends when the controller goes", () => {
    const peer = connect("t1");
    announce(peer, "dev_1");
    const { seen, watcher } = viewer();
    controllers.watchLine("dev_1", watcher);
    peer.connection.close();
    expect(seen).toEqual(["ended"]);
  });

  test("is nothing of a device that nobody serves", () => {
    const { seen, watcher } = viewer();
    controllers.watchLine("dev_1", watcher);
    expect(seen).toEqual(["ended"]);
  });

  test("searches for devices, until the one who asked hangs up", async () => {
    const peer = connect("t1");
    const hangUp = new AbortController();
    const key = { orgId: ORG, controllerId: "t1" };
    const probing: unknown[] = [];
    const report = controllers.requests.detect(key, {
      target: { transport: "serial" },
      orgId: ORG,
      signal: hangUp.signal,
      onProgress: (progress) => probing.push(progress),
    });
    const requestId = requestOf(peer);
    expect(peer.told.at(-1)).toMatchObject({
      type: "detect.begin",
      target: { transport: "serial" },
    });
    const address = { transport: "serial", connectionParams: { address: "/dev/a" } } as const;
    const progress = { ...address, driver: "vendorA.isl", done: 0, total: 4 } as const;
    peer.say({ type: "detect.progress", requestId, probing: progress });
    hangUp.abort();
    expect(peer.told.at(-1)).toEqual({ type: "detect.end", requestId });
    peer.say({ type: "detect.report", requestId, report: { found: [], tried: [] } });
    expect(await report).toEqual({ found: [], tried: [] });
    expect(probing).toEqual([progress]);
  });

  test("is refused for one that is not connected, or goes meanwhile", async () => {
    const search = { target: { transport: "serial" }, signal: AbortSignal.any([]) } as const;
    const key = { orgId: ORG, controllerId: "t1" };
    expect((await rejection(controllers.requests.detect(key, search))).message).toContain(
      "not connected",
    );
    const peer = connect("t1");
    const report = controllers.requests.detect(key, search);
    peer.connection.close();
    expect(await rejection(report)).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });
});

test("a device that is given to another controller is taken from the one that had it", async () => {
  const tablet = connect("t1");
  announce(tablet, "dev_1");
  connect("builtin", null);
  const given = stores.devices.get(ORG, "dev_1");
  if (given) controllers.assign(BUILTIN_CONTROLLER, given);
  await atRest();
  expect(tablet.told.at(-1)).toEqual({ type: "device.released", deviceId: "dev_1" });
  expect(controllers.controllerOf("dev_1")).toMatchObject(BUILTIN_CONTROLLER);
  expect(stores.devices.get(ORG, "dev_1")).toMatchObject({ controllerId: "builtin" });
  expect(queue).toEqual(["ready dev_1", "withdrawn dev_1", "ready dev_1"]);
});

describe("a device that the built-in controller is to serve", () => {
  let roster: DeviceRoster;
  let builtin: Peer;
  const owner = () => controllers.controllerOf("dev_1")?.controllerId;
  beforeEach(() => {
    stores.devices.update(ORG, "dev_1", { managedBy: "builtin" });
    roster = new DeviceRoster(stores.devices, controllers);
    builtin = connect("builtin", null, roster.initial());
    announce(builtin, "dev_1", "down");
    builtin.told.length = 0;
  });
  const types = ({ told }: Peer) => told.map(({ type }) => type);

  test("is nobody's who does not reach it either", () => {
    const app = connect("t1");
    announce(app, "dev_1", "down");
    expect(app.told.at(-1)).toMatchObject({ code: "OWNED", ownerId: "builtin" });
    expect(builtin.told).toEqual([]);
    expect(owner()).toBe("builtin");
  });

  test("is another's who reaches it, whatever is changed of it, until that one is gone", async () => {
    const app = connect("t1");
    announce(app, "dev_1");
    expect(types(builtin)).toEqual(["device.released"]);
    stores.devices.update(ORG, "dev_1", { name: "Bar" });
    roster.sync();
    controllers.refresh("dev_1");
    expect(app.told.at(-1)).toMatchObject({ type: "device.assigned", device: { name: "Bar" } });
    expect(owner()).toBe("t1");
    app.connection.close();
    clock.advance(45_000);
    await atRest();
    expect(types(builtin)).toEqual(["device.released", "device.assigned"]);
    expect(builtin.told.at(-1)).toMatchObject({ device: { name: "Bar" } });
    expect(owner()).toBe("builtin");
    expect(stores.devices.get(ORG, "dev_1")).toMatchObject({ controllerId: "builtin" });
    roster.sync();
    expect(types(builtin)).toHaveLength(2);
  });

  test("is its own again when the other one reaches it no more", () => {
    const app = connect("t1");
    announce(app, "dev_1");
    announce(app, "dev_1", "down");
    expect(app.told.at(-1)).toEqual({ type: "device.released", deviceId: "dev_1" });
    expect(owner()).toBe("builtin");
  });

  describe("and another one reaches", () => {
    let app: Peer;
    beforeEach(async () => {
      app = connect("t1");
      announce(app, "dev_1");
      await atRest();
      [builtin.told.length, queue.length] = [0, 0];
    });

    test("stays with it while its connection breaks for a moment", () => {
      isBusy = true;
      app.connection.close();
      stores.devices.update(ORG, "dev_1", { name: "Bar" });
      roster.sync();
      clock.advance(44_999);
      const again = connect("t1");
      expect(again.told).toMatchObject([{ type: "welcome", devices: [{ id: "dev_1" }] }]);
      announce(again, "dev_1");
      clock.advance(60_000);
      expect([builtin.told, queue, owner()]).toEqual([[], ["ready dev_1"], "t1"]);
      expect(clock.pendingTimers).toBe(0);
    });

    test("stays with it when it connects anew before its former end was seen", () => {
      isBusy = true;
      const again = connect("t1");
      expect(again.told).toMatchObject([{ type: "welcome", devices: [{ id: "dev_1" }] }]);
      announce(again, "dev_1");
      clock.advance(60_000);
      expect([builtin.told, queue, owner()]).toEqual([[], ["ready dev_1"], "t1"]);
    });

    test("is its own again where that one connects anew and says nothing of it", () => {
      app.connection.close();
      clock.advance(44_999);
      const again = connect("t1");
      clock.advance(44_999);
      expect(owner()).toBe("t1");
      clock.advance(1);
      expect(again.told.at(-1)).toEqual({ type: "device.released", deviceId: "dev_1" });
      expect([types(builtin), owner()]).toEqual([["device.assigned"], "builtin"]);
    });

    test("is its own again where that one connects anew ever again and says nothing of it", () => {
      app.connection.close();
      clock.advance(40_000);
      let again = connect("t1");
      for (let seconds = 40; seconds < 82; seconds += 7) {
        clock.advance(7_000);
        // Each time its former end is seen, or is not.
        if (seconds % 2 === 0) again.connection.close();
        again = connect("t1");
      }
      clock.advance(2_999);
      expect(owner()).toBe("t1");
      clock.advance(1);
      expect(again.told.at(-1)).toEqual({ type: "device.released", deviceId: "dev_1" });
      expect([types(builtin), owner()]).toEqual([["device.assigned"], "builtin"]);
      again.connection.close();
      expect(clock.pendingTimers).toBe(0);
    });

    test("may be said nothing of for as long again each time that it was reached", () => {
      let again = app;
      for (const _ of [1, 2, 3]) {
        again.connection.close();
        clock.advance(44_999);
        again = connect("t1");
        clock.advance(44_999);
        announce(again, "dev_1");
        expect([builtin.told, owner()]).toEqual([[], "t1"]);
      }
    });

    test("is its own again when its line stays down while a command is under way", () => {
      isBusy = true;
      announce(app, "dev_1", "down");
      roster.sync();
      clock.advance(44_999);
      announce(app, "dev_1");
      clock.advance(60_000);
      announce(app, "dev_1", "down");
      clock.advance(44_999);
      announce(app, "dev_1", "down");
      expect([builtin.told, queue, owner()]).toEqual([[], [], "t1"]);
      clock.advance(1);
      expect(app.told.at(-1)).toEqual({ type: "device.released", deviceId: "dev_1" });
      expect([types(builtin), owner()]).toEqual([["device.assigned"], "builtin"]);
    });

    test("is another one's that reaches it while its connection is broken", () => {
      app.connection.close();
      const other = connect("t2");
      announce(other, "dev_1");
      clock.advance(60_000);
      expect([builtin.told, owner()]).toEqual([[], "t2"]);
    });
  });

  test("is not taken by whoever finds another printer there", () => {
    stores.devices.update(ORG, "dev_1", { serialNumber: "S1", fiscalMemorySerialNumber: "FS1" });
    const app = connect("t1");
    app.say({ type: "device.announce", deviceId: "dev_1", link: "up", info: infoOf("S2") });
    expect(app.told.at(-1)).toEqual({ type: "device.released", deviceId: "dev_1" });
    expect(owner()).toBe("builtin");
  });

  test("is given to it at once where a person says that it is to serve it", () => {
    stores.devices.update(ORG, "dev_2", { managedBy: "remote" });
    const app = connect("t1");
    announce(app, "dev_2");
    stores.devices.update(ORG, "dev_2", { managedBy: "builtin" });
    roster.sync();
    expect(app.told.at(-1)).toEqual({ type: "device.released", deviceId: "dev_2" });
    expect(controllers.controllerOf("dev_2")).toMatchObject(BUILTIN_CONTROLLER);
  });
});

test("what cannot be taken is refused, by its device, and ends nothing", async () => {
  stores.devices.update(ORG, "dev_1", { managedBy: "builtin" });
  const builtin = connect("builtin", null, new DeviceRoster(stores.devices, controllers).initial());
  for (const peer of [builtin, connect("t1")]) {
    database.sqlite.exec("ALTER TABLE devices RENAME TO away");
    announce(peer, "dev_1");
    const about = { type: "error", code: "NOT_STORED", deviceId: "dev_1" };
    expect(peer.told.at(-1)).toMatchObject(about);
    expect(faults.splice(0)).toMatchObject([{ message: expect.stringContaining("devices") }]);
    database.sqlite.exec("ALTER TABLE away RENAME TO devices");
  }
  announce(builtin, "dev_1");
  await atRest();
  expect(builtin.told.at(-1)).toMatchObject({ type: "announce.accepted", link: "up" });
});

test("whoever cannot be taken in is not connected, and the connection before stays", () => {
  const before = connect("t1");
  announce(before, "dev_1");
  const own = stores.devices.list(ORG, {});
  database.sqlite.exec("ALTER TABLE locations RENAME TO away");
  for (const id of ["t1", "t2"]) expect(() => connect(id, ORG, own)).toThrow("locations");
  database.sqlite.exec("ALTER TABLE away RENAME TO locations");
  expect(controllers.isConnected({ orgId: ORG, controllerId: "t2" })).toBe(false);
  expect([controllers.size, before.closed]).toEqual([1, []]);
});

test("whoever is taken in half way loses again what it was given", async () => {
  for (const id of ["dev_1", "dev_2"]) stores.devices.update(ORG, id, { controllerId: "t1" });
  atReady = () => database.sqlite.exec("ALTER TABLE locations RENAME TO away");
  expect(() => connect("t1")).toThrow("locations");
  database.sqlite.exec("ALTER TABLE away RENAME TO locations");
  await atRest();
  expect(queue).toEqual(["ready dev_1"]);
  expect(lost).toContain("dev_1");
  expect(gone).toEqual(["controller.connected t1", "controller.disconnected t1"]);
  expect(controllers.controllerOf("dev_1")).toBeUndefined();
});

test("whoever goes while the database cannot be read loses all it had, which goes back later", async () => {
  for (const id of ["dev_1", "dev_2"]) stores.devices.update(ORG, id, { managedBy: "builtin" });
  const builtin = connect("builtin", null, new DeviceRoster(stores.devices, controllers).initial());
  const app = connect("t1");
  for (const id of ["dev_1", "dev_2"]) announce(app, id);
  await atRest();
  lost = [];
  database.sqlite.exec("ALTER TABLE devices RENAME TO away");
  app.connection.close();
  expect(lost).toEqual(["dev_1", "dev_2"]);
  // Nor when they are to go back.
  await clock.advanceAsync(45_000);
  database.sqlite.exec("ALTER TABLE away RENAME TO devices");
  builtin.told.length = 0;
  await clock.advanceAsync(45_000);
  expect(builtin.told).toMatchObject([
    { type: "device.assigned", device: { id: "dev_1" } },
    { type: "device.assigned", device: { id: "dev_2" } },
  ]);
});

test("a device that is taken and given up in one turn is stored as the gateway's again", async () => {
  stores.devices.update(ORG, "dev_1", { managedBy: "builtin" });
  connect("builtin", null, new DeviceRoster(stores.devices, controllers).initial());
  await atRest();
  const app = connect("t1");
  announce(app, "dev_1");
  announce(app, "dev_1", "down");
  await atRest();
  expect(controllers.controllerOf("dev_1")).toMatchObject(BUILTIN_CONTROLLER);
  expect(stores.devices.get(ORG, "dev_1")).toMatchObject({ controllerId: "builtin" });
});

describe("a device at which another printer stands", () => {
  const say = (peer: Peer, serialNumber: string): void =>
    peer.say({
      type: "device.announce",
      deviceId: "dev_1",
      link: "up",
      info: infoOf(serialNumber),
    });
  let app: Peer;
  beforeEach(() => {
    stores.devices.update(ORG, "dev_1", { serialNumber: "S1", fiscalMemorySerialNumber: "FS1" });
    app = connect("t1");
    say(app, "S2");
    [app.told.length, queue.length] = [0, 0];
  });

  test("is tried again, and nothing goes out before its line was judged", () => {
    clock.advance(30_000);
    expect(app.told).toMatchObject([{ type: "device.assigned" }]);
    expect([queue, controllers.controllerOf("dev_1")]).toEqual([[], undefined]);
    say(app, "S2");
    expect(queue).toEqual(["withdrawn dev_1"]);
    clock.advance(30_000);
    say(app, "S1");
    expect(queue).toEqual(["withdrawn dev_1", "ready dev_1"]);
    expect(controllers.controllerOf("dev_1")).toMatchObject({ controllerId: "t1" });
  });

  test("is served again where nothing answers when it is tried", () => {
    announce(app, "dev_1", "down");
    expect(controllers.reasonOf("dev_1")).toContain("Another printer stands there");
    clock.advance(30_000);
    announce(app, "dev_1", "down");
    expect(controllers.controllerOf("dev_1")).toMatchObject({ controllerId: "t1" });
  });

  test("is not taken for the device's by what is told of it as its line goes down", async () => {
    say(app, "S1");
    clock.advance(30_000);
    say(app, "S1");
    const told = { type: "device.announce", deviceId: "dev_1", info: infoOf("S2") } as const;
    app.say({ ...told, link: "down" });
    await atRest();
    expect(stores.devices.get(ORG, "dev_1")).toMatchObject({
      ...{ serialNumber: "S1", fiscalMemorySerialNumber: "FS1", storedStatus: "offline" },
    });
    queue.length = 0;
    app.say({ ...told, link: "up" });
    expect(queue).toEqual(["withdrawn dev_1"]);
  });

  test("is left alone once it was accepted", () => {
    stores.devices.update(ORG, "dev_1", { serialNumber: "S2", fiscalMemorySerialNumber: "FS2" });
    controllers.refresh("dev_1");
    expect(queue).toEqual([]);
    say(app, "S2");
    expect(queue).toEqual(["ready dev_1"]);
    clock.advance(60_000);
    expect(queue).toEqual(["ready dev_1"]);
    expect(clock.pendingTimers).toBe(0);
  });
});

describe("what another shop's app says of its printers", () => {
  test("keeps no printer out by its numbers", async () => {
    stores.devices.update(ORG, "dev_1", { serialNumber: "S1", fiscalMemorySerialNumber: "FS1" });
    const [own, other] = [connect("t1"), connect("x", OTHER_ORG)];
    const up = { type: "device.announce", link: "up", info: infoOf("S1") } as const;
    other.say({ ...up, deviceId: "dev_9" });
    await atRest();
    own.say({ ...up, deviceId: "dev_1" });
    expect(own.told.at(-1)).toMatchObject({ type: "announce.accepted" });
    expect(controllers.reaches("dev_1")).toBe(true);
  });

  test("keeps no printer out by a port of the same name", async () => {
    const port = { transport: "serial", connectionParams: { address: "/dev/ttyUSB0" } } as const;
    const theirs = stores.devices.update(OTHER_ORG, "dev_9", { ...port, controllerId: "pi" });
    if (!theirs) throw new Error("no device");
    stores.outcomeHolds.raise({
      ...printerOf(theirs),
      ...{ commandId: "cmd_1", orgId: OTHER_ORG, raisedAt: 1 },
    });
    stores.devices.update(ORG, "dev_1", port);
    const own = connect("t1");
    own.say({ type: "device.announce", deviceId: "dev_1", link: "up", info: infoOf("S1") });
    await atRest();
    expect(own.told.at(-1)).toMatchObject({ type: "announce.accepted" });
  });
});

describe("two printers of the gateway's own whose links have changed their ports", () => {
  const links = ["dev_1", "dev_2"] as const;
  beforeEach(() => {
    for (const [at, id] of links.entries()) {
      const connectionParams = { address: `/dev/serial/by-id/usb-${id}` };
      stores.devices.update(ORG, id, {
        ...{ transport: "serial", managedBy: "builtin", connectionParams },
        ...{ serialNumber: `S${at}`, fiscalMemorySerialNumber: `FS${at}` },
        addressKeys: [`serial /dev/ttyACM${at}`],
      });
    }
    // The second was switched on first, and has the port that the first had.
    stores.devices.update(ORG, "dev_2", { addressKeys: ["serial /dev/ttyACM0"] });
  });
  const bothUp = (told: readonly string[]): unknown[] => {
    const own = connect("builtin", null, stores.devices.list(ORG));
    for (const [at, id] of [...links.entries()].toReversed()) {
      const number = told[at];
      const info = number === undefined ? {} : { info: infoOf(number) };
      own.say({ type: "device.announce", deviceId: id, link: "up", ...info });
    }
    return links.map((id) => controllers.reaches(id));
  };

  test("both come up, each with the numbers of its record", () => {
    expect(bothUp(["S0", "S1"])).toEqual([true, true]);
  });

  test("the later one stays down where both tell the same", () => {
    stores.devices.update(ORG, "dev_1", { serialNumber: "S1", fiscalMemorySerialNumber: "FS1" });
    expect(bothUp(["S1", "S1"])).toEqual([false, true]);
  });

  test("the later one stays down where they tell none", () => {
    for (const id of links) {
      stores.devices.update(ORG, id, { serialNumber: null, fiscalMemorySerialNumber: null });
    }
    expect(bothUp([])).toEqual([false, true]);
  });
});
