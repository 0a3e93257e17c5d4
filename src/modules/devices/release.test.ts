/** Devices that are taken from their controller, and when each came and went. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { BUILTIN_CONTROLLER, type ControllerIdentity } from "#core/controller/controller.ts";
import type { ToController } from "#core/controller/messages.ts";
import { purgeRegularly } from "../../app/upkeep.ts";
import type { ControllerConnection } from "../../gateway/controllers.ts";
import { CountedTime } from "../../platform/counted-time.ts";
import { silentLog } from "../../platform/log.ts";
import { TimerQueue } from "../../queue/timer-queue.ts";
import { type CommandsBench, createCommandsBench } from "../commands/testing/commands-bench.ts";
import { CONTROLLER } from "../testing/api-bench.ts";

const DAY_MS = 86_400_000;

let bench: CommandsBench;
let reader: string;
beforeEach(async () => {
  bench = await createCommandsBench();
  reader = await bench.makeKey(["devices:read"]);
  // Else the built-in controller is about to have it, and leaves when it may not.
  await bench.owner.patch(path(), { managedBy: "remote" });
});
afterEach(() => bench.close());

/** A controller that the test plays. */
interface Peer {
  readonly connection: ControllerConnection;
  readonly told: ToController[];
}

/** Connects a controller of the shop, or the built-in one where there is no name. */
function connect(controllerId?: string): Peer {
  const told: ToController[] = [];
  const key = controllerId ? { orgId: bench.orgId, controllerId } : BUILTIN_CONTROLLER;
  const identity: ControllerIdentity = {
    ...{ ...key, name: `Name of ${key.controllerId}`, appVersion: "2.4.0", reportsMarks: true },
    ...{ deviceModel: "Tab A9", osVersion: "Android 15" },
  };
  const connection = bench.controllers.connect(identity, [], {
    send: (message) => told.push(message),
    close() {},
  });
  return { connection, told };
}

async function announce(peer: Peer, link: "up" | "down", reason?: string): Promise<void> {
  const { deviceId } = bench;
  const why = reason === undefined ? {} : { reason };
  peer.connection.receive({ type: "device.announce", deviceId, link, ...why });
  await bench.atRest();
}

const path = (suffix = "") => `/api/v1/devices/${bench.deviceId}${suffix}`;
const release = (controllerId: unknown = "tablet", client = bench.owner) =>
  client.post(path("/release"), { controllerId });
/** Asked with a key, because a login ends long before the history does. */
const history = async () => {
  const answer = await bench.owner.as(reader).get(path("/connection-history"));
  const Event = Type.Record(Type.String(), Type.Unknown());
  return answer.as(Type.Object({ events: Type.Array(Event) })).events;
};

describe("releasing a device", () => {
  test("takes it from the controller, which is told, until one announces it again", async () => {
    const tablet = connect("tablet");
    await announce(tablet, "up");
    const before = await bench.owner.get(path());
    expect(before.body).toMatchObject({
      ...{ controllerId: "tablet", controllerName: "Name of tablet", effectiveStatus: "online" },
    });
    await bench.clock.advanceAsync(60_000);
    const releasedAt = new Date(bench.clock.now()).toISOString();
    const answer = await release();
    const released = { controllerId: null, controllerName: null, managedBy: "remote" };
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ ...released, id: bench.deviceId }),
    ]);
    await bench.atRest();
    expect(tablet.told.at(-1)).toEqual({ type: "device.released", deviceId: bench.deviceId });
    const after = await bench.owner.get(path());
    expect(after.body).toMatchObject({
      ...{ ...released, status: "offline", effectiveStatus: "offline" },
    });
    await bench.clock.advanceAsync(60_000);
    expect((await bench.owner.get(path("/alerts"))).body).toMatchObject({
      alerts: [
        {
          type: "device_unassigned",
          message:
            "No controller serves this device: start the one that is next to it, which announces it",
          detectedAt: releasedAt,
        },
      ],
    });
    const events = bench.events.filter(({ type }) => type === "device.released");
    const device = expect.objectContaining({ id: bench.deviceId, controllerId: null });
    expect(events).toEqual([expect.objectContaining({ device, controllerId: "tablet" })]);
    const [entry] = bench.stores.audit.list(bench.orgId, 1);
    expect(entry).toMatchObject({ action: "device.released", resource: bench.deviceId });
    await announce(tablet, "up");
    expect((await bench.owner.get(path())).body).toMatchObject({
      ...{ controllerId: "tablet", status: "online" },
    });
  });

  test.each([
    ["a controller that never was", "phone"],
    ["nobody's name", "x".repeat(1_000)],
  ])("is refused for %s", async (_, controllerId) => {
    await announce(connect("tablet"), "up");
    expect((await release(controllerId)).refusal).toBe("403 FORBIDDEN");
    expect((await bench.owner.get(path())).body).toMatchObject({ controllerId: "tablet" });
  });

  test("is refused for the former controller, and while none owns it", async () => {
    expect((await release()).refusal).toBe("403 FORBIDDEN");
    await announce(connect("tablet"), "up");
    expect((await release()).status).toBe(200);
    expect((await release()).refusal).toBe("403 FORBIDDEN");
  });

  test.each([[undefined], [""], [null], [5]])("with controllerId %p is no release", async (id) => {
    const answer = await bench.owner.post(path("/release"), { controllerId: id });
    expect([answer.refusal, answer.issuePaths]).toEqual([
      ...["400 VALIDATION_ERROR", ["controllerId"]],
    ]);
  });

  test("without a body is no release", async () => {
    expect((await bench.owner.post(path("/release"))).issuePaths).toEqual(["controllerId"]);
  });

  test("needs devices:write, and a device of one's own", async () => {
    await announce(connect("tablet"), "up");
    const other = await bench.otherShop();
    // What is wrong with the body comes after that.
    expect((await release("", other.client)).refusal).toBe("404 NOT_FOUND");
    const reader = bench.owner.as(await bench.makeKey(["devices:read", "commands"]));
    expect((await release("", reader)).refusal).toBe("403 FORBIDDEN");
    const operator = await bench.member(bench.orgId, "operator");
    expect((await release("", operator.client)).refusal).toBe("403 FORBIDDEN");
    expect((await release("", bench.client)).refusal).toBe("401 UNAUTHORIZED");
    const writer = bench.owner.as(await bench.makeKey(["devices:write"]));
    expect((await release("tablet", writer)).status).toBe(200);
  });

  test("takes it from the built-in controller, until it is to serve it again", async () => {
    const builtin = connect();
    await bench.owner.patch(path(), { managedBy: "builtin" });
    await bench.atRest();
    await announce(builtin, "up");
    expect((await release("builtin")).status).toBe(200);
    await bench.atRest();
    expect(builtin.told.at(-1)).toEqual({ type: "device.released", deviceId: bench.deviceId });
    await announce(builtin, "up");
    expect(builtin.told.at(-1)).toMatchObject({ type: "announce.rejected", code: "NOT_FOUND" });
    await bench.owner.patch(path(), { managedBy: "builtin" });
    await bench.atRest();
    expect(builtin.told.at(-1)).toMatchObject({ type: "device.assigned" });
    expect((await bench.owner.get(path())).body).toMatchObject({ controllerId: "builtin" });
  });

  describe("with a receipt out", () => {
    /** What became of a receipt that was out when the device was released. */
    const left = async (begin: (commandId: string) => Promise<unknown>): Promise<unknown> => {
      await announce(connect("tablet"), "up");
      const commandId = await bench.queued();
      await begin(commandId);
      bench.levers.connected = false;
      await release();
      await bench.atRest();
      return (await bench.till.get(`/api/v1/commands/${commandId}`)).body;
    };
    const acknowledged = (commandId: string) => {
      const { deviceId, orgId } = bench;
      const reporter = { orgId, controllerId: CONTROLLER, reportsMarks: true };
      return bench.queue.report(reporter, { type: "command.ack", deviceId, commandId });
    };

    test("that was only sent leaves it to the next controller, in its time", async () => {
      expect(await left(() => Promise.resolve())).toMatchObject({ command: { status: "sent" } });
    });

    test("that had begun and changed nothing ends it as not printed", async () => {
      expect(await left(acknowledged)).toMatchObject({
        command: { status: "failed", result: { data: { outcome: "not_printed" } } },
      });
    });

    test("that may be printed leaves it in doubt, until the next controller has asked", async () => {
      const committed = (commandId: string) => bench.marked(commandId, "committing");
      expect(await left(committed)).toMatchObject({ command: { status: "processing" } });
      bench.levers.connected = true;
      bench.queue.ready(bench.deviceId);
      await bench.atRest();
      expect(bench.levers.sent.at(-1)).toMatchObject({ type: "command.resolve" });
    });
  });
});

test("a device that is removed is taken from the remote controller that had it", async () => {
  const tablet = connect("tablet");
  await announce(tablet, "up");
  await bench.owner.delete(path());
  await bench.atRest();
  expect(tablet.told.at(-1)).toEqual({ type: "device.released", deviceId: bench.deviceId });
});

describe("whoever listens is told that a device went, once, and how it was left", () => {
  /** What is told of the device while something is done: the event, and the record in it. */
  const toldOf = async (deed: () => Promise<unknown>): Promise<readonly string[]> => {
    const from = bench.events.length;
    await deed();
    await bench.atRest();
    return bench.events.slice(from).flatMap((event) => {
      if (!("device" in event)) return [];
      const { storedStatus, controllerId } = event.device;
      return `${event.type} of ${event.controllerId}: ${storedStatus}, ${controllerId}`;
    });
  };
  const WENT = "device.offline of tablet: offline, null";
  const RELEASED = "device.released of tablet: offline, null";
  const remove = () => bench.owner.delete(path());
  const giveTo = (managedBy: string) => bench.owner.patch(path(), { managedBy });

  test.each([
    ["released", () => release()],
    ["removed", remove],
  ])("where it is %s", async (_, deed) => {
    await announce(connect("tablet"), "up");
    expect(await toldOf(deed)).toEqual([WENT, RELEASED]);
  });

  test.each([
    ["released", () => release()],
    ["removed", remove],
  ])("and not again where it was out of reach already when it is %s", async (_, deed) => {
    const tablet = connect("tablet");
    await announce(tablet, "up");
    await announce(tablet, "down");
    expect(await toldOf(deed)).toEqual([RELEASED]);
  });

  test("and not again where its controller leaves at the same moment", async () => {
    const tablet = connect("tablet");
    await announce(tablet, "up");
    const deed = () => {
      const released = release();
      tablet.connection.close();
      return released;
    };
    expect((await toldOf(deed)).filter((line) => line.startsWith("device.offline"))).toHaveLength(
      1,
    );
    expect((await history()).map(({ type }) => type)).toEqual(["disconnected", "connected"]);
  });

  test("where another controller is to serve it", async () => {
    const builtin = connect();
    await giveTo("builtin");
    await announce(builtin, "up");
    expect(await toldOf(() => giveTo("remote"))).toEqual([
      "device.offline of builtin: offline, null",
      "device.updated of null: offline, null",
    ]);
    const [entry] = await history();
    expect(entry).toMatchObject({ type: "disconnected", appVersion: "2.4.0" });
    await announce(connect("tablet"), "up");
    expect(await toldOf(() => giveTo("builtin"))).toEqual([
      "device.updated of tablet: online, tablet",
      WENT,
    ]);
  });

  test("where its controller is forgotten, which was gone already", async () => {
    const tablet = connect("tablet");
    await announce(tablet, "up");
    expect(await toldOf(() => Promise.resolve(tablet.connection.close()))).toEqual([
      "device.offline of tablet: offline, tablet",
    ]);
    const forget = () => bench.owner.delete("/api/v1/controllers/tablet");
    expect(await toldOf(forget)).toEqual([RELEASED]);
  });
});

test("a device's record is updated where another controller owns it, and by no other coming or going", async () => {
  const updatedAt = async () => (await bench.owner.get(path())).field("updatedAt").slice(11, 19);
  const times: string[] = [];
  const [tablet, phone] = [connect("tablet"), connect("phone")];
  for (const deed of [
    () => announce(tablet, "up"),
    () => announce(tablet, "down"),
    () => announce(tablet, "up"),
    () => announce(tablet, "down"),
    () => announce(phone, "up"),
  ]) {
    bench.clock.advance(1_000);
    await deed();
    times.push(await updatedAt());
  }
  expect(times).toEqual(["10:00:01", "10:00:01", "10:00:01", "10:00:01", "10:00:05"]);
});

describe("the connection history", () => {
  const app = { deviceModel: "Tab A9", appVersion: "2.4.0", osVersion: "Android 15" };

  test("tells when the device came and went, newest first, with the reason", async () => {
    expect(await history()).toEqual([]);
    const tablet = connect("tablet");
    await announce(tablet, "up");
    bench.clock.advance(1_000);
    await announce(tablet, "down", "Bluetooth\u0007is off");
    await announce(tablet, "down", "Bluetooth is still off");
    bench.clock.advance(1_000);
    await announce(tablet, "up");
    bench.clock.advance(1_000);
    tablet.connection.close({ code: 1006, reason: "" });
    await bench.atRest();
    const none = { code: null, reason: null };
    expect(await history()).toEqual([
      {
        ...{ type: "disconnected", timestamp: "2026-01-15T10:00:03.000Z", ...app },
        ...{ code: 1006, reason: "The controller is not connected" },
      },
      { type: "connected", timestamp: "2026-01-15T10:00:02.000Z", ...app, ...none },
      {
        ...{ type: "disconnected", timestamp: "2026-01-15T10:00:01.000Z", ...app },
        ...{ code: null, reason: "Bluetooth is off" },
      },
      { type: "connected", timestamp: "2026-01-15T10:00:00.000Z", ...app, ...none },
    ]);
  });

  test("tells of a release, and of a connection that another one replaced", async () => {
    const tablet = connect("tablet");
    await announce(tablet, "up");
    const again = connect("tablet");
    await announce(again, "up");
    await release();
    await bench.atRest();
    expect((await history()).map(({ type, code, reason }) => [type, code, reason])).toEqual([
      ["disconnected", null, "The device was taken from its controller"],
      ["connected", null, null],
      ["disconnected", 4409, "another connection of this controller"],
      ["connected", null, null],
    ]);
  });

  test("says nothing of a device that the controller never reached", async () => {
    const tablet = connect("tablet");
    await announce(tablet, "down", "Switched off");
    tablet.connection.close({ code: 1000, reason: "bye" });
    await bench.atRest();
    expect(await history()).toEqual([]);
  });

  test("shows the latest 20 and is kept for seven days", async () => {
    const writing = await bench.makeKey(["devices:write"]);
    const tablet = connect("tablet");
    for (let turn = 0; turn < 11; turn += 1) {
      await announce(tablet, "up");
      await announce(tablet, "down", `${turn}`);
    }
    const shown = await history();
    expect(shown.map(({ reason }) => reason)).toEqual(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? `${10 - index / 2}` : null)),
    );
    const { stores, writer, clock } = bench;
    clock.advance(1_000);
    await announce(tablet, "up");
    clock.advance(7 * DAY_MS - 31_000);
    purgeRegularly({
      ...{ stores, writer, clock, time: new CountedTime(clock), log: silentLog },
      ...{ timers: new TimerQueue(clock), stopping: new AbortController().signal },
    });
    await clock.advanceAsync(clock.nextTimerMs ?? Number.NaN);
    await bench.atRest();
    expect((await history()).map(({ type }) => type)).toEqual(["connected"]);
    await bench.clock.advanceAsync(3_600_000);
    await bench.atRest();
    expect(await history()).toEqual([]);
    // What it runs on is known of it while it is connected.
    await release("tablet", bench.owner.as(writing));
    expect(await history()).toEqual([expect.objectContaining({ type: "disconnected", ...app })]);
  });

  test("needs devices:read, and a device of one's own", async () => {
    const other = await bench.otherShop();
    const get = (client = bench.owner) => client.get(path("/connection-history"));
    expect((await get(other.client)).refusal).toBe("404 NOT_FOUND");
    expect((await get(bench.till)).refusal).toBe("403 FORBIDDEN");
    expect((await get(bench.client)).refusal).toBe("401 UNAUTHORIZED");
    const operator = await bench.member(bench.orgId, "operator");
    expect((await get(operator.client)).status).toBe(200);
  });
});
