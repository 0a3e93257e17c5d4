/** One address is one device, however it is written and whoever asks. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { portKeys } from "#drivers/transport/same-port.ts";
import type { ApiAnswer, ApiClient } from "../../http/testing/api-client.ts";
import { systemClock } from "../../platform/clock.ts";
import { type ApiBench, createApiBench } from "../testing/api-bench.ts";

const DEVICES = "/api/v1/devices";
const TAKEN = "409 CONFLICT";
const NAME = "Till 1";

let bench: ApiBench;
let owner: ApiClient;
let orgId: string;
/** What the look-up of names waits for. */
let beforeLookUp: () => Promise<void>;
beforeEach(async () => {
  beforeLookUp = () => Promise.resolve();
  bench = createApiBench({
    registration: "open",
    addressKeys: async (address) => {
      await beforeLookUp();
      return portKeys(address, systemClock);
    },
  });
  const shop = await bench.owner();
  ({ client: owner, orgId } = shop);
  await bench.setPlan(shop.orgId, "enterprise");
});
afterEach(() => bench.close());

const register = (
  connectionParams: object,
  change: object = {},
  client: ApiClient = owner,
): Promise<ApiAnswer> =>
  client.post(DEVICES, {
    ...{ name: NAME, driver: "vendorA.isl", transport: "tcp", locationId: "shop" },
    connectionParams,
    ...change,
  });
const count = () => bench.database.sqlite.prepare("SELECT count(*) FROM devices").pluck().get();

describe("an address that a device has", () => {
  test.each([
    { host: "127.0.0.1", port: 9100 },
    { host: "LOCALHOST", port: 9100 },
    { host: "::1", port: 9100 },
  ])("is refused as %p", async (params) => {
    expect((await register({ host: "localhost", port: 9100 })).status).toBe(201);
    const answer = await register(params, { driver: "vendorB.isl" });
    expect([answer.refusal, answer.text.includes(NAME)]).toEqual([TAKEN, true]);
    expect(count()).toBe(1);
  });

  test("is refused to another organization, which is not told whose it is", async () => {
    await register({ host: "192.168.1.20", port: 9100 });
    const { client } = await bench.owner("other@example.com");
    const answer = await register({ host: "192.168.1.20", port: 9100 }, {}, client);
    expect([answer.refusal, answer.text.includes(NAME)]).toEqual([TAKEN, false]);
  });

  test("is refused to a device that moves there, and to one that the appliance is to serve", async () => {
    await register({ host: "192.168.1.20", port: 9100 });
    const other = (await register({ host: "192.168.1.21", port: 9100 })).field("id");
    const connectionParams = { host: "192.168.1.20", port: 9100 };
    const moved = await owner.patch(`${DEVICES}/${other}`, { connectionParams });
    expect(moved.refusal).toBe(TAKEN);
    const remote = (await register(connectionParams, { managedBy: "remote" })).field("id");
    const taken = await owner.patch(`${DEVICES}/${remote}`, { managedBy: "builtin" });
    expect(taken.refusal).toBe(TAKEN);
    const renamed = await owner.patch(`${DEVICES}/${remote}`, { name: "Phone's" });
    expect(renamed.status).toBe(200);
  });

  test("is refused to all but one that ask at the same time", async () => {
    const params = { host: "192.168.1.20", port: 9100 };
    const answers = await Promise.all([1, 2, 3].map(() => register(params)));
    expect(answers.map(({ refusal }) => refusal).sort()).toEqual(["201", TAKEN, TAKEN]);
  });

  describe("is refused to all but one that ask at the same time for its spellings", () => {
    const spellings = ["localhost", "127.0.0.1", "127.1", "2130706433", "::ffff:127.0.0.1"];
    const at = (host: string, port = 9100) => ({ host, port });
    const refusals = (answers: readonly ApiAnswer[]) => answers.map((one) => one.refusal).sort();
    const ids = async (count: number, change: object = {}): Promise<string[]> => {
      const places = Array.from({ length: count }, (_, index) => at("192.168.1.20", 9200 + index));
      const answers = await Promise.all(places.map((place) => register(place, change)));
      return answers.map((answer) => answer.field("id"));
    };

    test("by registering", async () => {
      const { client, orgId } = await bench.owner("other@example.com");
      await bench.setPlan(orgId, "enterprise");
      const asking = spellings.map((host, index) =>
        register(at(host), {}, index % 2 === 0 ? owner : client),
      );
      expect(refusals(await Promise.all(asking))).toEqual(["201", TAKEN, TAKEN, TAKEN, TAKEN]);
      expect(count()).toBe(1);
    });

    test("by moving there", async () => {
      const devices = await ids(3);
      const moving = devices.map((id, index) =>
        owner.patch(`${DEVICES}/${id}`, { connectionParams: at(spellings[index] ?? "") }),
      );
      expect(refusals(await Promise.all(moving))).toEqual(["200", TAKEN, TAKEN]);
    });

    test("by coming under the appliance's own", async () => {
      const places = spellings
        .slice(0, 3)
        .map((host) => register(at(host), { managedBy: "remote" }));
      const devices = (await Promise.all(places)).map((answer) => answer.field("id"));
      const moving = devices.map((id) => owner.patch(`${DEVICES}/${id}`, { managedBy: "builtin" }));
      expect(refusals(await Promise.all(moving))).toEqual(["200", TAKEN, TAKEN]);
    });

    test("by registering and by moving", async () => {
      const [id] = await ids(1);
      const connectionParams = at("127.1");
      const asking = [
        register(at("localhost")),
        owner.patch(`${DEVICES}/${id}`, { connectionParams }),
      ];
      const [registered, moved] = (await Promise.all(asking)).map(({ refusal }) => refusal);
      expect([registered, moved]).toContain(TAKEN);
      expect(registered === "201" || moved === "200").toBe(true);
    });
  });

  test("is free again when its device is gone, and to the device itself", async () => {
    const params = { host: "192.168.1.20", port: 9100 };
    const id = (await register(params)).field("id");
    const same = await owner.patch(`${DEVICES}/${id}`, { connectionParams: params });
    expect(same.status).toBe(200);
    await owner.delete(`${DEVICES}/${id}`);
    expect((await register(params)).status).toBe(201);
  });

  test("of a serial port is known by its real path, whatever the settings", async () => {
    const folder = mkdtempSync(join(tmpdir(), "fiscald-ports-"));
    try {
      const [port, name] = [join(folder, "ttyS0"), join(folder, "by-id")];
      writeFileSync(port, "");
      symlinkSync(port, name);
      const serial = { transport: "serial" };
      expect((await register({ address: port }, serial)).status).toBe(201);
      expect((await register({ address: `${name}?baud=9600` }, serial)).refusal).toBe(TAKEN);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test.each([
  { host: "192.168.1.20", port: 9101 },
  { host: "192.168.1.21", port: 9100 },
])("another address, as %p, is another device", async (params) => {
  await register({ host: "192.168.1.20", port: 9100 });
  expect((await register(params)).status).toBe(201);
});

describe("a device that is changed while the names of another change are looked up", () => {
  const first = { host: "192.168.1.20", port: 9100 };
  const mine = { host: "192.168.1.21", port: 9100 };

  /** The second change is made and answered while the first one waits. */
  async function during(id: string, slow: object, fast: object): Promise<(string | undefined)[]> {
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    beforeLookUp = () => {
      asked.resolve();
      return answered.promise;
    };
    const waiting = owner.patch(`${DEVICES}/${id}`, slow);
    await asked.promise;
    beforeLookUp = () => Promise.resolve();
    const made = await owner.patch(`${DEVICES}/${id}`, fast);
    answered.resolve();
    return [made.refusal, (await waiting).refusal];
  }
  const deviceOf = async (id: string) => (await owner.get(`${DEVICES}/${id}`)).body;

  test("keeps parameters of its own transport", async () => {
    await register(first);
    const id = (await register(mine)).field("id");
    const serial = { transport: "serial", connectionParams: { address: "/dev/ttyS7" } };
    const moved = { connectionParams: { host: "192.168.1.22", port: 9100 } };
    expect(await during(id, moved, serial)).toEqual(["200", TAKEN]);
    expect(await deviceOf(id)).toMatchObject(serial);
  });

  test("does not come to another one's address", async () => {
    await register(first);
    const id = (await register(mine, { managedBy: "remote" })).field("id");
    const there = { connectionParams: first };
    expect(await during(id, { managedBy: "builtin" }, there)).toEqual(["200", TAKEN]);
    expect(await deviceOf(id)).toMatchObject({ managedBy: "remote", ...there });
  });

  test("is changed by both where only one is about its place", async () => {
    await register(first);
    const id = (await register(mine)).field("id");
    const moved = { connectionParams: { host: "192.168.1.22", port: 9100 } };
    expect(await during(id, moved, { name: "Bar" })).toEqual(["200", "200"]);
    expect(await deviceOf(id)).toMatchObject({ name: "Bar", ...moved });
  });
});

describe("who is removed or lowered while a name is looked up", () => {
  const place = { host: "192.168.1.40", port: 9100 };
  const admins = (userId: string) => `/api/v1/org/members/${userId}`;

  test.each([
    ["registers", "removed"],
    ["registers", "lowered"],
    ["moves", "removed"],
    ["moves", "lowered"],
  ])("%s nothing (%s)", async (what, how) => {
    const id = (await register({ host: "192.168.1.20", port: 9100 })).field("id");
    const { client: admin, userId } = await bench.member(orgId, "admin");
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    beforeLookUp = () => {
      asked.resolve();
      return answered.promise;
    };
    const waiting =
      what === "moves"
        ? admin.patch(`${DEVICES}/${id}`, { connectionParams: place })
        : register(place, { name: "Till 2" }, admin);
    await asked.promise;
    const done =
      how === "removed"
        ? await owner.delete(admins(userId))
        : await owner.patch(admins(userId), { role: "operator" });
    expect(done.status).toBeLessThan(300);
    answered.resolve();
    expect((await waiting).refusal).toBe("401 UNAUTHORIZED");
    expect((await owner.get(DEVICES)).text).not.toContain(place.host);
    expect((await owner.get("/api/v1/audit")).text).not.toContain(place.host);
  });

  test("goes on where only a key was deleted, as the contract has it", async () => {
    const key = await owner.post("/api/v1/org/api-keys", { label: "Till", scopes: ["devices"] });
    const keyId = key.field("id");
    beforeLookUp = async () => {
      beforeLookUp = () => Promise.resolve();
      expect((await owner.delete(`/api/v1/org/api-keys/${keyId}`)).status).toBe(204);
    };
    const waiting = register(place, {}, owner.as(key.field("key")));
    expect((await waiting).status).toBe(201);
  });
});
