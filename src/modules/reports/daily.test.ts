/** `GET /reports/daily`: stored receipts beside the Z reports of a date. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { COMMANDS, SALE, UNKNOWN } from "../commands/testing/commands-bench.ts";
import { SLICE_ROWS } from "./books.ts";
import { DailyAnswer } from "./schema.ts";
import {
  createReportsBench,
  FIGURES,
  REPORTS,
  type ReportsBench,
} from "./testing/reports-bench.ts";

const DAILY = `${REPORTS}/daily`;
/** Two groups and tenders, and a discount that is shared out between the groups. */
const BASKET = {
  items: [
    { name: "Bread", quantity: 2, price: 1.5, vatGroup: "VAT1" },
    { name: "Apples", quantity: 1.333, price: 4.5, vatGroup: "VAT2" },
  ],
  subtotalModifiers: [{ type: "discount-amount", value: 1 }],
  payments: [
    { method: "card", amount: 5 },
    { method: "cash", amount: 3 },
  ],
};
/** What a device tells of a day of one `SALE` and one `BASKET`, of which a `SALE` was reversed. */
const AGREEING = {
  ...FIGURES,
  ...{ receiptCount: 2, reversalCount: 1 },
  totals: { ...FIGURES.totals, gross: 11, reversals: 3 },
  vat: [
    { group: "VAT1", rate: 20, turnover: 5.67, tax: null },
    { group: "VAT2", rate: 9, turnover: 5.33, tax: null },
  ],
  payments: [
    { method: "cash", amount: 6 },
    { method: "card", amount: 5 },
  ],
};

let bench: ReportsBench;
beforeEach(async () => {
  bench = await createReportsBench();
  bench.setTimezone("Europe/Sofia");
});
afterEach(() => bench.close());

const rowsOf = async (date: string, deviceId?: string) => {
  const device = deviceId === undefined ? "" : `&deviceId=${deviceId}`;
  return (await bench.told(`${DAILY}?date=${date}${device}`, DailyAnswer)).devices;
};
const rowOf = async (date: string, deviceId = bench.deviceId) => {
  const [row, ...others] = await rowsOf(date, deviceId);
  if (row === undefined || others.length > 0) throw new Error("not one row");
  return row;
};
/** What tests look at of each fiscal day: what was sold, and whether the report agrees. */
const daysOf = (row: Awaited<ReturnType<typeof rowOf>>) =>
  row.fiscalDays.map(({ report, stored, balanced }) => ({
    number: report?.reportNumber ?? null,
    gross: stored.totals.gross,
    balanced,
  }));

describe("a fiscal day", () => {
  const trade = async (): Promise<void> => {
    const first = await bench.sell();
    await bench.sell(BASKET);
    await bench.reverse(first);
    await bench.done("cash_in", { amount: 20 }, { success: true, data: {} });
  };

  test("shows the exact sums of its receipts, which agree with its Z report", async () => {
    await trade();
    await bench.report("x_report", { ...AGREEING, totals: { ...AGREEING.totals, gross: 99 } });
    await bench.report("z_report", AGREEING);
    const stored = {
      ...{ receiptCount: 2, reversalCount: 1, refundCount: 0 },
      totals: { gross: 11, reversals: 3, refunds: 0, net: 8 },
      vat: [
        { group: "VAT1", turnover: 5.67, reversals: 3, refunds: 0 },
        { group: "VAT2", turnover: 5.33, reversals: 0, refunds: 0 },
      ],
      payments: [
        { method: "cash", amount: 6, reversals: 3, refunds: 0 },
        { method: "card", amount: 5, reversals: 0, refunds: 0 },
      ],
    };
    const difference = {
      ...{ receiptCount: 0, reversalCount: 0, totals: { gross: 0, reversals: 0 } },
      vat: [
        { group: "VAT1", turnover: 0 },
        { group: "VAT2", turnover: 0 },
      ],
      payments: [
        { method: "cash", amount: 0 },
        { method: "card", amount: 0 },
      ],
    };
    const [, report] = await bench.reports();
    const row = await rowOf("2026-01-15");
    expect(row).toMatchObject({
      ...{ deviceId: bench.deviceId, locationId: "shop", timezone: "Europe/Sofia" },
      ...{ from: "2026-01-14T22:00:00.000Z", to: "2026-01-15T22:00:00.000Z", currency: "RON" },
      ...{ stored, difference, balanced: true },
    });
    expect(row.fiscalDays).toHaveLength(1);
    expect(row.fiscalDays[0]).toMatchObject({ stored, difference, balanced: true });
    expect(row.fiscalDays[0]?.report).toEqual(report as never);
  });

  test.each([
    ["in which its printer holds it", [2, 6], [6, 2]],
    ["that were sent where the printer's do not pay it", [2, 5], [3, 5]],
  ])("counts a receipt in the tenders %s", async (_which, [card, cash], [inCash, byCard]) => {
    const payments = [
      { method: "card", amount: card },
      { method: "cash", amount: cash },
    ];
    const data = { receiptNumber: "7", totalAmount: 8, change: 0, payments };
    await bench.done("print_receipt", BASKET, { success: true, fiscalId: "7", data });
    expect((await rowOf("2026-01-15")).stored.payments).toMatchObject([
      { method: "cash", amount: inCash },
      { method: "card", amount: byCard },
    ]);
  });

  test("tells a Z report in the currency of its time, also without a receipt", async () => {
    await bench.report("z_report", AGREEING);
    bench.setCurrency("EUR");
    const [report] = await bench.reports();
    expect(report?.currency).toBe("RON");
    expect(await rowOf("2026-01-15")).toMatchObject({
      ...{ currency: "RON", stored: { receiptCount: 0 } },
      fiscalDays: [{ currency: "RON", report: { currency: "RON" } }],
    });
    expect(await rowOf("2026-01-16")).toMatchObject({ currency: "EUR", fiscalDays: [] });
  });

  test("adds no currency to another, and compares nothing where both were sold in", async () => {
    await bench.sell();
    bench.setCurrency("EUR");
    await bench.sell(BASKET);
    const euros = { receiptCount: 1, totals: { gross: 8 } };
    const lei = { currency: "RON", receiptCount: 1, totals: { gross: 3 } };
    const apart = { currency: "EUR", stored: euros, otherCurrencies: [lei] };
    expect(await rowOf("2026-01-15")).toMatchObject(apart);
    await bench.report("z_report", AGREEING);
    const compared = { ...apart, difference: null, balanced: null };
    expect(await rowOf("2026-01-15")).toMatchObject({ ...compared, fiscalDays: [compared] });
    await bench.sell();
    expect(await rowOf("2026-01-15")).toMatchObject({
      ...{ currency: "EUR", stored: { receiptCount: 2 }, difference: null },
      fiscalDays: [compared, { currency: "EUR", stored: { receiptCount: 1 }, otherCurrencies: [] }],
    });
  });

  test("shows what was rung up at the printer itself", async () => {
    await trade();
    await bench.report("z_report", {
      ...AGREEING,
      ...{ receiptCount: 3, totals: { ...AGREEING.totals, gross: 13.5 } },
      vat: [...AGREEING.vat, { group: "VAT4", rate: 0, turnover: 2.5, tax: null }],
      payments: [{ method: "cash", amount: 8.5 }],
    });
    expect(await rowOf("2026-01-15")).toMatchObject({
      balanced: false,
      difference: {
        ...{ receiptCount: 1, reversalCount: 0, totals: { gross: 2.5, reversals: 0 } },
        vat: [{ turnover: 0 }, { turnover: 0 }, { group: "VAT4", turnover: 2.5 }],
        payments: [
          { method: "cash", amount: 2.5 },
          { method: "card", amount: -5 },
        ],
      },
    });
  });

  test("shows that the device told less than there is", async () => {
    await trade();
    await bench.report("z_report", { ...AGREEING, totals: { ...AGREEING.totals, reversals: 0 } });
    expect(await rowOf("2026-01-15")).toMatchObject({
      balanced: false,
      difference: { totals: { gross: 0, reversals: -3 } },
    });
  });

  test("is not compared where nobody knows the figures", async () => {
    await trade();
    const id = await bench.queued("z_report", {});
    await bench.marked(id, "baseline", {});
    await bench.marked(id, "committing");
    await bench.finish(id, UNKNOWN);
    await bench.till.post(`${COMMANDS}/${id}/resolve`, { outcome: "printed" });
    await bench.atRest();
    const nothing = { receiptCount: null, reversalCount: null, vat: null, payments: null };
    expect(await rowOf("2026-01-15")).toMatchObject({
      balanced: null,
      difference: { ...nothing, totals: { gross: null, reversals: null } },
      stored: { totals: { gross: 11 } },
    });
  });
});

describe("a date", () => {
  const z = (reportNumber: number, gross: number) =>
    bench.report("z_report", { reportNumber, totals: { gross } });

  test("may have several Z reports, and receipts behind the last one", async () => {
    await bench.sell();
    await z(1, 3);
    await z(2, 0);
    await bench.sell();
    await bench.sell();
    await z(3, 7);
    await bench.sell(BASKET);
    const row = await rowOf("2026-01-15");
    expect(daysOf(row)).toEqual([
      { number: 1, gross: 3, balanced: true },
      { number: 2, gross: 0, balanced: true },
      { number: 3, gross: 6, balanced: false },
      { number: null, gross: 8, balanced: null },
    ]);
    expect(row).toMatchObject({
      ...{ stored: { receiptCount: 4, totals: { gross: 17 } }, balanced: false },
      difference: { totals: { gross: 1, reversals: null }, receiptCount: null },
    });
    expect(row.fiscalDays.at(-1)).toMatchObject({ report: null, difference: null });
  });

  test("does not agree where one Z report has too much and another too little", async () => {
    await bench.sell();
    await z(1, 5);
    await bench.sell();
    await z(2, 1);
    const row = await rowOf("2026-01-15");
    expect(daysOf(row).map(({ balanced }) => balanced)).toEqual([false, false]);
    expect(row).toMatchObject({ difference: { totals: { gross: 0 } }, balanced: false });
  });

  test("may have receipts and no Z report", async () => {
    await bench.sell();
    const row = await rowOf("2026-01-15");
    expect(daysOf(row)).toEqual([{ number: null, gross: 3, balanced: null }]);
    expect(row).toMatchObject({ difference: null, balanced: null });
  });

  test("may have nothing", async () => {
    expect(await rowOf("2026-01-15")).toMatchObject({
      ...{ fiscalDays: [], difference: null, balanced: null },
      stored: { receiptCount: 0, totals: { gross: 0, net: 0 }, vat: [], payments: [] },
    });
  });

  test("has the whole fiscal day that a Z report closed on it, from before midnight too", async () => {
    bench.setClock("2026-01-15T21:00:00Z");
    await bench.sell();
    bench.setClock("2026-01-15T23:00:00Z");
    await bench.sell(BASKET);
    await z(1, 11);
    await bench.sell();
    expect(daysOf(await rowOf("2026-01-15"))).toEqual([{ number: null, gross: 3, balanced: null }]);
    expect(daysOf(await rowOf("2026-01-16"))).toEqual([
      { number: 1, gross: 11, balanced: true },
      { number: null, gross: 3, balanced: null },
    ]);
    expect(daysOf(await rowOf("2026-01-17"))).toEqual([]);
  });

  test("has a Z report of the evening that was found out the next morning", async () => {
    bench.setClock("2026-01-15T18:00:00Z");
    await bench.sell();
    const id = await bench.queued("z_report", {});
    await bench.marked(id, "baseline", {});
    await bench.marked(id, "committing");
    bench.setClock("2026-01-16T06:00:00Z");
    const data = { reportNumber: 1, type: "z_report", recovered: true };
    await bench.finish(id, { success: true, data });
    await bench.sell(BASKET);
    expect(daysOf(await rowOf("2026-01-15"))).toEqual([{ number: 1, gross: 3, balanced: null }]);
    expect(daysOf(await rowOf("2026-01-16"))).toEqual([{ number: null, gross: 8, balanced: null }]);
    // Whoever has the report finds its date.
    const [report] = await bench.reports();
    expect(report).toMatchObject({ date: "2026-01-15", bookedAt: "2026-01-15T18:00:00.000Z" });
    expect((await rowOf("2026-01-15")).fiscalDays[0]?.report).toEqual(report as never);
  });

  test.each([
    ["2026-03-29", "2026-03-28T22:00:00.000Z", "2026-03-29T21:00:00.000Z"],
    ["2026-10-25", "2026-10-24T21:00:00.000Z", "2026-10-25T22:00:00.000Z"],
  ])("on which clocks are moved ends when its day ends: %s", async (date, from, to) => {
    const moved = (instant: string, by: number) => Date.parse(instant) + by;
    await bench.store(
      ...[moved(from, -1), moved(from, 0), moved(to, -1), moved(to, 0)].map((issuedAt) => ({
        issuedAt,
      })),
    );
    const row = await rowOf(date);
    expect(row).toMatchObject({ from, to, stored: { receiptCount: 2 } });
  });

  test("takes a receipt that came later by when it was issued", async () => {
    await bench.sell();
    await z(1, 4);
    bench.setClock("2026-01-17T10:00:00Z");
    await bench.store({ issuedAt: Date.parse("2026-01-15T09:59:59Z") });
    expect(daysOf(await rowOf("2026-01-15"))).toEqual([{ number: 1, gross: 4, balanced: true }]);
    expect(daysOf(await rowOf("2026-01-17"))).toEqual([]);
  });

  test("counts refunds apart, which no printer knows of", async () => {
    await bench.sell();
    await bench.store({ type: "refund", issuedAt: bench.clock.now() - 1 });
    await z(1, 3);
    expect(await rowOf("2026-01-15")).toMatchObject({
      balanced: true,
      stored: { refundCount: 1, totals: { gross: 3, refunds: 1, net: 2 } },
    });
  });

  test("reads no receipts but its own, and those exactly, however many", async () => {
    const many = 2 * SLICE_ROWS;
    const at = Date.parse("2026-01-15T10:00:00Z");
    // More than one slice at one instant, and to read those around it would be an error.
    await bench.store(...Array.from({ length: many }, () => ({ issuedAt: at })));
    const outside = ["2026-01-14T21:59:59.999Z", "2026-01-15T22:00:00Z", "2024-01-01T10:00:00Z"];
    await bench.store(...outside.map((text) => ({ issuedAt: Date.parse(text) })));
    bench.database.sqlite
      .prepare("UPDATE receipts SET items = 'no JSON' WHERE issued_at <> ?")
      .run(at);
    expect(await rowOf("2026-01-15")).toMatchObject({
      stored: { receiptCount: many, totals: { gross: many }, vat: [{ turnover: many }] },
    });
  });

  test("goes back for its receipts by a month at most", async () => {
    const end = Date.parse("2026-01-15T10:00:00Z");
    const MONTH_MS = 31 * 86_400_000;
    await bench.store({ issuedAt: end - MONTH_MS - 1 }, { issuedAt: end - MONTH_MS });
    await z(1, 1);
    expect(daysOf(await rowOf("2026-01-15"))).toEqual([{ number: 1, gross: 1, balanced: true }]);
  });

  test("is today where none is named, by the clocks of the shop", async () => {
    bench.setClock("2026-01-15T22:30:00Z");
    const caller = bench.office;
    expect((await caller.get(DAILY)).body).toMatchObject({ date: "2026-01-16" });
  });
});

describe("devices", () => {
  test("have a row each, in the order of their registration", async () => {
    const second = await bench.addDevice("Second till");
    await bench.sell(SALE, second);
    const rows = await rowsOf("2026-01-15");
    expect(rows.map(({ deviceId, stored }) => [deviceId, stored.totals.gross])).toEqual([
      [bench.deviceId, 0],
      [second, 3],
    ]);
    expect(await rowsOf("2026-01-15", second)).toHaveLength(1);
  });

  test("that were removed have one where something is of them", async () => {
    const second = await bench.addDevice("Second till");
    await bench.sell(SALE, second);
    await bench.owner.delete(`/api/v1/devices/${second}`);
    expect((await rowsOf("2026-01-15")).map(({ deviceId }) => deviceId)).toContain(second);
    expect((await rowsOf("2026-01-16")).map(({ deviceId }) => deviceId)).not.toContain(second);
    expect(await rowOf("2026-01-16", second)).toMatchObject({ locationId: null, fiscalDays: [] });
  });

  test("of nobody and of others are not found", async () => {
    const other = await bench.otherShop();
    await bench.store({ orgId: other.orgId, deviceId: other.deviceId, issuedAt: 1 });
    for (const deviceId of ["dev_none", other.deviceId]) {
      const answer = await bench.office.get(`${DAILY}?date=2026-01-15&deviceId=${deviceId}`);
      expect(answer.refusal).toBe("404 NOT_FOUND");
    }
    expect((await other.client.get(`${DAILY}?date=2026-01-15`)).body).toMatchObject({
      devices: [{ deviceId: other.deviceId }],
    });
  });
});

test.each([
  ["date=2026-02-30", "date"],
  ["date=today", "date"],
  ["date=", "date"],
  ["date=2026-01-15T10:00:00Z", "date"],
  ["date=9999-12-31", "date"],
  ["date=2026-01-15&date=2026-01-16", "date"],
  ["deviceId=", "deviceId"],
])("refuses %s by its name", async (asked, path) => {
  const answer = await bench.office.get(`${DAILY}?${asked}`);
  expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", [path]]);
});
