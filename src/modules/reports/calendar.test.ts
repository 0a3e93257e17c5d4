/** `GET /reports/calendar`: a month of a device. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { SLICE_ROWS } from "./books.ts";
import { CalendarAnswer, DailyAnswer } from "./schema.ts";
import {
  createReportsBench,
  FIGURES,
  REPORTS,
  type ReportsBench,
} from "./testing/reports-bench.ts";

const CALENDAR = `${REPORTS}/calendar`;

let bench: ReportsBench;
beforeEach(async () => {
  bench = await createReportsBench();
  bench.setTimezone("Europe/Sofia");
});
afterEach(() => bench.close());

const monthOf = (query = "month=2026-01", deviceId = bench.deviceId) =>
  bench.told(`${CALENDAR}?${query}&deviceId=${deviceId}`, CalendarAnswer);
type Month = Awaited<ReturnType<typeof monthOf>>;

function dayOf({ days }: Month, date: string) {
  const found = days.find((one) => one.date === date);
  if (found === undefined) throw new Error(`no ${date}`);
  return found;
}
/** A Z report that tells of so many sales of `SALE`. */
const zReport = (receiptCount: number, reportNumber = 1) =>
  bench.report("z_report", {
    ...{ ...FIGURES, receiptCount, reportNumber },
    totals: { ...FIGURES.totals, gross: 3 * receiptCount },
  });
const at = (text: string) => ({ issuedAt: Date.parse(text) });

describe("a month", () => {
  test("has each date by the clocks of the place, and its sums", async () => {
    await bench.store(at("2026-03-28T22:00:00Z"), at("2026-03-29T20:59:59.999Z"));
    await bench.store(at("2026-03-29T21:00:00Z"), {
      ...at("2026-03-30T10:00:00Z"),
      currency: "EUR",
    });
    await bench.store(at("2026-02-28T21:59:59.999Z"), at("2026-03-31T21:00:00Z"));
    const month = await monthOf("month=2026-03");
    expect(month).toMatchObject({
      ...{ deviceId: bench.deviceId, month: "2026-03", timezone: "Europe/Sofia" },
      ...{ from: "2026-02-28T22:00:00.000Z", to: "2026-03-31T21:00:00.000Z" },
    });
    expect(month.days).toHaveLength(31);
    expect(month.totals.map(({ currency, net }) => [currency, net])).toEqual([
      ["RON", 3],
      ["EUR", 1],
    ]);
    expect(dayOf(month, "2026-03-29")).toMatchObject({
      ...{ from: "2026-03-28T22:00:00.000Z", to: "2026-03-29T21:00:00.000Z" },
      sums: [{ currency: "RON", receiptCount: 2, gross: 2, net: 2 }],
    });
    expect(dayOf(month, "2026-03-30").sums.map(({ currency }) => currency)).toEqual(["RON", "EUR"]);
    expect(dayOf(month, "2026-03-01").sums).toMatchObject([{ currency: "RON", receiptCount: 0 }]);
  });

  test("is the current one unless another is named", async () => {
    bench.setClock("2026-01-31T22:30:00Z");
    expect((await monthOf("")).month).toBe("2026-02");
  });

  test.each([
    ["2026-02", 28],
    ["2028-02", 29],
    ["2026-12", 31],
  ])("%s has %i dates", async (month, count) => {
    const { days } = await monthOf(`month=${month}`);
    expect(days).toHaveLength(count);
    expect(days.at(-1)?.date).toBe(`${month}-${count}`);
  });

  test("is read on through all its receipts", async () => {
    const count = SLICE_ROWS * 2 + 1;
    const start = Date.parse("2026-01-10T08:00:00Z");
    await bench.store(
      ...Array.from({ length: count }, (_, index) => ({ issuedAt: start + index })),
    );
    expect(dayOf(await monthOf(), "2026-01-10")).toMatchObject({
      ...{ sums: [{ receiptCount: count }], openCount: count, missing: true },
    });
  });
});

describe("a Z report", () => {
  test("stands on the date on which it was made, beside all that it closed", async () => {
    bench.setClock("2026-01-15T20:00:00Z");
    await bench.sell();
    bench.setClock("2026-01-15T22:30:00Z");
    await bench.sell();
    await zReport(2, 7);
    await bench.sell();
    bench.setClock("2026-01-16T22:00:00Z");
    const month = await monthOf();
    const [report] = await bench.reports();
    expect(dayOf(month, "2026-01-15")).toMatchObject({ reports: [], openCount: 1, missing: true });
    expect(dayOf(month, "2026-01-16")).toMatchObject({
      sums: [{ receiptCount: 2, gross: 6 }],
      reports: [
        {
          ...{ reportId: report?.id, reportNumber: 7, at: "2026-01-15T22:30:00.000Z" },
          difference: { receiptCount: 0, reversalCount: 0, totals: { gross: 0, reversals: 0 } },
          balanced: true,
        },
      ],
      ...{ openCount: 1, missing: false },
    });
  });

  test("shows what was rung up at the printer itself, each of several of a date its own", async () => {
    bench.setClock("2026-01-15T10:00:00Z");
    await bench.sell();
    await zReport(1, 1);
    await bench.sell();
    await zReport(3, 2);
    const { reports, openCount } = dayOf(await monthOf(), "2026-01-15");
    expect(openCount).toBe(0);
    expect(
      reports.map(({ reportNumber, difference, balanced }) => [
        ...[reportNumber, difference.receiptCount, difference.totals.gross, balanced],
      ]),
    ).toEqual([
      [1, 0, 0, true],
      [2, 2, 6, false],
    ]);
  });

  test("is compared with nothing where its day has receipts of two currencies", async () => {
    bench.setClock("2026-01-15T10:00:00Z");
    await bench.sell();
    await zReport(1, 1);
    await bench.sell();
    bench.setCurrency("EUR");
    await bench.sell();
    await zReport(1, 2);
    await bench.sell();
    await zReport(2, 3);
    const nothing = { gross: null, reversals: null };
    expect(dayOf(await monthOf(), "2026-01-15").reports).toMatchObject([
      { reportNumber: 1, balanced: true },
      {
        ...{ reportNumber: 2, balanced: null },
        difference: { receiptCount: null, reversalCount: null, totals: nothing },
      },
      { reportNumber: 3, balanced: false, difference: { receiptCount: 1, totals: { gross: 3 } } },
    ]);
    const daily = await bench.told(
      `${REPORTS}/daily?date=2026-01-15&deviceId=${bench.deviceId}`,
      DailyAnswer,
    );
    const balances = daily.devices.flatMap(({ fiscalDays }) =>
      fiscalDays.map((day) => day.balanced),
    );
    expect(balances).toEqual([true, null, false]);
  });

  test("tells the numbers of those before it that are not stored, here and beside its date", async () => {
    bench.setClock("2026-01-14T10:00:00Z");
    await zReport(0, 3);
    bench.setClock("2026-01-15T10:00:00Z");
    await zReport(0, 4);
    await zReport(0, 6);
    await zReport(0, 9);
    // A new fiscal memory begins anew.
    await zReport(0, 1);
    await zReport(0, 2);
    const unseen = [null, { first: 5, last: 5 }, { first: 7, last: 8 }, null, null];
    const { reports } = dayOf(await monthOf(), "2026-01-15");
    expect(reports.map(({ unseenReports }) => unseenReports)).toEqual(unseen);
    const daily = await bench.told(`${REPORTS}/daily?date=2026-01-15`, DailyAnswer);
    const days = daily.devices.flatMap(({ fiscalDays }) => fiscalDays);
    expect(days.map(({ unseenReports }) => unseenReports)).toEqual(unseen);
  });

  test("tells of none before it where a number is not known, or the fiscal memory is another", async () => {
    bench.setClock("2026-01-15T10:00:00Z");
    const tell = (reportNumber: number | null, fiscalMemorySerialNumber = "02000600") =>
      bench.report("z_report", { ...FIGURES, reportNumber, fiscalMemorySerialNumber });
    await tell(3);
    await tell(null);
    await tell(6);
    await tell(20, "02000601");
    const { reports } = dayOf(await monthOf(), "2026-01-15");
    expect(reports.map(({ unseenReports }) => unseenReports)).toEqual([null, null, null, null]);
  });

  test("has the differences that the report of its date has", async () => {
    bench.setClock("2025-12-31T20:00:00Z");
    const original = await bench.sell();
    bench.setClock("2026-01-01T09:00:00Z");
    await bench.reverse(original);
    await zReport(2, 1);
    await bench.store({ ...at("2026-01-02T10:00:00Z"), type: "refund" });
    bench.setClock("2026-01-03T09:00:00Z");
    await bench.sell();
    await bench.report("z_report", { ...FIGURES, receiptCount: null, reversalCount: null });
    const month = await monthOf();
    for (const date of ["2026-01-01", "2026-01-03"]) {
      const path = `${REPORTS}/daily?date=${date}&deviceId=${bench.deviceId}`;
      const [row] = (await bench.told(path, DailyAnswer)).devices;
      const [day] = row?.fiscalDays ?? [];
      const { receiptCount, reversalCount, totals } = day?.difference ?? {};
      expect(dayOf(month, date).reports).toMatchObject([
        { difference: { receiptCount, reversalCount, totals }, balanced: day?.balanced },
      ]);
    }
  });

  test("looks back by 31 days at most, and into the month before", async () => {
    const [z, day] = [Date.parse("2026-02-10T10:00:00Z"), 86_400_000];
    await bench.store({ issuedAt: z - 31 * day - 1 }, { issuedAt: z - 31 * day });
    bench.setClock("2026-02-10T10:00:00Z");
    await bench.report("z_report", { ...FIGURES, receiptCount: 1 });
    const month = await monthOf("month=2026-02");
    expect(dayOf(month, "2026-02-10").reports).toMatchObject([{ difference: { receiptCount: 0 } }]);
    expect(month.totals).toMatchObject([{ receiptCount: 0 }]);
  });

  test("at the end of a month with an hour more does not reach its beginning", async () => {
    await bench.store(at("2026-09-30T21:29:59Z"), at("2026-09-30T21:30:00Z"));
    bench.setClock("2026-10-31T21:30:00Z");
    await bench.report("z_report", { ...FIGURES, receiptCount: 1 });
    const month = await monthOf("month=2026-10");
    expect(dayOf(month, "2026-10-31").reports).toMatchObject([{ difference: { receiptCount: 0 } }]);
    expect(month.totals).toMatchObject([{ receiptCount: 2 }]);
  });

  test("is not missing before its date is over, nor on one without receipts", async () => {
    bench.setClock("2026-01-15T10:00:00Z");
    await bench.sell();
    const before = await monthOf();
    expect(before.days.filter(({ missing }) => missing)).toEqual([]);
    bench.setClock("2026-01-15T22:00:00Z");
    const after = await monthOf();
    expect(after.days.filter(({ missing }) => missing).map(({ date }) => date)).toEqual([
      "2026-01-15",
    ]);
  });
});

describe("the month of a removed device", () => {
  test("has the dates of the place in which it printed last", async () => {
    const location = await bench.owner.post("/api/v1/org/locations", {
      ...{ name: "Far east", timezone: "Asia/Tokyo" },
    });
    const { id: locationId } = location.as(
      Type.Object({ location: Type.Object({ id: Type.String() }) }),
    ).location;
    const deviceId = await bench.addDevice("Second till");
    await bench.owner.patch(`/api/v1/devices/${deviceId}`, { locationId });
    const evening = at("2026-01-05T18:00:00Z");
    await bench.store({ ...evening, deviceId, locationId: null });
    await bench.store({ ...evening, deviceId, locationId, createdAt: 1 });
    const datesOf = async () => {
      const { days, timezone } = await monthOf("month=2026-01", deviceId);
      const sold = days.filter(({ sums }) => sums.some(({ receiptCount }) => receiptCount > 0));
      return [timezone, ...sold.map(({ date }) => date)];
    };
    expect(await datesOf()).toEqual(["Asia/Tokyo", "2026-01-06"]);
    expect((await bench.owner.delete(`/api/v1/devices/${deviceId}`)).status).toBe(204);
    expect(await datesOf()).toEqual(["Asia/Tokyo", "2026-01-06"]);
    const daily = await bench.told(
      `${REPORTS}/daily?date=2026-01-06&deviceId=${deviceId}`,
      DailyAnswer,
    );
    expect(daily.devices).toMatchObject([{ timezone: "Asia/Tokyo", stored: { receiptCount: 2 } }]);
  });
});

describe("whoever asks", () => {
  test("gets the month of a device that was removed", async () => {
    await bench.store({ ...at("2026-01-05T10:00:00Z"), deviceId: "dev_gone" });
    expect((await monthOf("month=2026-01", "dev_gone")).totals).toMatchObject([{ net: 1 }]);
  });

  test("for a device that is unknown, or another shop's, gets 404", async () => {
    const { deviceId } = await bench.otherShop();
    for (const id of ["dev_none", deviceId]) {
      expect((await bench.office.get(`${CALENDAR}?deviceId=${id}`)).refusal).toBe("404 NOT_FOUND");
    }
  });

  test.each([
    ["deviceId", "month=2026-01"],
    ["month", "month=2026-13&deviceId=dev_1"],
    ["month", "month=2026-1&deviceId=dev_1"],
    ["month", "month=1969-12&deviceId=dev_1"],
  ])("has to say the %s right: %s", async (path, search) => {
    const answer = await bench.office.get(`${CALENDAR}?${search}`);
    expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", [path]]);
  });
});
