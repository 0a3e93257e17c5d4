import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { purgeRegularly } from "../../app/upkeep.ts";
import { until } from "../../e2e/harness/until.ts";
import type { ApiAnswer, ApiClient } from "../../http/testing/api-client.ts";
import { FakeClock } from "../../platform/clock.ts";
import { CountedTime } from "../../platform/counted-time.ts";
import { silentLog } from "../../platform/log.ts";
import { TimerQueue } from "../../queue/timer-queue.ts";
import { type ApiBench, type BenchOptions, createApiBench } from "../testing/api-bench.ts";

const WEBHOOKS = "/api/v1/org/webhooks";
const body = { url: "https://hooks.example/in?till=1", events: ["command.completed"] };
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

let bench: ApiBench;
let owner: ApiClient;
let orgId: string;

async function open(webhooks: BenchOptions["webhooks"] = {}): Promise<void> {
  bench = createApiBench({ registration: "open", webhooks });
  ({ client: owner, orgId } = await bench.owner());
}
beforeEach(() => open());
afterEach(() => bench.close());

const Created = Type.Object({ webhook: Type.Object({ id: Type.String(), secret: Type.String() }) });
const add = async (change: object = {}) =>
  (await owner.post(WEBHOOKS, { ...body, ...change })).as(Created).webhook;
const at = (id: string, suffix = "") => `${WEBHOOKS}/${id}${suffix}`;
const put = (id: string, change: Parameters<typeof bench.stores.webhooks.update>[2]) =>
  bench.writer.run(() => bench.stores.webhooks.update(orgId, id, change));
const refusalOf = ({ refusal, issuePaths }: ApiAnswer) => [refusal, ...issuePaths];

describe("subscribing", () => {
  test("answers the webhook with its secret, which nothing shows again", async () => {
    const answer = await owner.post(WEBHOOKS, {
      ...body,
      description: "ERP",
      events: ["command.completed", "device.online", "command.completed"],
      secret: "whsec_mine",
    });
    expect(answer.status).toBe(201);
    const webhook = {
      ...{ id: expect.stringMatching(/^whk_[0-9A-HJKMNP-TV-Z]{26}$/), orgId, url: body.url },
      ...{ description: "ERP", events: ["command.completed", "device.online"], enabled: true },
      ...{ failureCount: 0, lastDeliveryAt: null, lastDeliveryStatus: null },
      ...{ createdAt: "2026-01-15T10:00:00.000Z", updatedAt: "2026-01-15T10:00:00.000Z" },
      createdBy: expect.stringMatching(/^usr_/),
    };
    expect(answer.body).toEqual({
      webhook: { ...webhook, secret: expect.stringMatching(SECRET) },
    });
    const { id, secret } = answer.as(Created).webhook;
    const shown = await owner.get(at(id));
    expect([shown.status, shown.body]).toEqual([200, { webhook }]);
    const list = await owner.get(WEBHOOKS);
    expect([list.status, list.body]).toEqual([200, { webhooks: [webhook] }]);
    const written = JSON.stringify([bench.lines, bench.events, bench.stores.audit.list(orgId, 10)]);
    expect(written).not.toContain(secret.slice(6));
    expect(written).not.toContain("till=1");
    expect(bench.stores.audit.list(orgId, 1)).toMatchObject([
      { action: "webhook.created", resource: id, details: { host: "hooks.example" } },
    ]);
  });

  test("takes every event, disabled from the start if wanted, without a description", async () => {
    const events = [
      ...["receipt.created", "command.completed", "command.failed", "command.timeout"],
      ...["device.online", "device.offline", "report.generated"],
    ];
    const answer = await owner.post(WEBHOOKS, { ...body, events, enabled: false });
    expect(answer.body).toMatchObject({ webhook: { events, enabled: false, description: null } });
  });

  test.each([
    ["url", { url: undefined }],
    ["url", { url: 5 }],
    ["url", { url: "" }],
    ["url", { url: "hooks.example" }],
    ["url", { url: "http://hooks.example/" }],
    ["url", { url: "https:hooks.example" }],
    ["url", { url: "ftp://hooks.example/" }],
    ["url", { url: "https://" }],
    ["url", { url: "https://hooks example/" }],
    ["url", { url: "https://ho\toks.example/" }],
    ["url", { url: "https://ann:secret@hooks.example/" }],
    ["description", { description: "x".repeat(501) }],
    ["description", { description: null }],
    ["events", { events: undefined }],
    ["events", { events: [] }],
    ["events", { events: "command.completed" }],
    ["events.0", { events: ["webhook.test"] }],
    ["events.1", { events: ["device.online", "device.released"] }],
    ["enabled", { enabled: "true" }],
  ])("is refused at %s for %p", async (path, change) => {
    const expected = ["400 VALIDATION_ERROR", path];
    expect(refusalOf(await owner.post(WEBHOOKS, { ...body, ...change }))).toEqual(expected);
    if (Object.values(change)[0] === undefined) return;
    const { id } = await add();
    expect(refusalOf(await owner.patch(at(id), change))).toEqual(expected);
  });

  test("takes texts at their bounds, and not beyond", async () => {
    const url = `https://hooks.example/${"x".repeat(2_026)}`;
    const longer = await owner.post(WEBHOOKS, { ...body, url: `${url}x` });
    expect(refusalOf(longer)).toEqual(["400 VALIDATION_ERROR", "url"]);
    expect(
      (await owner.post(WEBHOOKS, { ...body, url, description: "🧾".repeat(500) })).status,
    ).toBe(201);
  });

  test("ends at 100 of one organization", async () => {
    const both = await Promise.all([1, 2].map(() => add()));
    const row = bench.stores.webhooks.get(orgId, both[0]?.id ?? "");
    await bench.writer.run(() => {
      for (let more = 0; row && more < 97; more += 1) {
        bench.stores.webhooks.insert({ ...row, id: `whk_${more}` });
      }
    });
    const last = await Promise.all([1, 2].map(() => owner.post(WEBHOOKS, body)));
    expect(last.map(({ refusal }) => refusal).sort()).toEqual(["201", "409 CONFLICT"]);
    const { client: stranger } = await bench.owner("other@example.com");
    expect((await stranger.post(WEBHOOKS, body)).status).toBe(201);
  });
});

describe("where a webhook may be", () => {
  const refused = async (url: string) => {
    const answer = await owner.post(WEBHOOKS, { ...body, url });
    expect(refusalOf(answer)).toEqual(["400 VALIDATION_ERROR", "url"]);
  };
  const taken = async (url: string) =>
    expect((await owner.post(WEBHOOKS, { ...body, url })).refusal).toBe("201");

  test.each([
    "https://hooks.example:0/",
    "https://127.0.0.1/",
    "https://0x7f.1:8443/",
    "https://2130706433/",
    "https://0.0.0.0/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:0:127.0.0.1]/",
    "https://[64:ff9b::127.0.0.1]/",
    "https://[64:ff9b:1::127.0.0.1]/",
    "https://localhost/",
    "https://LOCALHOST:8443/",
    "https://localhost./",
    "https://till.localhost/",
    "https://169.254.169.254/latest/meta-data",
    "https://[fe80::1]/",
    "https://255.255.255.255/",
  ])("not at %s", refused);

  test("not at an address of one of the machine's interfaces", async () => {
    const { networkInterfaces } = await import("node:os");
    const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    expect(own).not.toEqual([]);
    for (const { address, family } of own) {
      const [plain] = address.split("%");
      await refused(family === "IPv6" ? `https://[${plain}]/` : `https://${plain}/`);
    }
  });

  test.each(["https://192.168.99.20:8443/in", "https://[fd00::20]/", "https://10.255.255.1/"])(
    "at %s in the shop's network, unless that is switched off",
    async (url) => {
      await taken(url);
      const { id } = await add();
      bench.close();
      await open({ allowPrivate: false });
      await refused(url);
      expect((await owner.patch(at(id), { url })).refusal).toBe("404 NOT_FOUND");
      await taken("https://8.8.8.8/");
    },
  );

  test("at the machine itself where that is switched on, but never at a link-local one", async () => {
    bench.close();
    await open({ allowLoopback: true });
    await taken("https://127.0.0.1:8443/");
    await taken("https://localhost/");
    await refused("https://169.254.169.254/");
  });

  test.each([
    [["127.0.0.1"], false],
    [["203.0.113.7", "::1"], false],
    [["169.254.169.254"], false],
    [["fe80::1%eth0"], false],
    [["203.0.113.7", "192.168.1.20"], true],
    [[], true],
  ])("by what the name leads to: %p", async (addresses, isTaken) => {
    bench.close();
    await open({ lookup: () => Promise.resolve(addresses) });
    await (isTaken ? taken : refused)("https://hooks.example/");
    const { id } = (await owner.post(WEBHOOKS, { ...body, url: "https://8.8.8.8/" })).as(
      Created,
    ).webhook;
    const moved = await owner.patch(at(id), { url: "https://hooks.example/" });
    expect(moved.status).toBe(isTaken ? 200 : 400);
  });

  test("wherever the name may come to lead, if it cannot be looked up now", async () => {
    await taken("https://unknown.example/");
    bench.close();
    await open({ lookup: () => new Promise(() => undefined) });
    const pending = owner.post(WEBHOOKS, body);
    await until("the look-up", () => bench.clock.pendingTimers > 0);
    bench.clock.advance(2_000);
    expect((await pending).status).toBe(201);
  });
});

describe("an admin who is removed while a name is looked up", () => {
  test.each(["subscribes", "moves"])("%s nothing", async (what) => {
    bench.close();
    await open({ lookup: () => new Promise(() => undefined) });
    const { id } = await add({ url: "https://8.8.8.8/" });
    const { client: admin, userId } = await bench.member(orgId, "admin");
    const pending =
      what === "moves" ? admin.patch(at(id), { url: body.url }) : admin.post(WEBHOOKS, body);
    await until("the look-up", () => bench.clock.pendingTimers > 0);
    expect((await owner.delete(`/api/v1/org/members/${userId}`)).status).toBe(204);
    bench.clock.advance(2_000);
    expect((await pending).refusal).toBe("401 UNAUTHORIZED");
    expect((await owner.get(WEBHOOKS)).text).not.toContain("hooks.example");
  });
});

describe("changing a webhook", () => {
  test("changes what is named, and says when", async () => {
    const { id } = await add({ description: "ERP" });
    bench.clock.advance(1_000);
    const change = { url: "https://new.example/", events: ["device.offline"], description: "" };
    const answer = await owner.patch(at(id), change);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        webhook: expect.objectContaining({
          ...{ ...change, id, enabled: true, createdAt: "2026-01-15T10:00:00.000Z" },
          updatedAt: "2026-01-15T10:00:01.000Z",
        }),
      },
    ]);
    expect((await owner.get(at(id))).body).toEqual(answer.body);
    expect(answer.text).not.toContain("whsec_");
  });

  test.each([{}, { secret: "whsec_mine" }, { failureCount: 0 }])("takes no %p", async (change) => {
    const { id } = await add();
    const answer = await owner.patch(at(id), change);
    expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", [""]]);
  });

  test("enabling it sets its failures to nought, disabling it does not", async () => {
    const { id } = await add();
    await put(id, { failureCount: 7 });
    expect((await owner.patch(at(id), { enabled: false })).body).toMatchObject({
      webhook: { enabled: false, failureCount: 7 },
    });
    await put(id, { failureCount: 20 });
    expect((await owner.patch(at(id), { enabled: true })).body).toMatchObject({
      webhook: { enabled: true, failureCount: 0 },
    });
    await put(id, { failureCount: 3 });
    expect((await owner.patch(at(id), { enabled: true })).body).toMatchObject({
      webhook: { enabled: true, failureCount: 0 },
    });
  });

  test.each([{ description: "x" }, { enabled: false }, { url: "https://b.example/" }])(
    "while it is disabled conflicts for %p",
    async (change) => {
      const { id } = await add({ enabled: false });
      expect((await owner.patch(at(id), change)).refusal).toBe("409 CONFLICT");
      const both = await owner.patch(at(id), { ...change, enabled: true });
      expect(both.body).toMatchObject({ webhook: { ...change, enabled: true } });
    },
  );

  test("while it is disabled is refused for what is wrong with the change first", async () => {
    const { id } = await add({ enabled: false });
    expect((await owner.patch(at(id), { events: [] })).issuePaths).toEqual(["events"]);
    expect((await owner.patch(at(id), {})).refusal).toBe("400 VALIDATION_ERROR");
    for (const url of ["http://hooks.example/", "https://ann:secret@hooks.example/"]) {
      expect((await owner.patch(at(id), { url })).issuePaths).toEqual(["url"]);
    }
  });
});

describe("a new secret", () => {
  test("is shown once, and is another one", async () => {
    const { id, secret } = await add({ enabled: false });
    const answer = await owner.post(at(id, "/rotate-secret"));
    expect([answer.status, answer.body]).toEqual([200, { secret: expect.stringMatching(SECRET) }]);
    expect(answer.field("secret")).not.toBe(secret);
    expect(bench.stores.webhooks.get(orgId, id)?.secret).toBe(answer.field("secret"));
    expect((await owner.get(at(id))).text).not.toContain("whsec_");
    const audit = bench.stores.audit.list(orgId, 1);
    expect(audit).toMatchObject([{ action: "webhook.secret_rotated", resource: id }]);
    expect(JSON.stringify(audit)).not.toContain(answer.field("secret").slice(6));
  });
});

describe("deliveries", () => {
  const row = (id: string, webhookId: string, status: "pending" | "success" | "failed") =>
    bench.stores.webhookDeliveries.insert({
      ...{ id, webhookId, orgId, eventType: "device.online", status, attempt: 1 },
      payload: {
        ...{ id: "evt_1", type: "device.online", createdAt: "2026-01-15T10:00:00.000Z", orgId },
        data: { n: 1.5 },
      },
      ...{ httpStatus: 200, responseBody: "ok", error: null, attemptedAt: 1_000, createdAt: 0 },
      ...{ failedAttempts: null, dueAt: null },
    });
  const Ids = Type.Object({ deliveries: Type.Array(Type.Object({ id: Type.String() })) });
  const ids = async (id: string, query = "") =>
    (await owner.get(at(id, `/deliveries${query}`))).as(Ids).deliveries.map((one) => one.id);

  test("are listed newest first, whole, by status, up to the limit", async () => {
    const [{ id }, other] = [await add(), await add()];
    expect((await owner.get(at(id, "/deliveries"))).body).toEqual({ deliveries: [] });
    await bench.writer.run(() => {
      for (let number = 1; number <= 201; number += 1) {
        row(`dlv_${number}`, id, number % 2 === 0 ? "success" : "failed");
      }
      row("dlv_other", other.id, "pending");
    });
    const one = await owner.get(at(id, "/deliveries?limit=1"));
    expect(one.body).toEqual({
      deliveries: [
        {
          ...{ id: "dlv_201", webhookId: id, orgId, eventType: "device.online", status: "failed" },
          payload: {
            ...{ id: "evt_1", type: "device.online", createdAt: "2026-01-15T10:00:00.000Z", orgId },
            data: { n: 1.5 },
          },
          ...{ attempt: 1, httpStatus: 200, responseBody: "ok", error: null, failure: null },
          ...{ createdAt: "1970-01-01T00:00:00.000Z", attemptedAt: "1970-01-01T00:00:01.000Z" },
          ...{ attempts: [], nextAttemptAt: null },
        },
      ],
    });
    expect(await ids(id)).toHaveLength(50);
    expect(await ids(id, "?limit=200")).toHaveLength(200);
    expect(await ids(id, "?limit=2&status=success")).toEqual(["dlv_200", "dlv_198"]);
    expect(await ids(id, "?status=pending")).toEqual([]);
    expect(await ids(other.id, "?status=pending")).toEqual(["dlv_other"]);
  });

  test.each(["limit=0", "limit=201", "limit=x", "limit=", "status=done", "status="])(
    "cannot be asked for with %s",
    async (query) => {
      const { id } = await add();
      const answer = await owner.get(at(id, `/deliveries?${query}`));
      expect(refusalOf(answer)).toEqual(["400 VALIDATION_ERROR", query.split("=")[0] ?? ""]);
    },
  );

  test("are kept for 30 days", async () => {
    const { id } = await add();
    await bench.writer.run(() => row("dlv_1", id, "success"));
    const { stores, writer } = bench;
    // Its rows are of 1970.
    const clock = new FakeClock(30 * 86_400_000 - 30_001);
    purgeRegularly({
      ...{ stores, writer, clock, time: new CountedTime(clock), log: silentLog },
      ...{ timers: new TimerQueue(clock), stopping: new AbortController().signal },
    });
    const purge = async () => {
      clock.advance(clock.nextTimerMs ?? Number.NaN);
      for (let turn = 0; turn < 3; turn += 1) await writer.run(() => undefined);
    };
    await purge();
    expect(await ids(id)).toEqual(["dlv_1"]);
    await purge();
    expect(await ids(id)).toEqual([]);
  });

  test("go with their webhook, all of them, and those of others stay", async () => {
    const [{ id }, other] = [await add(), await add()];
    await bench.writer.run(() => {
      for (let number = 1; number <= 250; number += 1) row(`dlv_${number}`, id, "success");
      row("dlv_other", other.id, "success");
    });
    const answer = await owner.delete(at(id));
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect((await owner.get(at(id, "/deliveries"))).refusal).toBe("404 NOT_FOUND");
    const left = bench.database.sqlite.prepare("SELECT id FROM webhook_deliveries").pluck().all();
    expect(left).toEqual(["dlv_other"]);
  });
});

describe("who may", () => {
  const statuses = async (client: ApiClient, id: string) => {
    const calls = [
      ["GET", WEBHOOKS, undefined],
      ["POST", WEBHOOKS, body],
      ["GET", at(id), undefined],
      ["PATCH", at(id), { enabled: true }],
      ["POST", at(id, "/rotate-secret"), undefined],
      ["POST", at(id, "/test"), undefined],
      ["GET", at(id, "/deliveries"), undefined],
      ["DELETE", at(id), undefined],
    ] as const;
    const answers: string[] = [];
    for (const [method, path, sent] of calls) {
      answers.push((await client.call(method, path, { body: sent })).refusal);
    }
    return answers;
  };

  test("are owners and admins, by login", async () => {
    await bench.setPlan(orgId, "pro");
    const fine = ["200", "201", "200", "200", "200", "200", "200", "204"];
    expect(await statuses((await bench.member(orgId, "admin")).client, (await add()).id)).toEqual(
      fine,
    );
    const { id } = await add();
    const operator = await bench.member(orgId, "operator");
    expect(await statuses(operator.client, id)).toEqual(Array(8).fill("403 FORBIDDEN"));
    const keys = await owner.post("/api/v1/org/api-keys", { label: "Till", scopes: ["all"] });
    const key = owner.as(keys.field("key"));
    expect(await statuses(key, id)).toEqual(Array(8).fill("403 FORBIDDEN"));
    expect(await statuses(bench.client, id)).toEqual(Array(8).fill("401 UNAUTHORIZED"));
    expect(await statuses(owner, id)).toEqual(fine);
  });

  test("sees nothing of another organization's", async () => {
    const { id, secret } = await add();
    const { client: stranger } = await bench.owner("other@example.com");
    const missing = "404 NOT_FOUND";
    expect(await statuses(stranger, id)).toEqual([
      ...["200", "201", missing, missing, missing, missing, missing, missing],
    ]);
    // What is wrong with the request comes after that.
    expect((await stranger.patch(at(id), {})).refusal).toBe(missing);
    expect((await stranger.get(at(id, "/deliveries?limit=0"))).refusal).toBe(missing);
    expect((await stranger.get(WEBHOOKS)).text).not.toContain(id);
    expect(bench.stores.webhooks.get(orgId, id)?.secret).toBe(secret);
  });

  test("names one that is not there, in vain", async () => {
    expect((await statuses(owner, "whk_none")).slice(2)).toEqual(Array(6).fill("404 NOT_FOUND"));
  });
});
