/** `GET /reports/summary`: sums for charts. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { SALE } from "../commands/testing/commands-bench.ts";
import { SummaryAnswer } from "./schema.ts";
import { createReportsBench, REPORTS, type ReportsBench } from "./testing/reports-bench.ts";

const SUMMARY = `${REPORTS}/summary`;
const DAY_MS = 86_400_000;

let bench: ReportsBench;
beforeEach(async () => {
  bench = await createReportsBench();
  bench.setTimezone("Europe/Sofia");
});
afterEach(() => bench.close());

const summary = async (from: string, to: string, more: string) =>
  bench.told(`${SUMMARY}?from=${from}&to=${to}&${more}`, SummaryAnswer);
/** Keys with the sum of sales; those without any are left out. */
const sold = ({ buckets }: Awaited<ReturnType<typeof summary>>) =>
  buckets.flatMap(({ key, gross, receiptCount }) => (receiptCount === 0 ? [] : [[key, gross]]));
const at = (text: string) => ({ issuedAt: Date.parse(text) });

describe("by day", () => {
  test("begins days by the clocks of the organization, and shows empty ones", async () => {
    await bench.store(at("2026-01-15T21:59:59.999Z"), at("2026-01-15T22:00:00Z"));
    await bench.store(at("2026-01-17T10:00:00Z"));
    const answer = await summary("2026-01-14T22:00:00Z", "2026-01-18T22:00:00Z", "by=day");
    expect(answer.timezone).toBe("Europe/Sofia");
    expect(answer.buckets.map(({ key, gross }) => [key, gross])).toEqual([
      ["2026-01-15", 1],
      ["2026-01-16", 1],
      ["2026-01-17", 1],
      ["2026-01-18", 0],
    ]);
    expect(answer.buckets[1]).toMatchObject({
      from: "2026-01-15T22:00:00.000Z",
      to: "2026-01-16T22:00:00.000Z",
    });
  });

  test("is what is asked for when nothing is said", async () => {
    const answer = await summary("2026-01-15T10:00:00Z", "2026-01-15T11:00:00Z", "");
    expect(answer.by).toBe("day");
    expect(answer.buckets).toMatchObject([{ key: "2026-01-15", receiptCount: 0, net: 0 }]);
  });

  test("takes in the first instant of its span and leaves out the last", async () => {
    const [from, to] = ["2026-01-15T10:00:00.000Z", "2026-01-15T11:00:00.000Z"];
    const instants = [Date.parse(from) - 1, Date.parse(from), Date.parse(to) - 1, Date.parse(to)];
    await bench.store(...instants.map((issuedAt) => ({ issuedAt })));
    expect((await summary(from, to, "by=day")).totals).toMatchObject([{ receiptCount: 2 }]);
  });
});

describe("by hour", () => {
  test.each([
    ["2026-03-28T22:00:00Z", "2026-03-29T21:00:00Z", 23],
    ["2026-10-24T21:00:00Z", "2026-10-25T22:00:00Z", 25],
    ["2026-01-14T22:00:00Z", "2026-01-15T22:00:00Z", 24],
  ])("the day from %s to %s has %p hours", async (from, to, hours) => {
    const instants = Array.from(
      { length: hours },
      (_, hour) => Date.parse(from) + hour * 3_600_000,
    );
    await bench.store(...instants.map((issuedAt) => ({ issuedAt })));
    const { buckets } = await summary(from, to, "by=hour");
    expect(buckets).toHaveLength(hours);
    expect(buckets.every(({ receiptCount }) => receiptCount === 1)).toBe(true);
    expect(new Set(buckets.map(({ key }) => key)).size).toBe(hours);
  });

  test("tells both passes of the hour that comes twice", async () => {
    await bench.store(at("2026-10-25T00:30:00Z"), at("2026-10-25T01:30:00Z"));
    const answer = await summary("2026-10-24T21:00:00Z", "2026-10-25T22:00:00Z", "by=hour");
    expect(sold(answer)).toEqual([
      ["2026-10-25T03:00+03:00", 1],
      ["2026-10-25T03:00+02:00", 1],
    ]);
  });
});

describe("by its parts", () => {
  const [FROM, TO] = ["2026-01-15T00:00:00Z", "2026-01-16T00:00:00Z"];

  test("a tender has what was paid by it, in the order of the tenders", async () => {
    await bench.store({ ...at("2026-01-15T09:00:00Z") });
    await bench.reverse(await bench.sell());
    const answer = await summary(FROM, TO, "by=payment");
    expect(answer.buckets).toMatchObject([
      { key: "cash", receiptCount: 1, gross: 3, reversalCount: 1, reversals: 3, net: 0 },
      { key: "card", receiptCount: 1, gross: 1, reversals: 0, net: 1 },
    ]);
    expect(answer.totals).toMatchObject([{ receiptCount: 2, gross: 4, reversals: 3, net: 1 }]);
  });

  test("a VAT group has its share, of adjustments too", async () => {
    await bench.sell({
      items: [
        { name: "Wine", quantity: 1, price: 10, vatGroup: "exempt" },
        { name: "Bread", quantity: 1, price: 0.05, vatGroup: "VAT10" },
        { name: "Tea", quantity: 1, price: 5, vatGroup: "VAT2" },
      ],
      subtotalModifiers: [{ type: "surcharge-amount", value: 1.01 }],
      payments: [{ method: "cash", amount: 16.06 }],
    });
    const answer = await summary(FROM, TO, "by=vat");
    expect(sold(answer)).toEqual([
      ["VAT2", 5.34],
      ["VAT10", 0.05],
      ["exempt", 10.67],
    ]);
    expect(answer.totals).toMatchObject([{ receiptCount: 1, gross: 16.06 }]);
  });

  test("a device has its receipts, also one that was removed", async () => {
    const [second, third] = [await bench.addDevice("Second"), await bench.addDevice("Third")];
    await bench.sell(SALE, second);
    await bench.sell(SALE, second);
    await bench.owner.delete(`/api/v1/devices/${second}`);
    const { buckets } = await summary(FROM, TO, "by=device");
    expect(buckets.map(({ key, gross }) => [key, gross])).toEqual([
      [bench.deviceId, 0],
      [third, 0],
      [second, 6],
    ]);
    const one = await summary(FROM, TO, `by=device&deviceId=${second}`);
    expect(sold(one)).toEqual([[second ?? "", 6]]);
    expect((await summary(FROM, TO, `deviceId=${third}`)).totals).toMatchObject([{ gross: 0 }]);
  });

  test.each(["hour", "day", "payment", "vat", "device"])(
    "never adds one currency to another, by %s",
    async (by) => {
      await bench.store(at("2026-01-15T09:00:00Z"));
      await bench.store({ ...at("2026-01-15T09:30:00Z"), currency: "EUR", totalMinor: 100 });
      const { buckets, totals } = await summary(FROM, TO, `by=${by}`);
      expect(totals).toMatchObject([
        { currency: "RON", gross: 1 },
        { currency: "EUR", gross: 1 },
      ]);
      const filled = buckets.filter(({ receiptCount }) => receiptCount > 0);
      expect(filled).toMatchObject([
        { currency: "RON", receiptCount: 1, gross: 1 },
        { currency: "EUR", receiptCount: 1, gross: 1 },
      ]);
      expect(filled[0]?.key).toBe(filled[1]?.key ?? "");
    },
  );
});

test("stays exact where numbers with a point would not", async () => {
  const receipts = Array.from({ length: 1_001 }, (_, index) => ({
    ...at("2026-01-15T09:00:00Z"),
    totalMinor: 9_999_999_999 - index * 3,
  }));
  await bench.store(...receipts);
  const exact = receipts.reduce((sum, { totalMinor }) => sum + BigInt(totalMinor), 0n);
  const { totals } = await summary("2026-01-15T00:00:00Z", "2026-01-16T00:00:00Z", "by=day");
  expect(totals).toMatchObject([{ receiptCount: 1_001, gross: Number(exact) / 100 }]);
});

describe("a span", () => {
  const from = "2026-01-01T00:00:00.000Z";
  const end = (days: number) => new Date(Date.parse(from) + days * DAY_MS).toISOString();
  const asked = (query: string) => bench.office.get(`${SUMMARY}?${query}`);

  test.each([
    ["hour", 31],
    ["day", 366],
    ["payment", 366],
    ["vat", 366],
    ["device", 366],
  ])("by %s may be of %p days, and no more", async (by, days) => {
    expect((await asked(`from=${from}&to=${end(days)}&by=${by}`)).status).toBe(200);
    // One hour more is for clocks that are put back.
    const most = new Date(Date.parse(end(days)) + 3_600_000).toISOString();
    const beyond = new Date(Date.parse(most) + 1).toISOString();
    expect((await asked(`from=${from}&to=${most}&by=${by}`)).status).toBe(200);
    const refused = await asked(`from=${from}&to=${beyond}&by=${by}`);
    expect([refused.refusal, refused.issuePaths]).toEqual(["400 VALIDATION_ERROR", ["to"]]);
  });

  test("without length has nothing in it", async () => {
    expect((await asked(`from=${from}&to=${from}`)).body).toMatchObject({ buckets: [] });
  });

  test.each([
    ["", ["from", "to"]],
    [`to=${from}`, ["from"]],
    [`from=${from}`, ["to"]],
    [`from=${from}&to=2025-12-31T23:59:59Z`, ["from"]],
    [`from=${from}&to=2026-01-02`, ["to"]],
    ["from=9999-12-30T00:00:00Z&to=9999-12-31T23:59:59Z", ["from", "to"]],
    ["from=1969-12-30T00:00:00Z&to=1970-01-02T00:00:00Z", ["from"]],
    [`from=${from}&to=${from}&by=month`, ["by"]],
    [`from=${from}&to=${from}&deviceId=`, ["deviceId"]],
  ])("%p is refused by name", async (query, paths) => {
    const answer = await asked(query);
    expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", paths]);
  });

  test("of a device of nobody or of others is not found", async () => {
    const other = await bench.otherShop();
    for (const deviceId of ["dev_none", other.deviceId]) {
      const answer = await asked(`from=${from}&to=${end(1)}&deviceId=${deviceId}`);
      expect(answer.refusal).toBe("404 NOT_FOUND");
    }
  });
});
