import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { BUILTIN_CONTROLLER, type ControllerKey } from "#core/controller/controller.ts";
import type { ApiClient } from "../../http/testing/api-client.ts";
import { type CommandsBench, createCommandsBench } from "../commands/testing/commands-bench.ts";

const CONTROLLERS = "/api/v1/controllers";
const TABLET = `${CONTROLLERS}/tablet`;
const body = {
  locationId: "shop",
  ...{ appVersion: "2.4.0", deviceModel: "Tab A9", osVersion: "Android 15" },
  connectedAt: "2026-01-15T11:30:00+02:00",
};
const shown = {
  ...{ controllerId: "tablet", controllerName: null, ...body, fcmToken: null },
  connectedAt: "2026-01-15T09:30:00.000Z",
  ...{ createdAt: "2026-01-15T10:00:00.000Z", updatedAt: "2026-01-15T10:00:00.000Z" },
};

let bench: CommandsBench;
let owner: ApiClient;
let orgId: string;
beforeEach(async () => {
  bench = await createCommandsBench();
  ({ owner, orgId } = bench);
});
afterEach(() => bench.close());

/** Connects a controller that the test plays. */
function connect(key: ControllerKey, more: { name?: string; locationId?: string } = {}) {
  const { name, ...rest } = more;
  const told = { appVersion: "1", deviceModel: "m", osVersion: "o", reportsMarks: true };
  const identity = { ...key, ...told, name, ...rest };
  return bench.controllers.connect(identity, [], { send() {}, close() {} });
}

const Listed = Type.Object({
  instances: Type.Array(Type.Unknown()),
  known: Type.Array(Type.Record(Type.String(), Type.Unknown())),
});
const listed = async (client = owner) => (await client.get(CONTROLLERS)).as(Listed);
const instances = async (client = owner) => {
  const list = await listed(client);
  return { instances: list.instances };
};

describe("the controllers that are connected", () => {
  test("are the organization's and the built-in one, with the devices that they reach", async () => {
    expect(await instances()).toEqual({ instances: [] });
    connect({ ...BUILTIN_CONTROLLER }, { name: "Built-in controller" });
    bench.clock.advance(1_000);
    const tablet = connect({ orgId, controllerId: "tablet" });
    const other = await bench.otherShop();
    connect({ orgId: other.orgId, controllerId: "tablet" }, { name: "Theirs" });
    tablet.receive({ type: "device.announce", deviceId: bench.deviceId, link: "up" });
    const second = await bench.addDevice("Bar");
    tablet.receive({ type: "device.announce", deviceId: second, link: "down" });
    const software = { appVersion: "1", deviceModel: "m", osVersion: "o" };
    const builtin = {
      ...{ controllerId: "builtin", controllerName: "Built-in controller", ...software },
      ...{ connectedAt: "2026-01-15T10:00:00.000Z", connectedDevices: [] },
    };
    expect(await instances()).toEqual({
      instances: [
        builtin,
        {
          ...{ controllerId: "tablet", controllerName: "tablet", ...software },
          ...{ connectedAt: "2026-01-15T10:00:01.000Z", connectedDevices: [bench.deviceId] },
        },
      ],
    });
    expect(await instances(other.client)).toMatchObject({
      instances: [builtin, { controllerName: "Theirs", connectedDevices: [] }],
    });
    tablet.close();
    expect(await instances()).toEqual({ instances: [builtin] });
  });

  test("have the name that was stored last, by themselves or by somebody else", async () => {
    const named = async () => (await instances()) as unknown;
    connect({ orgId, controllerId: "tablet" }, { name: "Counter", locationId: "shop-2" });
    await bench.atRest();
    expect(await named()).toMatchObject({ instances: [{ controllerName: "Counter" }] });
    const patched = await owner.patch(TABLET, { controllerName: "Bar" });
    // What it said of itself when it connected is its presence record.
    expect(patched.body).toMatchObject({
      ...{ controllerName: "Bar", locationId: "shop-2", appVersion: "1", deviceModel: "m" },
      connectedAt: "2026-01-15T10:00:00.000Z",
    });
    expect(await named()).toMatchObject({ instances: [{ controllerName: "Bar" }] });
    connect({ orgId, controllerId: "tablet" });
    await bench.atRest();
    expect(await named()).toMatchObject({ instances: [{ controllerName: "Bar" }] });
  });
});

describe("the controllers that are known", () => {
  test("are there when they are gone, with when they were last heard of and what they served", async () => {
    expect((await listed()).known).toEqual([]);
    const tablet = connect({ orgId, controllerId: "tablet" }, { name: "Counter" });
    tablet.receive({ type: "device.announce", deviceId: bench.deviceId, link: "up" });
    await owner.post(`${TABLET}/fcm-token`, { fcmToken: "t0k" });
    const told = {
      ...{ controllerId: "tablet", controllerName: "Counter", locationId: null },
      ...{ appVersion: "1", deviceModel: "m", osVersion: "o", canBeWoken: true },
      ...{ deviceIds: [bench.deviceId], createdAt: shown.createdAt },
    };
    expect((await listed()).known).toMatchObject([{ ...told, connected: true }]);
    expect(JSON.stringify(await listed())).not.toContain("t0k");
    bench.clock.advance(60_000);
    tablet.close();
    await bench.writer.run(() => undefined);
    expect((await listed()).known).toEqual([
      {
        ...{ ...told, connected: false, lastSeenAt: "2026-01-15T10:01:00.000Z" },
        updatedAt: "2026-01-15T10:01:00.000Z",
      },
    ]);
    const other = await bench.otherShop();
    expect((await listed(other.client)).known).toEqual([]);
  });

  test("include one that was never connected", async () => {
    await owner.post(TABLET, { locationId: "shop" });
    expect((await listed()).known).toMatchObject([
      { controllerId: "tablet", connected: false, lastSeenAt: null, deviceIds: [] },
    ]);
  });
});

describe("removing a controller", () => {
  test("forgets it, and gives its devices to whoever announces them", async () => {
    const tablet = connect({ orgId, controllerId: "tablet" });
    tablet.receive({ type: "device.announce", deviceId: bench.deviceId, link: "up" });
    await bench.writer.run(() => undefined);
    const refused = await owner.delete(TABLET);
    expect(refused.refusal).toBe("409 CONFLICT");
    tablet.close();
    await bench.writer.run(() => undefined);
    expect((await owner.delete(TABLET)).status).toBe(204);
    expect(await listed()).toMatchObject({ known: [] });
    expect(bench.stores.devices.get(orgId, bench.deviceId)).toMatchObject({
      ...{ controllerId: null, controllerName: null },
    });
    expect(bench.controllers.live(bench.deviceId)).toBeUndefined();
    expect(bench.stores.audit.list(orgId, 1)).toMatchObject([
      { action: "controller.removed", resource: "tablet" },
    ]);
    const bar = connect({ orgId, controllerId: "bar" });
    bar.receive({ type: "device.announce", deviceId: bench.deviceId, link: "up" });
    await bench.writer.run(() => undefined);
    expect((await listed()).known).toMatchObject([{ deviceIds: [bench.deviceId] }]);
  });

  test("needs one of one's own", async () => {
    await owner.post(TABLET, body);
    const other = await bench.otherShop();
    expect((await other.client.delete(TABLET)).refusal).toBe("404 NOT_FOUND");
    expect((await owner.delete(TABLET)).status).toBe(204);
    expect((await owner.delete(TABLET)).refusal).toBe("404 NOT_FOUND");
  });
});

describe("registering a controller", () => {
  test("answers what is kept of it, and is the same done twice", async () => {
    const first = await owner.post(TABLET, { ...body, orgId: "ignored" });
    expect([first.status, first.body]).toEqual([200, { ...shown, orgId }]);
    bench.clock.advance(1_000);
    const second = await owner.post(TABLET, body);
    const updatedAt = "2026-01-15T10:00:01.000Z";
    expect(second.body).toEqual({ ...shown, orgId, updatedAt });
  });

  test("is in the audit log where it says something new, with the token's words left out", async () => {
    const noted = () =>
      bench.stores.audit
        .list(orgId, 20)
        .filter(({ resource }) => resource === "tablet")
        .map(({ action }) => action)
        .reverse();
    await owner.post(TABLET, body);
    await owner.post(TABLET, { ...body, connectedAt: "2026-01-15T12:00:00Z" });
    await owner.patch(TABLET, { appVersion: body.appVersion });
    expect(noted()).toEqual(["controller.registered"]);
    await owner.patch(TABLET, { appVersion: "2.5.0" });
    for (const fcmToken of ["t0k", "t0k"]) await owner.post(`${TABLET}/fcm-token`, { fcmToken });
    await owner.post(TABLET, { ...body, locationId: "bar" });
    expect(noted()).toEqual([
      ...["controller.registered", "controller.updated", "controller.token_registered"],
      "controller.registered",
    ]);
    expect(JSON.stringify(bench.stores.audit.list(orgId, 20))).not.toContain("t0k");
  });

  test("replaces all of it but name and token", async () => {
    await owner.post(TABLET, { ...body, controllerName: "Counter" });
    await owner.post(`${TABLET}/fcm-token`, { fcmToken: "t0k" });
    const answer = await owner.post(TABLET, { locationId: "bar" });
    const empty = { appVersion: null, deviceModel: null, osVersion: null, connectedAt: null };
    expect(answer.body).toEqual({
      ...{ ...shown, orgId, ...empty, locationId: "bar" },
      ...{ controllerName: "Counter", fcmToken: "t0k" },
    });
  });

  test.each([
    ["locationId", { locationId: undefined }],
    ["locationId", { locationId: "" }],
    ["locationId", { locationId: "x".repeat(256) }],
    ["locationId", { locationId: 5 }],
    ["appVersion", { appVersion: "x".repeat(256) }],
    ["deviceModel", { deviceModel: null }],
    ["osVersion", { osVersion: 15 }],
    ["connectedAt", { connectedAt: "2026-01-15T10:00:00" }],
    ["controllerName", { controllerName: "" }],
  ])("refuses a wrong %s", async (path, change) => {
    for (const send of [owner.post.bind(owner), owner.patch.bind(owner)]) {
      const isMissing = "locationId" in change && change.locationId === undefined;
      if (send.name.includes("patch") && isMissing) continue;
      await owner.post(TABLET, body);
      const answer = await send(TABLET, { ...body, ...change });
      expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", [path]]);
    }
  });

  test("takes a location at its bounds", async () => {
    for (const locationId of ["x", "x".repeat(255)]) {
      expect((await owner.post(TABLET, { locationId })).body).toMatchObject({ locationId });
    }
  });

  test.each(["a%20b", "%C3%A9", "x".repeat(129)])("refuses the name %p", async (id) => {
    for (const path of [`${CONTROLLERS}/${id}`, `${CONTROLLERS}/${id}/fcm-token`]) {
      const answer = await owner.post(path, { ...body, fcmToken: "t" });
      expect([answer.refusal, answer.issuePaths]).toEqual([
        ...["400 VALIDATION_ERROR", ["controllerId"]],
      ]);
    }
  });

  test("takes a name of 128 characters, but not that of the built-in controller", async () => {
    const longest = `${CONTROLLERS}/${"Az09._-x".repeat(16)}`;
    expect((await owner.post(longest, body)).status).toBe(200);
    expect((await owner.post(`${CONTROLLERS}/builtin`, body)).refusal).toBe("409 CONFLICT");
    const token = await owner.post(`${CONTROLLERS}/builtin/fcm-token`, { fcmToken: "t" });
    expect(token.refusal).toBe("409 CONFLICT");
  });
});

describe("changing a controller", () => {
  test("changes what is named and nothing else", async () => {
    await owner.post(TABLET, body);
    const answer = await owner.patch(TABLET, { osVersion: "Android 16" });
    expect([answer.status, answer.body]).toEqual([
      200,
      { ...shown, orgId, osVersion: "Android 16" },
    ]);
  });

  test.each([{}, { fcmToken: "t0k" }])(
    "is refused with %p, which changes nothing",
    async (change) => {
      await owner.post(TABLET, body);
      const answer = await owner.patch(TABLET, change);
      expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", [""]]);
    },
  );

  test("needs one of one's own, before the body is looked at", async () => {
    await owner.post(TABLET, body);
    const other = await bench.otherShop();
    expect((await other.client.patch(TABLET, {})).refusal).toBe("404 NOT_FOUND");
    // The same name in another organization is another controller.
    await other.client.post(TABLET, { locationId: "theirs" });
    expect((await owner.patch(TABLET, { osVersion: "o" })).body).toMatchObject({
      locationId: "shop",
    });
  });
});

describe("the push token", () => {
  const put = (fcmToken: unknown, client = owner) =>
    client.post(`${TABLET}/fcm-token`, { fcmToken });

  test("is kept, the new one in place of the old, and nothing else is touched", async () => {
    await owner.post(TABLET, body);
    bench.clock.advance(1_000);
    const answer = await put("first");
    expect([answer.status, answer.body]).toEqual([200, { controllerId: "tablet" }]);
    await put("second");
    const updatedAt = "2026-01-15T10:00:01.000Z";
    const row = bench.stores.controllers.get(orgId, "tablet");
    expect(row).toMatchObject({ fcmToken: "second", locationId: "shop", appVersion: "2.4.0" });
    expect(new Date(row?.updatedAt ?? 0).toISOString()).toBe(updatedAt);
    expect(bench.lines.join()).not.toContain("second");
    expect(JSON.stringify(bench.stores.audit.list(orgId, 10))).not.toContain("second");
  });

  test("is kept of a controller that nobody has registered yet", async () => {
    expect((await put("early")).status).toBe(200);
    expect((await owner.post(TABLET, body)).body).toMatchObject({ fcmToken: "early" });
  });

  test("has 1 to 4096 characters", async () => {
    for (const token of ["x", "x".repeat(4_096)]) expect((await put(token)).status).toBe(200);
    for (const token of [undefined, "", "x".repeat(4_097), 5, null]) {
      const answer = await put(token);
      expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", ["fcmToken"]]);
    }
  });
});

test("each route needs its scope", async () => {
  const routes = [
    ["GET", CONTROLLERS, undefined],
    ["POST", TABLET, body],
    ["PATCH", TABLET, body],
    ["DELETE", TABLET, undefined],
    ["POST", `${TABLET}/fcm-token`, { fcmToken: "t" }],
  ] as const;
  const statuses = async (client: ApiClient) => {
    const answers: number[] = [];
    for (const [method, path, sent] of routes) {
      answers.push((await client.call(method, path, { body: sent })).status);
    }
    return answers;
  };
  const key = async (scope: "devices:read" | "devices:write" | "commands") =>
    owner.as(await bench.makeKey([scope]));
  expect(await statuses(await key("devices:write"))).toEqual([403, 200, 200, 204, 200]);
  expect(await statuses(await key("devices:read"))).toEqual([200, 403, 403, 403, 403]);
  expect(await statuses(await key("commands"))).toEqual([403, 403, 403, 403, 403]);
  expect(await statuses((await bench.member(orgId, "operator")).client)).toEqual([
    200, 403, 403, 403, 403,
  ]);
  expect(await statuses((await bench.member(orgId, "admin")).client)).toEqual([
    200, 200, 200, 204, 200,
  ]);
  expect(await statuses(bench.client)).toEqual([401, 401, 401, 401, 401]);
});
