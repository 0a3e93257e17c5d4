/** The controllers' WebSocket, by a controller that keeps to the protocol and by one that does not. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { TO_CONTROLLER, TO_GATEWAY } from "#core/controller/messages.ts";
import type { DetectionReport } from "#core/device/detection.ts";
import { DRIVERS } from "#drivers/registry.ts";
import { until } from "../../e2e/harness/until.ts";
import { type RunningHttp, startHttp } from "../../http/listen.ts";
import { systemClock } from "../../platform/clock.ts";
import { type CommandsBench, createCommandsBench } from "../commands/testing/commands-bench.ts";
import { CONTROLLER } from "../testing/api-bench.ts";
import { ScriptedController } from "./testing/scripted-controller.ts";

const API = "/api/v1";
const CONNECT = `${API}/controllers/connect`;

let bench: CommandsBench;
let http: RunningHttp;
let key: string;
let deviceId: string;
beforeEach(async () => {
  bench = await createCommandsBench();
  ({ deviceId } = bench);
  key = await bench.makeKey(["devices"]);
  await bench.owner.patch(`${API}/devices/${deviceId}`, { managedBy: "remote" });
  http = startHttp(bench.client.app, { hostname: "127.0.0.1", port: 0, clock: systemClock });
});
afterEach(async () => {
  await http.stop(0);
  bench.close();
});

const connect = (controllerId = "tablet", query: Readonly<Record<string, string>> = {}) =>
  ScriptedController.connect(http.url, { credential: key, controllerId, query });
const deviceRecord = async () =>
  (await bench.client.as(key).get(`${API}/devices/${deviceId}`)).body;
const deviceStatus = async () =>
  (await bench.client.as(key).get(`${API}/devices/${deviceId}/status`)).body;
const instances = async () => (await bench.client.as(key).get(`${API}/controllers`)).body;
const audited = () => bench.stores.audit.list(bench.orgId, 100);

/** Connects and is at the device. */
async function atDevice(controllerId = "tablet", query: Readonly<Record<string, string>> = {}) {
  const controller = await connect(controllerId, query);
  controller.announce(deviceId);
  await controller.next("announce.accepted");
  await bench.atRest();
  return controller;
}

describe("a handshake", () => {
  test("makes a controller known, and whoever follows is told", async () => {
    const controller = await connect("till-1.a_b", {
      ...{ name: "Counter\u0007tablet", appVersion: "2.4.0", deviceModel: "Tab A9" },
      ...{ osVersion: "", locationId: "shop" },
    });
    expect(controller.subprotocol).toBe("fdg.v1");
    expect(controller.welcome).toEqual({
      ...{ type: "welcome", controllerId: "till-1.a_b", devices: [], heartbeatSeconds: 15 },
    });
    await bench.atRest();
    expect(await instances()).toMatchObject({
      instances: [
        {
          ...{ controllerId: "till-1.a_b", controllerName: "Counter tablet" },
          ...{ appVersion: "2.4.0", deviceModel: "Tab A9", osVersion: "", connectedDevices: [] },
        },
      ],
    });
    const row = bench.stores.controllers.get(bench.orgId, "till-1.a_b");
    expect(row).toMatchObject({ locationId: "shop", appVersion: "2.4.0", osVersion: null });
    controller.close();
    const types = () => bench.events.map(({ type }) => type).filter((type) => type.startsWith("c"));
    await until("the word that it went", () => types().includes("controller.disconnected"));
    expect(types()).toEqual(["controller.connected", "controller.disconnected"]);
    expect(await instances()).toMatchObject({ instances: [] });
  });

  test.each([
    ["", ["controllerId"]],
    ["controllerId=", ["controllerId"]],
    ["controllerId=a%20b", ["controllerId"]],
    [`controllerId=${"a".repeat(129)}`, ["controllerId"]],
    [`controllerId=a&name=${"a".repeat(256)}&marks=yes`, ["name", "marks"]],
    ["controllerId=a&controllerId=b", ["controllerId"]],
  ])("with ?%s is refused", async (search, paths) => {
    const answer = await bench.client.as(key).get(`${CONNECT}?${search}`);
    expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", paths]);
  });

  test("may not take the built-in controller's name, and needs to be one", async () => {
    const as = bench.client.as(key);
    // The others name something else in the address of a presence record.
    for (const name of ["builtin", "connect", ".", ".."]) {
      expect((await as.get(`${CONNECT}?controllerId=${name}`)).refusal).toBe("409 CONFLICT");
    }
    expect((await as.get(`${CONNECT}?controllerId=a&name=&marks=`)).refusal).toBe(
      "400 BAD_REQUEST",
    );
  });
});

describe("a device", () => {
  test("is a controller's that announces it, for as long as it is connected", async () => {
    const controller = await connect("tablet", { name: "Tablet" });
    controller.announce(deviceId, { info: INFO });
    expect(await controller.next("device.assigned")).toMatchObject({
      device: { id: deviceId, driver: "vendorA.isl", timezone: expect.any(String) },
    });
    expect(await controller.next("announce.accepted")).toMatchObject({ deviceId });
    await bench.atRest();
    expect(await deviceRecord()).toMatchObject({
      ...{ controllerId: "tablet", controllerName: "Tablet", serialNumber: "DT1" },
      ...{ effectiveStatus: "online", charsPerLine: 42, reversalTenders: ["cash"] },
    });
    const up = { wsConnected: true, controllerOnline: true, effectiveStatus: "online" };
    expect(await deviceStatus()).toMatchObject(up);
    controller.close(4000, "going\u0000home");
    await until("the device to be offline", async () => {
      await bench.atRest();
      return bench.stores.devices.get(bench.orgId, deviceId)?.storedStatus === "offline";
    });
    expect(await deviceRecord()).toMatchObject({
      ...{ controllerId: "tablet", effectiveStatus: "offline" },
    });
    const down = { wsConnected: false, controllerOnline: false, effectiveStatus: "offline" };
    expect(await deviceStatus()).toMatchObject(down);
    const history = await bench.owner.get(`${API}/devices/${deviceId}/connection-history`);
    expect(history.body).toMatchObject({
      events: [{ type: "disconnected", code: 4000, reason: "going home" }, { type: "connected" }],
    });
    expect((await connect()).welcome.devices).toMatchObject([{ id: deviceId }]);
  });

  test("names its controller as that is called now", async () => {
    await atDevice("tablet");
    const body = { locationId: "shop", controllerName: "Bar" };
    await bench.owner.post(`${API}/controllers/tablet`, body);
    expect(await deviceRecord()).toMatchObject({ controllerName: "Bar" });
    await bench.owner.patch(`${API}/controllers/tablet`, { controllerName: "Garden" });
    expect(await deviceRecord()).toMatchObject({ controllerName: "Garden" });
  });

  test("is not taken while its owner reaches it, and is when the owner does not", async () => {
    const owner = await atDevice("one");
    const other = await connect("two");
    other.announce(deviceId);
    expect(await other.next("announce.rejected")).toMatchObject({ code: "OWNED", ownerId: "one" });
    owner.announce(deviceId, { link: "down", reason: "No paper\u001b[2J" });
    await owner.next("announce.accepted");
    expect(bench.controllers.reasonOf(deviceId)).toBe("No paper [2J");
    other.announce(deviceId);
    await other.next("announce.accepted");
    expect(await owner.next("device.released")).toMatchObject({ deviceId });
  });

  test("of somebody else is none", async () => {
    const { deviceId: theirs } = await bench.otherShop();
    const controller = await connect();
    controller.announce(theirs);
    expect(await controller.next("announce.rejected")).toMatchObject({ code: "NOT_FOUND" });
  });

  test("is told of anew when it is changed, and taken when it is released", async () => {
    const controller = await atDevice();
    await bench.owner.patch(`${API}/devices/${deviceId}`, { name: "Counter" });
    expect(await controller.next("device.assigned")).toMatchObject({ device: { name: "Counter" } });
    await bench.owner.patch(`${API}/devices/${deviceId}`, { name: "Counter" });
    const body = { controllerId: "tablet" };
    expect((await bench.owner.post(`${API}/devices/${deviceId}/release`, body)).status).toBe(200);
    const told = await controller.next("device.released");
    expect(told).toMatchObject({ deviceId });
    expect((await connect("tablet")).welcome.devices).toEqual([]);
  });
});

const INFO = {
  ...{ serialNumber: "DT1\u0007", firmwareVersion: "1", fiscalMemorySerialNumber: "5001" },
  ...{ manufacturer: null, model: "FP", charsPerLine: 42, reversalTenders: ["cash"] },
};

describe("a connection ends", () => {
  test("when the controller connects anew", async () => {
    const first = await atDevice();
    const second = await connect();
    expect((await first.ended())[0]).toBe(4409);
    expect(second.welcome.devices).toMatchObject([{ id: deviceId }]);
  });

  test("when nothing is heard for 45 s, and not before", async () => {
    const credential = key;
    const deaf = await ScriptedController.connect(http.url, { credential, answersPings: false });
    for (const _ of [1, 2]) {
      bench.clock.advance(15_000);
      await deaf.next("ping");
    }
    deaf.sayText("anything");
    await deaf.next("error");
    bench.clock.advance(14_000);
    bench.clock.advance(15_000);
    bench.clock.advance(15_999);
    expect(await instances()).toMatchObject({ instances: [{}] });
    bench.clock.advance(1);
    expect(await instances()).toMatchObject({ instances: [] });
    expect((await deaf.ended())[0]).toBe(4408);
  });

  test("with the key that opened it", async () => {
    const Keys = Type.Object({ id: Type.String(), key: Type.String() });
    const made = await bench.owner.post(`${API}/org/api-keys`, { label: "A", scopes: ["devices"] });
    const { id, key: credential } = made.as(Keys);
    const controller = await ScriptedController.connect(http.url, { credential });
    await bench.owner.delete(`${API}/org/api-keys/${id}`);
    bench.clock.advance(1_000);
    expect((await controller.ended())[0]).toBe(4401);
  });

  test("when the access token expires", async () => {
    const { client } = await bench.member(bench.orgId, "admin");
    const credential = client.headers.authorization?.slice("Bearer ".length) ?? "";
    const controller = await ScriptedController.connect(http.url, { credential });
    await bench.clock.advanceAsync(901_000);
    expect((await controller.ended())[0]).toBe(4401);
  });

  test("with 1001 when the gateway stops", async () => {
    const controller = await connect();
    await http.stop(0);
    expect((await controller.ended())[0]).toBe(1001);
  });
});

describe("what makes no sense", () => {
  test.each([
    ["BAD_JSON", "{"],
    ["BAD_JSON", "[]"],
    ["BAD_JSON", `{"type":${"[".repeat(100_000)}`],
    ["UNKNOWN_TYPE", "{}"],
    ["UNKNOWN_TYPE", '{"type":"welcome"}'],
    ["UNKNOWN_TYPE", '{"type":"__proto__"}'],
    ["INVALID_MESSAGE", '{"type":"device.announce","deviceId":5,"link":"up"}'],
    ["INVALID_MESSAGE", '{"type":"device.announce","deviceId":"d","link":"sideways"}'],
    ["INVALID_MESSAGE", '{"type":"command.result","commandId":"c","result":{}}'],
    ["INVALID_MESSAGE", '{"type":"command.mark","commandId":"c","mark":"done"}'],
    ["INVALID_MESSAGE", '{"type":"command.ack","commandId":"c","epoch":0}'],
  ])("is answered with %s, and nothing changes", async (code, text) => {
    const controller = await connect();
    await bench.atRest();
    const before = [audited(), bench.events.length];
    controller.sayText(text);
    expect(await controller.next("error")).toMatchObject({ code });
    await bench.atRest();
    expect([audited(), bench.events.length]).toEqual(before);
  });

  test("is answered with what it was about, where that can be read", async () => {
    const controller = await connect();
    const result = { success: false, errorCode: "E999" };
    const told = { type: "command.result", deviceId: "d", commandId: "c", epoch: 3, result };
    controller.sayText(JSON.stringify(told));
    const about = { deviceId: "d", commandId: "c", epoch: 3 };
    expect(await controller.next("error")).toMatchObject({ code: "INVALID_MESSAGE", ...about });
    controller.sayText(JSON.stringify({ ...told, deviceId: 5, commandId: "", epoch: "3" }));
    const second = await controller.next("error");
    expect(Object.keys(second)).toEqual(["type", "code", "message"]);
    controller.sayText(JSON.stringify({ ...told, type: "command.later" }));
    const third = await controller.next("error");
    expect(Object.keys(third)).toEqual(["type", "code", "message"]);
  });

  test("is too large: a baseline, a note, a frame", async () => {
    const controller = await atDevice();
    const baseline = { text: "x".repeat(16_384) };
    controller.say({ type: "command.mark", commandId: "c", mark: "baseline", baseline });
    expect(await controller.next("error")).toMatchObject({ code: "INVALID_MESSAGE" });
    const details = { text: "x".repeat(4_096) };
    controller.say({ type: "device.note", deviceId, action: "a.b", details });
    expect(await controller.next("error")).toMatchObject({ code: "INVALID_MESSAGE" });
    controller.sayText("x".repeat(300_000));
    expect((await controller.ended())[0]).toBe(1009);
  });

  test("ends the connection when it goes on", async () => {
    const controller = await connect();
    for (let count = 0; count < 21; count += 1) controller.sayText("?");
    expect((await controller.ended())[0]).toBe(4400);
  });
});

test("the page about the protocol names every message", () => {
  const page = readFileSync(join(import.meta.dir, "../../../docs/controller-protocol.md"), "utf8");
  const [, fromIt = "", toIt = ""] = page.split(/^## (?:From|To) the controller$/m);
  for (const [part, schemas] of [[fromIt, TO_GATEWAY] as const, [toIt, TO_CONTROLLER] as const]) {
    const rows = part.split("\n## ")[0]?.match(/^\| `.*? \|/gm) ?? [];
    const named = rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
    expect(named.sort()).toEqual(Object.keys(schemas).sort());
  }
});

test("who sends too much is put out, and what it said before counts", async () => {
  const controller = await connect();
  for (let count = 0; count < 10_000; count += 1) controller.announce(deviceId);
  expect((await controller.ended())[0]).toBe(4429);
  await bench.atRest();
  expect(bench.stores.devices.get(bench.orgId, deviceId)).toMatchObject({ controllerId: "tablet" });
});

test("whoever may have had a command that an older version handed out is heard", async () => {
  const commandId = await bench.queued();
  bench.queue.ready(bench.deviceId);
  await bench.atRest();
  await bench.finish(commandId, { success: false, data: { outcome: "not_printed" } });
  bench.database.sqlite.exec("UPDATE commands SET former_controllers = NULL");
  // Read from the disk, as behind the start of a newer version.
  bench.stores.commands.shiftExpiry(0);
  const former = await atDevice("former");
  const result = { success: true, fiscalId: "27", data: {} };
  former.say({ type: "command.result", commandId, epoch: 1, result });
  expect(await former.next("error")).toMatchObject({ code: "STALE", commandId });
  await bench.atRest();
  expect(bench.stores.outcomeHolds.listOpen()).toMatchObject([{ commandId }]);
});

describe("a controller that lies", () => {
  const sale = { success: true, fiscalId: "27", data: {} };

  test("about a command of another is refused, and audited", async () => {
    const commandId = await bench.queued();
    const liar = await atDevice("liar");
    for (const report of [
      { type: "command.ack", commandId },
      { type: "command.mark", commandId, mark: "committed" },
      { type: "command.result", commandId, result: sale },
      { type: "command.result", commandId: "cmd_0", result: sale },
    ]) {
      liar.say(report);
      const answer = { code: "NOT_YOURS", commandId: report.commandId };
      expect(await liar.next("error")).toMatchObject(answer);
    }
    expect(bench.stores.commands.get(bench.orgId, commandId)?.status).toBe("sent");
    const refused = audited().filter(({ action }) => action === "command.report_refused");
    expect(refused.map(({ actor, resource }) => [actor, resource])).toEqual(
      ["cmd_0", commandId, commandId, commandId].map((id) => ["controller:liar", id]),
    );
  });

  test("about a hand-over that it never had asks nobody", async () => {
    const commandId = await bench.queued();
    bench.queue.ready(bench.deviceId);
    await bench.atRest();
    await bench.finish(commandId, { success: false, data: { outcome: "not_printed" } });
    const liar = await atDevice("liar");
    liar.say({ type: "command.result", commandId, epoch: 1, result: sale });
    expect(await liar.next("error")).toMatchObject({ code: "NOT_YOURS", commandId });
    expect(bench.stores.audit.list(bench.orgId, 1)).toMatchObject([
      { action: "command.report_refused", details: { reason: "not his" } },
    ]);
    expect(bench.stores.outcomeHolds.listOpen()).toEqual([]);
  });

  test("about an older hand-over is refused, and audited", async () => {
    const commandId = await bench.queued();
    const controller = await connect(CONTROLLER);
    controller.say({ type: "command.mark", commandId, mark: "baseline", epoch: 7 });
    expect(await controller.next("error")).toMatchObject({ code: "STALE", commandId });
    expect(audited()[0]).toMatchObject({ details: { code: "STALE" } });
  });

  test("about a device that is not its own is refused", async () => {
    await atDevice("one");
    const liar = await connect("two");
    liar.say({ type: "device.note", deviceId, action: "receipt.put_away", details: {} });
    expect(await liar.next("error")).toMatchObject({ code: "NOT_YOURS", deviceId });
    expect(audited().filter(({ action }) => action.startsWith("receipt"))).toEqual([]);
  });

  test("about who settled a receipt, or what became of it, leaves it unknown", async () => {
    const commandId = await bench.queued();
    const controller = await connect(CONTROLLER);
    const baseline = { mark: "baseline", markId: 7 } as const;
    controller.say({ type: "command.mark", commandId, ...baseline, baseline: {} });
    expect(await controller.next("mark.stored")).toMatchObject(baseline);
    controller.say({ type: "command.mark", commandId, mark: "committing" });
    expect(await controller.next("mark.stored")).not.toHaveProperty("markId");
    const data = { outcome: "not at all", settledBy: "usr_1", model: "a\u0007b" };
    const result = { success: false, errorCode: "E101", errorMessage: "x\u001b[2Jy", data };
    controller.say({ type: "command.result", commandId, result });
    expect(await controller.next("result.stored")).toMatchObject({ commandId });
    expect(bench.stores.commands.get(bench.orgId, commandId)?.result).toEqual({
      ...{ success: false, errorCode: "E102", errorMessage: "x [2Jy" },
      data: {
        ...{ outcome: "unknown", model: "a b" },
        deviceError: { code: "E101", message: "x [2Jy" },
      },
    });
    // Again: stored already.
    controller.say({ type: "command.result", commandId, result: { ...result, errorCode: "E101" } });
    expect(await controller.next("result.stored")).toMatchObject({ commandId });
    controller.say({ type: "command.result", commandId, result: sale });
    expect(await controller.next("error")).toMatchObject({ code: "FINAL" });
    expect(audited()[0]).toMatchObject({ action: "command.late_result" });
  });
});

describe("besides commands a controller is asked", () => {
  const SEARCH = { controllerId: "tablet", host: "10.0.0.7" };
  const address = { transport: "tcp", connectionParams: { host: "10.0.0.7", port: 9100 } };

  test("to look for devices, whatever texts those have", async () => {
    const controller = await connect();
    const answer = bench.owner.post(`${API}/devices/detect`, SEARCH);
    const { requestId, target } = await controller.next("detect.begin");
    expect(target).toEqual({ transport: "tcp", host: "10.0.0.7" });
    const second = await bench.owner.post(`${API}/devices/detect`, SEARCH);
    expect(second.refusal).toBe("409 CONFLICT");
    const tried = [{ ...address, outcome: "silent", reason: "no\u0007thing", probes: 2 }];
    controller.say({ type: "detect.report", requestId, report: { found: [], tried } });
    expect((await answer).body).toEqual({
      found: [],
      tried: [{ ...tried[0], reason: "no thing" }],
    });
  });

  test("but not where a registered device may be, whoever serves that", async () => {
    await addAt("Counter", { host: "10.0.0.7", port: 9100 });
    await addAt("Bar", { host: "Printer.Shop", port: 4999 }, "another");
    await addAt("Own port", { address: "/dev/ttyS1" }, "tablet");
    await addAt("Its port", { address: "/dev/ttyS2" }, "another");
    const controller = await connect();
    const looked = async (where: object) => {
      const wish = { controllerId: "tablet", ...where };
      const { body } = await bench.owner.post(`${API}/devices/detect`, wish);
      return (body as DetectionReport).tried.map(({ reason, probes }) => ({
        reason: reason.replace(/dev_\w+/, "ID"),
        probes,
      }));
    };
    const left = (name: string) => [
      { reason: `The registered device ${name} (ID) uses it`, probes: 0 },
    ];
    expect(await looked({ host: "10.0.0.7", port: 9100 })).toEqual(left("Counter"));
    expect(await looked({ host: "printer.shop.", port: 4999 })).toEqual(left("Bar"));
    expect(await looked({ address: "/dev/ttyS1?baud=9600" })).toEqual(left("Own port"));

    // All ports of a host of which one is a device's, and what the machine there may call otherwise.
    const drivers = ["vendorC.isl", "vendorF.shtrih"] as const;
    const ports = [...new Set(drivers.flatMap((id) => DRIVERS.get(id)?.detection?.tcpPorts ?? []))];
    await addAt("Kitchen", { host: "10.0.0.9", port: ports[0] ?? 0 });
    const whole = looked({ host: "10.0.0.9", drivers });
    for (const port of ports.slice(1)) {
      const { requestId, target, registered } = await controller.next("detect.begin");
      expect(target).toEqual({ transport: "tcp", host: "10.0.0.9", port });
      expect(registered?.map(({ name }) => name)).toEqual(["Till", "Counter", "Bar", "Kitchen"]);
      controller.say({ type: "detect.report", requestId, report: { found: [], tried: [] } });
    }
    expect(await whole).toEqual(left("Kitchen"));

    const everyPort = looked({});
    const { requestId, target, registered } = await controller.next("detect.begin");
    expect(target).toEqual({ transport: "serial" });
    expect(registered?.map(({ name }) => name)).toEqual(["Own port"]);
    controller.say({ type: "detect.report", requestId, report: { found: [], tried: [] } });
    expect(await everyPort).toEqual([]);
  });

  test("and hears nothing of another shop's, whose own network is another", async () => {
    const { client: theirs } = await bench.otherShop();
    const there = { transport: "tcp", connectionParams: { host: "10.0.0.8", port: 9100 } };
    const device = { name: "Theirs", locationId: "shop", driver: "vendorC.isl", ...there };
    const added = await theirs.post(`${API}/devices`, { ...device, managedBy: "remote" });
    const { id } = added.body as { id: string };
    const controller = await connect();
    const search = () =>
      bench.owner.post(`${API}/devices/detect`, { ...SEARCH, host: "10.0.0.8", port: 9100 });
    const answer = search();
    const { requestId, registered } = await controller.next("detect.begin");
    expect(registered?.map(({ name }) => name)).toEqual(["Till"]);
    controller.say({ type: "detect.report", requestId, report: { found: [], tried: [] } });
    expect((await answer).body).toEqual({ found: [], tried: [] });
    await theirs.patch(`${API}/devices/${id}`, { managedBy: "builtin" });
    expect((await search()).body).toMatchObject({
      tried: [{ outcome: "in_use", reason: "Something else uses it" }],
    });
  });

  /** @param controllerId whose it is; the gateway's own when absent */
  async function addAt(name: string, connectionParams: object, controllerId?: string) {
    const transport = "host" in connectionParams ? "tcp" : "serial";
    const managedBy = controllerId === undefined ? "builtin" : "remote";
    const device = { name, locationId: "shop", driver: "vendorC.isl", transport, managedBy };
    const added = await bench.owner.post(`${API}/devices`, { ...device, connectionParams });
    const { id } = added.body as { id: string };
    if (controllerId !== undefined) bench.stores.devices.update(bench.orgId, id, { controllerId });
  }

  test("and may be gone, or never come to an end", async () => {
    const search = () => bench.owner.post(`${API}/devices/detect`, SEARCH);
    expect((await search()).refusal).toBe("503 SERVICE_UNAVAILABLE");
    const controller = await connect();
    const answer = search();
    await controller.next("detect.begin");
    for (let passed = 0; passed < 180; passed += 15) {
      bench.clock.advance(15_000);
      controller.sayText("?");
      await controller.next("error");
    }
    expect((await answer).refusal).toBe("503 SERVICE_UNAVAILABLE");
  });
});
