import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ApiAnswer, ApiClient } from "../../http/testing/api-client.ts";
import {
  COMMANDS,
  type CommandsBench,
  createCommandsBench,
  SALE,
  type StoredRows,
} from "./testing/commands-bench.ts";

// None of these requests may change anything, so that one shop serves them all.
let bench: CommandsBench;
let before: StoredRows;
beforeAll(async () => {
  bench = await createCommandsBench();
  await bench.queued("get_status", {});
  before = bench.rows();
});
afterAll(() => bench.close());

/** Checks the refusal and that the request left nothing behind. */
async function refused(answer: Promise<ApiAnswer>, refusal: string, paths: string[] = []) {
  const { refusal: given, issuePaths } = await answer;
  expect([given, issuePaths]).toEqual([refusal, paths]);
  await bench.atRest();
  expect(bench.rows()).toEqual(before);
}

/** The two routes that take a submission, each with its own way to name the device. */
const ROUTES: readonly (readonly [
  string,
  (client: ApiClient, body: object) => Promise<ApiAnswer>,
])[] = [
  ["/commands", (client, body) => client.post(COMMANDS, { deviceId: bench.deviceId, ...body })],
  [
    "/devices/{deviceId}/commands",
    (client, body) => client.post(`/api/v1/devices/${bench.deviceId}/commands`, body),
  ],
];

describe.each(ROUTES)("%s refuses", (_name, send) => {
  test.each([
    ["no type", ["type"], { payload: {} }],
    ["a type that is no text", ["type"], { type: 5, payload: {} }],
    ["an unknown type", ["type"], { type: "print", payload: {} }],
    ["a type from the prototype", ["type"], { type: "constructor", payload: {} }],
    ["no payload", ["payload"], { type: "x_report" }],
    ["a payload that is null", ["payload"], { type: "x_report", payload: null }],
    ["a payload that is a list", ["payload"], { type: "x_report", payload: [] }],
    ["a payload that is text", ["payload"], { type: "raw_command", payload: "{}" }],
    ["everything missing at once", ["type", "payload"], {}],
    [
      "a bad payload",
      ["payload.payments"],
      { type: "print_receipt", payload: { ...SALE, payments: [] } },
    ],
  ])("%s", async (_what, paths, body) => {
    await refused(send(bench.till, body), "400 VALIDATION_ERROR", paths);
  });

  test("a body that is compressed, and says so", async () => {
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const rawBody = Bun.gzipSync(JSON.stringify({ type: "x_report", payload: {} }));
    const path = `/api/v1/devices/${bench.deviceId}/commands`;
    for (const at of [COMMANDS, path]) {
      const answer = await bench.till.call("POST", at, { headers, rawBody });
      expect([answer.refusal, answer.text]).toEqual([
        "400 BAD_REQUEST",
        expect.stringContaining("Content-Encoding"),
      ]);
    }
    expect(bench.rows()).toEqual(before);
  });

  test("a VAT group or a sale number that is none, in words", async () => {
    const items = SALE.items.map((item) => ({ ...item, vatGroup: "A" }));
    const payload = { ...SALE, items, uniqueSaleNumber: "1" };
    const answer = await send(bench.till, { type: "print_receipt", payload });
    expect(answer.text).toContain("a VAT group: VAT1 to VAT16, or exempt");
    expect(answer.text).toContain("as in DT000600-0001-0000001");
    expect(answer.text).not.toContain("to match");
  });

  test("a caller who is not known", async () => {
    const body = { type: "x_report", payload: {} };
    const stranger = `svc_live_${bench.orgId}_${"0".repeat(32)}`;
    const credentials: Record<string, string>[] = [
      {},
      { "x-api-key": stranger },
      { authorization: `Bearer ${stranger}` },
      { authorization: "Bearer nonsense" },
      { authorization: "Basic dGlsbDp0aWxs" },
    ];
    for (const headers of credentials) {
      await refused(send(bench.client.with(headers), body), "401 UNAUTHORIZED");
    }
  });

  test("a key that does not cover commands, before it looks at anything else", async () => {
    const key = await bench.makeKey(["receipts", "devices", "reports"]);
    await refused(send(bench.owner.as(key), {}), "403 FORBIDDEN");
  });

  test("a key that has expired or was switched off", async () => {
    const soon = new Date(bench.clock.now() + 1_000).toISOString();
    const expiring = await bench.makeKey(["commands"], soon);
    const active = await bench.makeKey(["commands"]);
    const keys = bench.stores.apiKeys.list(bench.orgId);
    const last = keys.find((key) => active.endsWith(key.last4));
    await bench.owner.patch(`/api/v1/org/api-keys/${last?.id}`, { active: false });
    const body = { type: "x_report", payload: {} };
    await refused(send(bench.owner.as(active), body), "401 UNAUTHORIZED");
    bench.clock.advance(1_000);
    await refused(send(bench.owner.as(expiring), body), "401 UNAUTHORIZED");
  });
});

describe("a request is refused for", () => {
  test.each([
    ["text that is no JSON", "{", "application/json"],
    ["JSON with a comma too many", '{"type":"x_report",}', "application/json"],
    ["bytes that are no UTF-8", new Uint8Array([0x22, 0xff, 0x22]), "application/json"],
    ["another content type", JSON.stringify(SALE), "text/plain"],
    ["a body over 1 MiB", JSON.stringify("x".repeat(1_048_576)), "application/json"],
  ])("%s", async (_what, rawBody, contentType) => {
    const options = { rawBody, headers: { "content-type": contentType } };
    await refused(bench.till.call("POST", COMMANDS, options), "400 BAD_REQUEST");
  });

  test.each(["null", "[]", '"x_report"', "5"])("the body %s", async (rawBody) => {
    const answer = bench.till.call("POST", COMMANDS, { rawBody });
    await refused(answer, "400 VALIDATION_ERROR", [""]);
  });

  test("no body at all, naming all that is missing", async () => {
    const paths = ["deviceId", "type", "payload"];
    await refused(bench.till.call("POST", COMMANDS), "400 VALIDATION_ERROR", paths);
  });

  test.each([[5], [""], [null]])("the device id %p", async (deviceId) => {
    const body = { deviceId, type: "x_report", payload: {} };
    await refused(bench.till.post(COMMANDS, body), "400 VALIDATION_ERROR", ["deviceId"]);
  });

  test("an unknown device, before its payload is looked at", async () => {
    const body = { type: "print_receipt", payload: {} };
    await refused(bench.till.post(COMMANDS, { deviceId: "dev_0", ...body }), "404 NOT_FOUND");
    await refused(bench.till.post("/api/v1/devices/dev_0/commands", {}), "404 NOT_FOUND");
  });

  test("another shop's device", async () => {
    const { deviceId } = await bench.otherShop();
    const body = { type: "x_report", payload: {} };
    await refused(bench.till.post(COMMANDS, { deviceId, ...body }), "404 NOT_FOUND");
    await refused(bench.till.post(`/api/v1/devices/${deviceId}/commands`, body), "404 NOT_FOUND");
  });
});
