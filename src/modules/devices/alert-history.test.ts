/** Which alerts stood when, as the API tells it. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { ALERT_TYPES, type AlertType } from "#core/device/alerts.ts";
import type { NewPastAlert } from "#db/stores/alert-history.ts";
import type { ApiClient } from "../../http/testing/api-client.ts";
import { type ApiBench, createApiBench } from "../testing/api-bench.ts";
import { AlertHistoryPage, PastAlertAnswer } from "./alert-history-schema.ts";

const MINUTE_MS = 60_000;

let bench: ApiBench;
let owner: ApiClient;
let orgId: string;
beforeAll(async () => {
  bench = createApiBench({ registration: "open" });
  ({ client: owner, orgId } = await bench.owner());
  await bench.writer.run(() => {
    stood("dev_1", "paper_low", { end: "replaced" });
    stood("dev_1", "paper_out", { end: "cured" });
    const settled = { commandId: "cmd_1", end: "settled", endedBy: "user:usr_1" } as const;
    stood("dev_2", "outcome_unknown", settled);
    stood("dev_2", "cover_open", { endedAt: null, end: null });
  });
});
afterAll(() => bench.close());

/** Of one minute, unless it says otherwise. */
function stood(deviceId: string, type: AlertType, more: Partial<NewPastAlert>): void {
  const now = bench.clock.now();
  bench.stores.alertHistory.append({
    ...{ orgId, deviceId, deviceName: "Till 1", type, severity: ALERT_TYPES[type].severity },
    ...{ message: "See to it", commandId: null, fiscalId: null, standsOpen: null },
    ...{ detectedAt: now, endedAt: now + MINUTE_MS, end: "cured", endedBy: null, ...more },
  });
}

const read = async (query: string, client = owner) =>
  (await client.get(`/api/v1/alerts${query}`)).as(AlertHistoryPage);
const types = async (query: string) => (await read(query)).alerts.map(({ type }) => type);

test("alerts are listed newest first, with from when until when, how and by whom each ended", async () => {
  const { alerts, hasMore, lastId } = await read("");
  expect(alerts[1]).toEqual({
    ...{ id: "3", type: "outcome_unknown", severity: "error", message: "See to it" },
    ...{ deviceId: "dev_2", deviceName: "Till 1", commandId: "cmd_1" },
    ...{ detectedAt: "2026-01-15T10:00:00.000Z", endedAt: "2026-01-15T10:01:00.000Z" },
    ...{ end: "settled", endedBy: "user:usr_1" },
  });
  expect([alerts.map(({ id }) => id), hasMore, lastId]).toEqual([["4", "3", "2", "1"], false, "1"]);
});

test.each([
  ["?state=standing", ["cover_open"]],
  ["?state=past", ["outcome_unknown", "paper_out", "paper_low"]],
  ["?state=past&deviceId=dev_1", ["paper_out", "paper_low"]],
  ["?state=all&severity=warning", ["paper_low"]],
  ["?state=past&sortOrder=asc&limit=2", ["paper_low", "paper_out"]],
  ["?deviceId=dev_none", []],
])("%s lists %p", async (query, expected) => {
  expect(await types(query)).toEqual(expected);
});

test("a page goes on behind the last one", async () => {
  const { lastId, hasMore } = await read("?limit=2");
  expect(hasMore).toBe(true);
  expect(await types(`?limit=2&startAfter=${lastId}`)).toEqual(["paper_out", "paper_low"]);
});

test.each(["state=gone", "severity=loud", "startAfter=99", "startAfter=x"])(
  "?%s is refused by its name",
  async (query) => {
    const answer = await owner.get(`/api/v1/alerts?${query}`);
    const [name = ""] = query.split("=");
    expect([answer.refusal, ...answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", name]);
  },
);

test("one is read by its id as it is listed, one that stands too", async () => {
  const { alerts } = await read("");
  for (const listed of alerts) {
    const answer = await owner.get(`/api/v1/alerts/${listed.id}`);
    expect(answer.as(PastAlertAnswer).alert).toEqual(listed);
  }
});

test.each(["99", "x", "4x", "04", "-1"])("there is no alert %s", async (id) => {
  expect((await owner.get(`/api/v1/alerts/${id}`)).refusal).toBe("404 NOT_FOUND");
});

test("what stands at a device is over with the device, at once", async () => {
  const registered = await owner.post("/api/v1/devices", {
    ...{ name: "Kiosk", driver: "vendorA.isl", transport: "tcp", locationId: "shop" },
    connectionParams: { host: "192.168.1.20", port: 9100 },
  });
  const id = registered.field("id");
  const message = "Load paper";
  const alert = { type: "paper_out", severity: "error", message, detectedAt: 1 } as const;
  await bench.writer.run(() => {
    bench.stores.toldAlerts.put(id, [alert]);
    stood(id, "paper_out", { endedAt: null, end: null });
  });
  expect((await owner.delete(`/api/v1/devices/${id}`)).status).toBe(204);
  const { alerts } = await read(`?deviceId=${id}`);
  expect(alerts).toMatchObject([{ end: "device_removed", endedAt: "2026-01-15T10:00:00.000Z" }]);
});

test("another organization sees none of it, and goes on behind none of it", async () => {
  const { client } = await bench.owner("bea@example.com");
  expect((await read("", client)).alerts).toEqual([]);
  expect((await client.get("/api/v1/alerts?startAfter=1")).status).toBe(400);
  expect((await client.get("/api/v1/alerts/1")).refusal).toBe("404 NOT_FOUND");
});
