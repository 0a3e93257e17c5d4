import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { acceptedCommand } from "#core/command/command.ts";
import type { ApiClient } from "../../http/testing/api-client.ts";
import { follow } from "../../http/testing/openapi-faults.ts";
import { type ApiBench, createApiBench } from "../testing/api-bench.ts";

const DEVICES = "/api/v1/devices";
const body = {
  name: "Till 1",
  driver: "vendorA.isl",
  transport: "tcp",
  locationId: "shop-1",
  connectionParams: { host: "192.168.1.20", port: 9100 },
};
const online = { wsConnected: true, controllerOnline: true, linkUp: true, lastSeenAt: 1_000 };

let bench: ApiBench;
let owner: ApiClient;
let orgId: string;
beforeEach(async () => {
  bench = createApiBench({ registration: "open" });
  ({ client: owner, orgId } = await bench.owner());
});
afterEach(() => bench.close());

/** What was published of devices. */
const deviceEvents = () =>
  bench.events.flatMap((event) => ("device" in event ? [`${event.type} ${event.device.id}`] : []));

async function add(change: Record<string, unknown> = {}): Promise<string> {
  const answer = await owner.post(DEVICES, { ...body, ...change });
  return answer.field("id");
}

/** Makes an alert of severity `error` stand. */
function raiseHold(deviceId: string): Promise<unknown> {
  return bench.writer.run(() =>
    bench.stores.outcomeHolds.raise({
      ...{ commandId: "cmd_1", orgId, deviceId, raisedAt: 0 },
      ...{ fiscalMemorySerialNumber: null, serialNumber: null, address: null },
    }),
  );
}

/** A command that was given to the device's controller. */
function insertRunning(deviceId: string): void {
  const accepted = acceptedCommand({
    ...{ id: "cmd_2", orgId, deviceId, type: "get_status", payload: {}, source: "api" },
    ...{ createdAt: 0, expiresAt: 180_000, simulated: false },
  });
  const sent = { status: "sent", controllerId: "phone", epoch: 1, sentAt: 0 } as const;
  bench.stores.commands.insert({ ...accepted, ...sent });
}

describe("the OpenAPI document of the devices", () => {
  test("shows what each transport needs to be reached", async () => {
    const document = (await owner.get("/api/v1/openapi.json")).body;
    for (const operation of ["~1devices/post", "~1devices~1{deviceId}/patch"]) {
      const schema = "requestBody/content/application~1json/schema";
      const params = `${schema}/properties/connectionParams/anyOf`;
      expect(follow(document, `#/paths/~1api~1v1${operation}/${params}`)).toEqual([
        expect.objectContaining({ required: ["host", "port"] }),
        expect.objectContaining({ required: ["address"] }),
        expect.objectContaining({ required: ["address"] }),
      ]);
    }
  });
});

describe("registering a device", () => {
  test("answers the whole record, offline and unassigned", async () => {
    const answer = await owner.post(DEVICES, { ...body, colour: "ignored" });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^dev_[0-9A-HJKMNP-TV-Z]{26}$/),
      ...body,
      orgId,
      status: "offline",
      controllerId: null,
      controllerName: null,
      createdAt: "2026-01-15T10:00:00.000Z",
      updatedAt: "2026-01-15T10:00:00.000Z",
      managedBy: "builtin",
      effectiveStatus: "offline",
      lastSeen: null,
      stateReadAt: null,
      serialNumber: null,
      fiscalMemorySerialNumber: null,
      model: null,
      firmwareVersion: null,
      charsPerLine: null,
      reversalTenders: null,
      simulated: false,
    });
    expect(deviceEvents()).toEqual([`device.updated ${answer.field("id")}`]);
  });

  test("stops at the plan's cap, before the body is looked at", async () => {
    await add();
    await add({ name: "Till 2" });
    expect((await owner.post(DEVICES, {})).refusal).toBe("403 TIER_LIMIT_EXCEEDED");
    await bench.setPlan(orgId, "pro");
    expect((await owner.post(DEVICES, {})).refusal).toBe("400 VALIDATION_ERROR");
    expect((await owner.post(DEVICES, body)).status).toBe(201);
  });

  test("does not pass the cap by two requests at once", async () => {
    await add();
    const both = await Promise.all([1, 2].map(() => owner.post(DEVICES, body)));
    expect(both.map((answer) => answer.refusal).sort()).toEqual(["201", "403 TIER_LIMIT_EXCEEDED"]);
  });

  test.each([
    ["name", { name: "" }],
    ["name", { name: "x".repeat(256) }],
    ["name", { name: 5 }],
    ["driver", { driver: "vendorZ.isl" }],
    ["transport", { transport: "usb" }],
    ["locationId", { locationId: "" }],
    ["connectionParams", { connectionParams: undefined }],
    ["connectionParams", { connectionParams: "192.168.1.20:9100" }],
    ["connectionParams.host", { connectionParams: { port: 9100 } }],
    ["connectionParams.host", { connectionParams: { host: "http://x/", port: 9100 } }],
    ["connectionParams.port", { connectionParams: { host: "a", port: 0 } }],
    ["connectionParams.port", { connectionParams: { host: "a", port: 65_536 } }],
    ["connectionParams.port", { connectionParams: { host: "a", port: "9100" } }],
    ["connectionParams.address", { transport: "bluetooth" }],
    ["connectionParams.address", { transport: "serial", connectionParams: { address: "tty" } }],
    ["managedBy", { managedBy: "nobody" }],
  ])("refuses a wrong %s", async (path, change) => {
    const answer = await owner.post(DEVICES, { ...body, ...change });
    expect([answer.refusal, ...answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", path]);
  });

  test("names all that a body lacks", async () => {
    const answer = await owner.post(DEVICES, {});
    expect([answer.refusal, answer.issuePaths]).toEqual([
      "400 VALIDATION_ERROR",
      ["name", "driver", "transport", "locationId", "connectionParams"],
    ]);
  });

  test("counts the characters of a name, of which an emoji is one", async () => {
    const answer = await owner.post(DEVICES, { ...body, name: "🧾".repeat(255) });
    expect([answer.status, answer.field("name")]).toEqual([201, "🧾".repeat(255)]);
    const long = await owner.post(DEVICES, { ...body, name: "🧾".repeat(256) });
    expect(long.issuePaths).toEqual(["name"]);
  });

  test("takes what each transport needs and drops the rest", async () => {
    await bench.setPlan(orgId, "pro");
    const bluetooth = await owner.post(DEVICES, {
      ...body,
      transport: "bluetooth",
      connectionParams: { address: "00:11:22:AA:bb:cc#2", pin: "0000" },
    });
    expect(bluetooth.body).toMatchObject({
      connectionParams: { address: "00:11:22:AA:bb:cc#2" },
      managedBy: "remote",
    });
    expect(bluetooth.text).not.toContain("0000");
    const address = "/dev/serial/by-id/usb-x-port0?baud=115200&parity=even";
    const serial = await owner.post(DEVICES, {
      ...body,
      transport: "serial",
      connectionParams: { address },
    });
    expect(serial.body).toMatchObject({ connectionParams: { address }, managedBy: "builtin" });
  });

  test("needs the scope devices:write", async () => {
    const operator = await bench.member(orgId, "operator");
    expect((await operator.client.post(DEVICES, body)).refusal).toBe("403 FORBIDDEN");
    expect((await operator.client.get(DEVICES)).status).toBe(200);
    expect((await bench.client.post(DEVICES, body)).refusal).toBe("401 UNAUTHORIZED");
  });
});

describe("listing devices", () => {
  const Ids = Type.Array(Type.Object({ id: Type.String() }));
  const ids = async (query: string) =>
    (await owner.get(`${DEVICES}${query}`)).as(Ids).map((device) => device.id);

  test("filters by status, location and controller", async () => {
    const first = await add();
    const second = await add({ locationId: "shop-2" });
    await bench.writer.run(() =>
      bench.stores.devices.update(orgId, second, { controllerId: "phone" }),
    );
    await raiseHold(second);
    expect(await ids("")).toEqual([first, second]);
    expect(await ids("?locationId=shop-1")).toEqual([first]);
    expect(await ids("?status=offline")).toEqual([first]);
    expect(await ids("?status=error")).toEqual([second]);
    expect(await ids("?controllerId=phone")).toEqual([second]);
    expect(await ids("?controllerId=phone&status=online")).toEqual([]);
  });

  test("refuses a status nobody knows", async () => {
    const answer = await owner.get(`${DEVICES}?status=sleeping`);
    expect([answer.refusal, ...answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", "status"]);
  });

  test.each(["locationId=", "locationId=a&locationId=b", "status=&locationId=a", "controllerId"])(
    "refuses the filter %p, which may mean less than its caller thinks",
    async (filter) => {
      const answer = await owner.get(`${DEVICES}?${filter}`);
      const [name = ""] = filter.split("=");
      expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", [name]]);
    },
  );

  test("never shows another organization's devices", async () => {
    const id = await add();
    const { client: stranger } = await bench.owner("other@example.com");
    expect((await stranger.get(DEVICES)).body).toEqual([]);
    for (const path of ["", "/status", "/alerts", "/alerts?severity=loud"]) {
      expect((await stranger.get(`${DEVICES}/${id}${path}`)).refusal).toBe("404 NOT_FOUND");
    }
    expect((await stranger.patch(`${DEVICES}/${id}`, {})).refusal).toBe("404 NOT_FOUND");
    expect((await stranger.delete(`${DEVICES}/${id}`)).refusal).toBe("404 NOT_FOUND");
    expect((await owner.get(`${DEVICES}/${id}`)).status).toBe(200);
  });
});

describe("changing a device", () => {
  test("takes name, location and parameters of its own transport", async () => {
    const id = await add();
    bench.clock.advance(5_000);
    const answer = await owner.patch(`${DEVICES}/${id}`, {
      name: "Bar",
      locationId: "shop-9",
      connectionParams: { host: "printer.local", port: 4999 },
    });
    expect(answer.body).toMatchObject({
      id,
      name: "Bar",
      locationId: "shop-9",
      connectionParams: { host: "printer.local", port: 4999 },
      createdAt: "2026-01-15T10:00:00.000Z",
      updatedAt: "2026-01-15T10:00:05.000Z",
    });
    expect((await owner.get(`${DEVICES}/${id}`)).body).toEqual(answer.body);
    expect(deviceEvents()).toEqual([`device.updated ${id}`, `device.updated ${id}`]);
  });

  test.each([
    ["", {}],
    ["driver", { driver: "vendorZ" }],
    ["connectionParams.address", { transport: "serial" }],
    ["name", { name: "" }],
    ["connectionParams.host", { connectionParams: { address: "/dev/ttyS0", port: 1 } }],
  ])("is refused at %p", async (path, change) => {
    const answer = await owner.patch(`${DEVICES}/${await add()}`, change);
    expect([answer.refusal, ...answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", path]);
  });
});

describe("changing how a device is talked to", () => {
  const serial = {
    ...{ driver: "vendorB.isl", transport: "serial" },
    connectionParams: { address: "/dev/ttyUSB0" },
  };

  test("takes another driver and another transport, and the audit log says from what to what", async () => {
    const id = await add();
    const answer = await owner.patch(`${DEVICES}/${id}`, { ...serial, name: body.name });
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining(serial)]);
    const [entry] = bench.stores.audit.list(orgId, 1);
    expect(entry?.details).toMatchObject({
      changes: {
        driver: { from: "vendorA.isl", to: "vendorB.isl" },
        transport: { from: "tcp", to: "serial" },
        connectionParams: { from: body.connectionParams, to: serial.connectionParams },
      },
    });
    expect(Object.keys(entry?.details?.changes ?? {})).toHaveLength(3);
  });

  test("does not take another driver while a command is at the device", async () => {
    const id = await add();
    insertRunning(id);
    expect((await owner.patch(`${DEVICES}/${id}`, serial)).refusal).toBe("409 CONFLICT");
    const moved = { connectionParams: { host: "192.168.1.21", port: 9100 } };
    expect((await owner.patch(`${DEVICES}/${id}`, moved)).status).toBe(200);
    expect((await owner.patch(`${DEVICES}/${id}`, { driver: body.driver })).status).toBe(200);
  });

  test("gives a simulated printer no other driver", async () => {
    const made = await owner.post(`${DEVICES}/simulated`, {
      ...{ name: "Training", driver: "vendorA.isl", locationId: "shop" },
    });
    const change = { driver: "vendorB.isl" };
    const answer = await owner.patch(`${DEVICES}/${made.field("id")}`, change);
    expect(answer.refusal).toBe("409 CONFLICT");
  });
});

describe("removing a device", () => {
  test("ends its commands in the same step and frees its place in the plan", async () => {
    const id = await add();
    const waiting = await owner.post(`${DEVICES}/${id}/commands`, {
      type: "get_info",
      payload: {},
    });
    const answer = await owner.delete(`${DEVICES}/${id}`);
    expect([answer.status, answer.text]).toEqual([204, ""]);
    const ended = await owner.get(`/api/v1/commands/${waiting.field("id")}`);
    expect(ended.body).toMatchObject({
      command: { status: "failed", result: { errorCode: "E903" } },
    });
    expect(deviceEvents()).toEqual([`device.updated ${id}`, `device.released ${id}`]);
    expect((await owner.delete(`${DEVICES}/${id}`)).refusal).toBe("404 NOT_FOUND");
  });
});

describe("status", () => {
  test("is derived from controller and link, whatever is stored", async () => {
    const id = await add();
    const record = {
      wsConnected: false,
      controllerOnline: false,
      storedStatus: "offline",
      effectiveStatus: "offline",
      lastSeen: null,
      reason: null,
      otherPrinter: null,
    };
    expect((await owner.get(`${DEVICES}/${id}/status`)).body).toEqual({ deviceId: id, ...record });
    bench.liveFacts.set(id, { connectivity: online });
    expect((await owner.get(`${DEVICES}/statuses`)).body).toEqual({
      statuses: {
        [id]: {
          wsConnected: true,
          controllerOnline: true,
          storedStatus: "online",
          effectiveStatus: "online",
          lastSeen: "1970-01-01T00:00:01.000Z",
          reason: null,
          otherPrinter: null,
        },
      },
    });
    bench.liveFacts.set(id, { connectivity: { ...online, linkUp: false } });
    const down = await owner.get(`${DEVICES}/${id}/status`);
    expect(down.body).toMatchObject({ controllerOnline: true, effectiveStatus: "offline" });
  });

  test("is error while the device needs somebody, and busy while a command runs on it", async () => {
    const id = await add();
    const status = async () => (await owner.get(`${DEVICES}/${id}`)).field("status");
    await raiseHold(id);
    expect(await status()).toBe("error");
    await bench.writer.run(() => insertRunning(id));
    expect(await status()).toBe("error");
    bench.liveFacts.set(id, { connectivity: online });
    expect(await status()).toBe("busy");
  });
});

describe("alerts", () => {
  test("tell of the device with its name, filtered by severity", async () => {
    const id = await add();
    const all = await owner.get(`${DEVICES}/${id}/alerts`);
    expect(all.body).toEqual({
      deviceId: id,
      alerts: [
        {
          type: "device_unassigned",
          severity: "info",
          message: expect.any(String),
          deviceId: id,
          deviceName: "Till 1",
          detectedAt: "2026-01-15T10:00:00.000Z",
        },
      ],
    });
    const errors = await owner.get(`${DEVICES}/alerts?severity=error`);
    expect(errors.body).toEqual({ alerts: { [id]: [] } });
    const wrong = await owner.get(`${DEVICES}/${id}/alerts?severity=loud`);
    expect([wrong.refusal, ...wrong.issuePaths]).toEqual(["400 VALIDATION_ERROR", "severity"]);
  });

  test("stand for outcomes nobody has settled", async () => {
    const id = await add();
    await raiseHold(id);
    const answer = await owner.get(`${DEVICES}/${id}/alerts?severity=error`);
    expect(answer.body).toMatchObject({
      alerts: [{ type: "outcome_unknown", commandId: "cmd_1" }],
    });
  });

  test("of a device out of reach are since it was seen last, in whichever run of the gateway", async () => {
    const id = await add();
    const since = async () => {
      const answer = await owner.get(`${DEVICES}/${id}/alerts`);
      const Since = Type.Object({ type: Type.String(), detectedAt: Type.String() });
      const { alerts } = answer.as(Type.Object({ alerts: Type.Array(Since) }));
      return alerts.map(({ type, detectedAt }) => `${type} ${detectedAt}`);
    };
    const lastSeenAt = bench.clock.now() + 60_000;
    const put = (change: object) =>
      bench.writer.run(() => bench.stores.devices.update(orgId, id, { lastSeenAt, ...change }));
    await put({});
    expect(await since()).toEqual(["device_unassigned 2026-01-15T10:01:00.000Z"]);
    await put({ controllerId: "phone" });
    expect(await since()).toEqual(["device_disconnected 2026-01-15T10:01:00.000Z"]);
  });

  test("name each receipt that was printed too late", async () => {
    const id = await add();
    const at = bench.clock.now();
    const late = ["cmd_8", "cmd_7"].map((commandId) => ({ commandId, at }));
    bench.liveFacts.set(id, { connectivity: online, lateResults: late });
    const type = "late_result";
    expect((await owner.get(`${DEVICES}/alerts?severity=warning`)).body).toMatchObject({
      alerts: { [id]: late.map(({ commandId }) => ({ type, commandId, deviceName: "Till 1" })) },
    });
  });
});
