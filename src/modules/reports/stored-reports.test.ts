/** What X and Z reports leave behind, however they ended. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { rejection } from "../../platform/testing/rejection.ts";
import { COMMANDS, UNKNOWN } from "../commands/testing/commands-bench.ts";
import { createReportsBench, FIGURES, type ReportsBench } from "./testing/reports-bench.ts";

const NOW = "2026-01-15T10:00:00.000Z";
const MINUTE_MS = 60_000;
/** A report of which nothing is known but that it was made. */
const UNTOLD = {
  ...{ reportNumber: null, receiptCount: null, reversalCount: null, vat: null, payments: null },
  totals: { gross: null, reversals: null, cashIn: null, cashOut: null, cashBalance: null },
  ...{ openedAt: null, closedAt: null },
};

let bench: ReportsBench;
beforeEach(async () => {
  bench = await createReportsBench();
});
afterEach(() => bench.close());

const generated = () =>
  bench.events.flatMap((event) => (event.type === "report.generated" ? [event.report] : []));

describe.each(["x_report", "z_report"] as const)("%s", (type) => {
  test("that is completed is stored with all that the device told, and is an event", async () => {
    const commandId = await bench.report(type);
    const [report, ...others] = await bench.reports();
    expect(others).toEqual([]);
    expect(report).toEqual({
      ...FIGURES,
      type,
      id: expect.stringMatching(/^rpt_[0-9A-HJKMNP-TV-Z]{26}$/),
      ...{ orgId: bench.orgId, deviceId: bench.deviceId, locationId: "shop", commandId },
      vat: [...FIGURES.vat],
      payments: [...FIGURES.payments],
      closedAt: "2026-01-15T19:59:58.000Z",
      currency: "RON",
      ...{ bookedAt: NOW, date: "2026-01-15", createdAt: NOW },
      simulated: false,
    });
    expect(generated()).toMatchObject([{ id: report?.id, type, totals: { grossMinor: 300 } }]);
    expect(await bench.get(report?.id ?? "")).toEqual(report as never);
  });

  test("that failed leaves nothing", async () => {
    await bench.done(type, {}, { success: false, errorCode: "E305", data: {} });
    expect(await bench.reports()).toEqual([]);
    expect(generated()).toEqual([]);
  });

  test("is stored once when its result comes twice", async () => {
    const id = await bench.report(type);
    await bench.finish(id, { success: true, data: { ...FIGURES, type } });
    expect(await bench.reports()).toHaveLength(1);
  });

  test("is stored with the command or not at all", async () => {
    const id = await bench.queued(type, {});
    bench.database.sqlite.exec(
      "CREATE TRIGGER full BEFORE INSERT ON reports BEGIN SELECT RAISE(ABORT, 'full'); END",
    );
    expect((await rejection(bench.finish(id, { success: true, data: FIGURES }))).message).toContain(
      "full",
    );
    expect((await bench.till.get(`${COMMANDS}/${id}`)).body).toMatchObject({
      command: { finishedAt: null, result: null },
    });
    expect(generated()).toEqual([]);
  });
});

test("a value that no device may tell is as good as not told", async () => {
  await bench.report("z_report", {
    ...FIGURES,
    reportNumber: -1,
    totals: { ...FIGURES.totals, gross: 1.005, reversals: "3" },
    vat: [...FIGURES.vat, { group: "VAT1", rate: 20, turnover: 0.001, tax: null }],
    payments: [{ method: "barter", amount: 3 }],
    closedAt: "yesterday",
  });
  const { totals } = FIGURES;
  expect(await bench.reports()).toMatchObject([
    {
      ...{ reportNumber: null, vat: null, payments: null, closedAt: null },
      totals: { ...totals, gross: null, reversals: null },
    },
  ]);
});

describe("a Z report in doubt", () => {
  const inDoubt = async (): Promise<string> => {
    const id = await bench.queued("z_report", {});
    await bench.marked(id, "baseline", { zNumber: 11 });
    await bench.marked(id, "committing");
    return id;
  };

  test("that was found out later is stored with what the device still told", async () => {
    const id = await inDoubt();
    await bench.finish(id, {
      success: true,
      data: { ...UNTOLD, type: "z_report", reportNumber: 12, recovered: true },
    });
    expect(await bench.reports()).toMatchObject([{ ...UNTOLD, reportNumber: 12, commandId: id }]);
    expect(generated()).toHaveLength(1);
  });

  test("is stored when a person says that it was printed, with the number of the paper", async () => {
    const id = await inDoubt();
    await bench.finish(id, UNKNOWN);
    expect(await bench.reports()).toEqual([]);
    await bench.resolve(id, { outcome: "printed", fiscalId: "12" });
    await bench.atRest();
    const known = { ...UNTOLD, type: "z_report", reportNumber: 12, commandId: id };
    expect(await bench.reports()).toMatchObject([known]);
    expect(generated()).toHaveLength(1);
  });

  test("is stored when a person says so of a device that cannot be asked", async () => {
    const id = await inDoubt();
    bench.queue.lineLost(bench.deviceId);
    await bench.clock.advanceAsync(MINUTE_MS);
    await bench.resolve(id, { outcome: "printed" });
    await bench.atRest();
    expect(await bench.reports()).toMatchObject([{ ...UNTOLD, commandId: id }]);
    expect(generated()).toHaveLength(1);
  });

  test("leaves nothing when a person says that it was not printed", async () => {
    const id = await inDoubt();
    await bench.finish(id, UNKNOWN);
    await bench.resolve(id, { outcome: "not_printed", fiscalId: "12" });
    expect(await bench.reports()).toEqual([]);
    expect(generated()).toEqual([]);
  });
});
