/** `GET /today`: what the shop does, needs and has sold, in one answer. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readAt } from "#core/device/testing/status-reading.ts";
import type { ApiClient } from "../../http/testing/api-client.ts";
import { UNKNOWN } from "../commands/testing/commands-bench.ts";
import { AlertsAnswer, DeviceRecord } from "../devices/schema.ts";
import { ONLINE } from "../live/testing/live-bench.ts";
import {
  createReportsBench,
  FIGURES,
  type ReportsBench,
} from "../reports/testing/reports-bench.ts";
import { TodayAnswer } from "./schema.ts";

const TODAY = "/api/v1/today";

let bench: ReportsBench;
/** Whose credential outlives the days that pass here. */
let caller: ApiClient;
beforeEach(async () => {
  bench = await createReportsBench();
  caller = bench.owner.as(await bench.makeKey(["all"]));
  bench.setTimezone("Europe/Sofia");
});
afterEach(() => bench.close());

async function today(query = "", client = caller) {
  const answer = await client.get(`${TODAY}${query}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.as(TodayAnswer);
}
async function deviceToday(deviceId = bench.deviceId) {
  const found = (await today()).devices.find(({ device }) => device.id === deviceId);
  if (found === undefined) throw new Error("not shown");
  return found;
}
async function salesToday(query = "") {
  const { sales } = await today(query);
  if (sales === null) throw new Error("no sales");
  return sales;
}
const at = (text: string) => ({ issuedAt: Date.parse(text) });
const isOnline = () => bench.liveFacts.set(bench.deviceId, { connectivity: ONLINE });
/** Hours with what was sold in them. */
const soldIn = (hours: readonly { key: string; gross: number }[]) =>
  hours.flatMap(({ key, gross }) => (gross === 0 ? [] : [[key, gross]]));

describe("the day", () => {
  test("is that of the organization's clocks", async () => {
    bench.setClock("2026-01-15T22:30:00Z");
    const { at, shop, day } = await today();
    expect({ at, shop, day }).toEqual({
      at: "2026-01-15T22:30:00.000Z",
      shop: { name: "Shop", currency: "RON", timezone: "Europe/Sofia" },
      day: { date: "2026-01-16", from: "2026-01-15T22:00:00.000Z", to: "2026-01-16T22:00:00.000Z" },
    });
  });

  test("is that of a location's clocks where one is named", async () => {
    bench.setClock("2026-01-15T22:30:00Z");
    const made = await caller.post("/api/v1/org/locations", {
      ...{ name: "London", timezone: "Europe/London" },
    });
    const [locationId = ""] = /loc_\w+/.exec(made.text) ?? [];
    const { shop, day, devices } = await today(`?locationId=${locationId}`);
    expect(shop.timezone).toBe("Europe/London");
    expect(day.date).toBe("2026-01-15");
    expect(devices).toEqual([]);
  });

  test("of the week before has the same weekday, also when clocks were moved between", async () => {
    bench.setClock("2026-03-31T10:00:00Z");
    const { weekBefore } = await salesToday();
    expect(weekBefore).toMatchObject({
      ...{ date: "2026-03-24", from: "2026-03-23T22:00:00.000Z", to: "2026-03-24T22:00:00.000Z" },
      totals: [{ currency: "RON", receiptCount: 0, average: null }],
    });
    expect(weekBefore.hours).toHaveLength(24);
  });
});

describe("a device", () => {
  test("is shown as elsewhere: its record, why it is away, and its alerts", async () => {
    bench.liveFacts.set(bench.deviceId, {
      connectivity: { ...ONLINE, linkUp: false, reason: "Cannot reach it" },
    });
    const shown = await deviceToday();
    const record = await caller.get(`/api/v1/devices/${bench.deviceId}`);
    const alerts = await caller.get("/api/v1/devices/alerts");
    expect(shown.device).toEqual(record.as(DeviceRecord));
    expect(shown.alerts).toEqual(alerts.as(AlertsAnswer).alerts[bench.deviceId] ?? []);
    expect(shown).toMatchObject({
      ...{ reason: "Cannot reach it", reading: null, doing: null, waiting: 0 },
      ...{ lastZ: null, cash: null, lastReceiptAt: null },
    });
  });

  test("tells paper, cover and day as last read, as long as it can be reached", async () => {
    const now = bench.clock.now();
    const reading = readAt(now, { paper: "out" });
    bench.liveFacts.set(bench.deviceId, { connectivity: ONLINE, reading });
    const shown = await deviceToday();
    expect(shown.reading).toEqual({
      ...{ paper: "out", cover: "closed", fiscalDayOpen: true },
      readAt: new Date(now).toISOString(),
    });
    expect(shown.alerts.map(({ type }) => type)).toContain("paper_out");
    bench.liveFacts.set(bench.deviceId, {
      ...{ connectivity: { ...ONLINE, linkUp: false }, reading },
    });
    expect((await deviceToday()).reading).toBeNull();
  });

  test("tells what it is at since when, and how many wait", async () => {
    const first = await bench.queued();
    const second = await bench.queued();
    await bench.queued();
    const sent = { commandId: first, type: "print_receipt", status: "sent" } as const;
    const since = new Date(bench.clock.now()).toISOString();
    expect(await deviceToday()).toMatchObject({ doing: { ...sent, since }, waiting: 2 });
    bench.clock.advance(2_000);
    await bench.marked(first, "baseline");
    bench.clock.advance(3_000);
    const begun = new Date(bench.clock.now() - 3_000).toISOString();
    expect((await deviceToday()).doing).toEqual({ ...sent, status: "processing", since: begun });
    await bench.finish(first, { success: true, data: {}, fiscalId: "1" });
    expect(await deviceToday()).toMatchObject({ doing: { commandId: second }, waiting: 1 });
    expect((await deviceToday()).device.status).not.toBe("busy");
    isOnline();
    expect((await deviceToday()).device.status).toBe("busy");
  });

  test("tells its last Z report", async () => {
    bench.setClock("2026-01-14T19:00:00Z");
    await bench.report("z_report");
    bench.setClock("2026-01-15T19:00:00Z");
    await bench.report("z_report", { ...FIGURES, reportNumber: 13 });
    await bench.report("x_report");
    const [, last] = await bench.reports();
    expect((await deviceToday()).lastZ).toMatchObject({
      ...{ reportId: last?.id ?? "", reportNumber: 13, at: "2026-01-15T19:00:00.000Z" },
    });
  });

  test("tells how its last Z report compares with the receipts stored of its day", async () => {
    await bench.sell();
    await bench.report("z_report");
    expect((await deviceToday()).lastZ?.compared).toMatchObject({
      ...{ currency: "RON", balanced: true, difference: { totals: { gross: 0, reversals: 0 } } },
    });
    bench.clock.advance(1_000);
    const totals = { ...FIGURES.totals, gross: 12.7 };
    await bench.report("z_report", { ...FIGURES, reportNumber: 13, receiptCount: 2, totals });
    expect((await deviceToday()).lastZ).toMatchObject({
      ...{ reportNumber: 13 },
      compared: { balanced: false, difference: { receiptCount: 2, totals: { gross: 12.7 } } },
    });
    const till = bench.owner.as(await bench.makeKey(["devices:read"]));
    const look = (id = "", by = bench.owner) => by.post(`/api/v1/reports/${id}/look`);
    const cashier = (await bench.member(bench.orgId, "operator")).client;
    const [, last] = await bench.reports();
    bench.clock.advance(60_000);
    // Whoever may have rung it up by hand settles it for cashiers alone.
    expect((await look(last?.id, cashier)).status).toBe(204);
    const cashiers = new Date(bench.clock.now()).toISOString();
    expect((await today("", cashier)).devices[0]?.lastZ?.lookedAt).toBe(cashiers);
    bench.clock.advance(60_000);
    const at = new Date(bench.clock.now()).toISOString();
    expect([(await deviceToday()).lastZ?.lookedAt, (await look(last?.id)).status]).toEqual([
      ...[null, 204],
    ]);
    bench.clock.advance(60_000);
    await look(last?.id);
    expect((await deviceToday()).lastZ?.lookedAt).toBe(at);
    expect((await look("rpt_0")).refusal).toBe("404 NOT_FOUND");
    expect((await today("", till)).devices[0]?.lastZ).toMatchObject({ compared: null });
  });

  test.each(["x_report", "z_report", "get_cash_amount", "cash_in", "cash_out"] as const)(
    "tells the cash in its drawer from the newest word about it: %s",
    async (newest) => {
      const others = ["x_report", "get_cash_amount", "cash_in"] as const;
      const say = async (type: typeof newest, cashBalance: number | null) => {
        bench.clock.advance(60_000);
        if (type === "x_report" || type === "z_report") {
          await bench.report(type, { ...FIGURES, totals: { ...FIGURES.totals, cashBalance } });
          return;
        }
        const payload = type === "get_cash_amount" ? {} : { amount: 1 };
        await bench.done(type, payload, { success: true, data: { cashBalance, currency: "RON" } });
      };
      for (const type of others) await say(type, 7);
      await say(newest, 41.5);
      const at = new Date(bench.clock.now()).toISOString();
      expect((await deviceToday()).cash).toEqual({ amount: 41.5, currency: "RON", at });
      // What brings no figure leaves the one before.
      await say(newest, null);
      expect((await deviceToday()).cash).toEqual({ amount: 41.5, currency: "RON", at });
    },
  );

  test.each(["x_report", "get_cash_amount", "cash_in"] as const)(
    "tells the cash that it told last by %s, not what it told by a clock that was ahead",
    async (newest) => {
      const say = async (type: typeof newest, cashBalance: number) => {
        bench.clock.advance(60_000);
        if (type === "x_report") {
          await bench.report(type, { ...FIGURES, totals: { ...FIGURES.totals, cashBalance } });
          return;
        }
        const payload = type === "cash_in" ? { amount: 1 } : {};
        await bench.done(type, payload, { success: true, data: { cashBalance, currency: "RON" } });
      };
      bench.setClock("2026-01-18T08:00:00Z");
      // More than are looked at of each.
      for (const cash of [1, 2, 3, 4]) {
        for (const type of ["x_report", "get_cash_amount", "cash_in"] as const)
          await say(type, cash);
      }
      bench.setClock("2026-01-15T08:00:00Z");
      await say(newest, 41.5);
      expect((await deviceToday()).cash).toMatchObject({
        amount: 41.5,
        at: "2026-01-15T08:01:00.000Z",
      });
    },
  );

  test("tells the cash in its drawer in the currency in which it was told", async () => {
    await bench.report("x_report", FIGURES);
    bench.setCurrency("EUR");
    expect((await deviceToday()).cash).toMatchObject({ currency: "RON" });
    expect((await today()).shop.currency).toBe("EUR");
    await bench.done("cash_in", { amount: 1 }, { success: true, data: { cashBalance: 3 } });
    expect((await deviceToday()).cash).toMatchObject({ amount: 3, currency: "EUR" });
  });

  test("tells when its last receipt was stored, however long ago that was issued", async () => {
    await bench.store({
      ...at("2026-01-14T08:00:00Z"),
      createdAt: Date.parse("2026-01-15T09:00:00Z"),
    });
    await bench.store({
      ...at("2026-01-15T08:00:00Z"),
      createdAt: Date.parse("2026-01-15T08:01:00Z"),
    });
    expect((await deviceToday()).lastReceiptAt).toBe("2026-01-15T09:00:00.000Z");
  });

  test("tells it of the one that was printed last, not of one of a clock that was ahead", async () => {
    bench.setClock("2026-01-18T08:00:00Z");
    await bench.sell();
    bench.setClock("2026-01-15T08:00:00Z");
    await bench.sell();
    expect((await deviceToday()).lastReceiptAt).toBe("2026-01-15T08:00:00.000Z");
  });
});

describe("what is in doubt", () => {
  test("is told until a person has settled it", async () => {
    const acceptedAt = new Date(bench.clock.now()).toISOString();
    const commandId = await bench.queued();
    bench.clock.advance(5_000);
    await bench.finish(commandId, UNKNOWN);
    expect((await today()).doubtful).toEqual([
      {
        ...{ commandId, deviceId: bench.deviceId, deviceName: "Till", type: "print_receipt" },
        ...{ acceptedAt, raisedAt: new Date(bench.clock.now()).toISOString(), simulated: false },
      },
    ]);
    expect((await today("?locationId=elsewhere")).doubtful).toEqual([]);
    expect((await today("?locationId=shop")).doubtful).toHaveLength(1);
    const other = await bench.otherShop();
    expect((await today("", other.client)).doubtful).toEqual([]);
    await bench.till.post(`/api/v1/commands/${commandId}/resolve`, { outcome: "not_printed" });
    expect((await today()).doubtful).toEqual([]);
  });

  test("of a printer that the gateway simulates says so", async () => {
    const { orgId, deviceId, stores, writer } = bench;
    await writer.run(() => stores.devices.update(orgId, deviceId, { transport: "simulated" }));
    const commandId = await bench.queued();
    await bench.finish(commandId, UNKNOWN);
    expect((await today()).doubtful).toMatchObject([{ commandId, simulated: true }]);
  });

  test("of a device that was removed is told too, without its name", async () => {
    const commandId = await bench.queued();
    await bench.finish(commandId, UNKNOWN);
    await caller.delete(`/api/v1/devices/${bench.deviceId}`);
    expect((await today()).doubtful).toMatchObject([{ commandId, deviceName: null }]);
  });
});

describe("what was sold", () => {
  test("is added up as a whole and by hour, tender, VAT group and device", async () => {
    const second = await bench.addDevice("Second");
    bench.setClock("2026-01-15T08:15:00Z");
    const original = await bench.sell();
    await bench.sell({
      items: [{ name: "Bread", quantity: 1, price: 2.01, vatGroup: "VAT1" }],
      payments: [{ method: "card", amount: 2.01 }],
    });
    bench.setClock("2026-01-15T12:00:00Z");
    await bench.reverse(original);
    await bench.store({ ...at("2026-01-15T12:30:00Z"), deviceId: second });
    await bench.store(at("2026-01-14T21:59:59.999Z"));
    const sales = await salesToday();
    expect(sales.totals).toEqual([
      {
        ...{ currency: "RON", receiptCount: 3, reversalCount: 1, refundCount: 0 },
        ...{ gross: 6.01, reversals: 3, refunds: 0, net: 3.01, average: 2 },
      },
    ]);
    expect(soldIn(sales.hours)).toEqual([
      ["2026-01-15T10:00+02:00", 5.01],
      ["2026-01-15T14:00+02:00", 1],
    ]);
    expect(sales.hours).toHaveLength(24);
    const by = (buckets: typeof sales.payments) =>
      buckets.map(({ key, gross, reversals }) => [key, gross, reversals]);
    expect(by(sales.payments)).toEqual([
      ["cash", 3, 3],
      ["card", 3.01, 0],
    ]);
    expect(by(sales.vat)).toEqual([
      ["VAT1", 5.01, 3],
      ["VAT2", 1, 0],
    ]);
    expect(by(sales.devices)).toEqual([
      [bench.deviceId, 5.01, 3],
      [second, 1, 0],
    ]);
  });

  test("is what the summary says of the same day", async () => {
    await bench.store(at("2026-01-15T08:00:00Z"), at("2026-01-15T09:00:00Z"));
    await bench.store({ ...at("2026-01-15T09:30:00Z"), currency: "EUR" });
    bench.setClock("2026-01-15T13:00:00Z");
    const { day, sales } = await today();
    for (const [by, buckets] of Object.entries({
      ...{ hour: sales?.hours, payment: sales?.payments, vat: sales?.vat },
      device: sales?.devices,
    })) {
      const path = `/api/v1/reports/summary?from=${day.from}&to=${day.to}&by=${by}`;
      expect((await bench.office.get(path)).body).toMatchObject({ buckets });
    }
    expect(sales?.totals.map(({ currency, net }) => [currency, net])).toEqual([
      ["RON", 2],
      ["EUR", 1],
    ]);
  });

  test("a week before stands beside it by the hour", async () => {
    bench.setClock("2026-01-15T13:00:00Z");
    await bench.store(at("2026-01-08T08:00:00Z"), at("2026-01-07T08:00:00Z"));
    await bench.store(at("2026-01-08T21:59:00Z"), at("2026-01-08T22:00:00Z"));
    const { weekBefore } = await salesToday();
    expect(weekBefore.totals).toMatchObject([{ receiptCount: 2, gross: 2, average: 1 }]);
    expect(soldIn(weekBefore.hours)).toEqual([
      ["2026-01-08T10:00+02:00", 1],
      ["2026-01-08T23:00+02:00", 1],
    ]);
  });

  test("at a location is what its devices sold", async () => {
    const elsewhere = await bench.addDevice("Elsewhere");
    await caller.patch(`/api/v1/devices/${elsewhere}`, { locationId: "market" });
    bench.setClock("2026-01-15T13:00:00Z");
    await bench.store(at("2026-01-15T08:00:00Z"));
    await bench.store({ ...at("2026-01-15T09:00:00Z"), deviceId: elsewhere, totalMinor: 500 });
    expect((await salesToday()).totals).toMatchObject([{ gross: 6 }]);
    const { devices, sales } = await today("?locationId=market");
    expect(devices.map(({ device }) => device.id)).toEqual([elsewhere]);
    expect(sales?.totals).toMatchObject([{ gross: 5 }]);
  });

  test("has its average rounded to the cent, half of one up", async () => {
    bench.setClock("2026-01-15T13:00:00Z");
    await bench.store(at("2026-01-15T08:00:00Z"));
    await bench.store({ ...at("2026-01-15T09:00:00Z"), totalMinor: 101 });
    expect((await salesToday()).totals).toMatchObject([{ gross: 2.01, average: 1.01 }]);
  });

  test("on a removed device counts", async () => {
    bench.setClock("2026-01-15T13:00:00Z");
    await bench.store({ ...at("2026-01-15T08:00:00Z"), deviceId: "dev_gone" });
    expect((await salesToday()).totals).toMatchObject([{ gross: 1 }]);
  });

  test("is for credentials that may read reports, all else for those that may read devices", async () => {
    const client = async (...scopes: Parameters<typeof bench.makeKey>[0]) =>
      bench.owner.as(await bench.makeKey(scopes));
    expect((await today("", await client("devices:read"))).sales).toBeNull();
    expect((await today("", await client("devices:read", "reports"))).sales).not.toBeNull();
    const { client: operator } = await bench.member(bench.orgId, "operator");
    expect((await today("", operator)).sales).not.toBeNull();
    expect((await (await client("reports")).get(TODAY)).refusal).toBe("403 FORBIDDEN");
  });
});
