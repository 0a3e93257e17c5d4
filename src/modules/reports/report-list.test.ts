/** `GET /reports` and `GET /reports/{id}`. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Scope } from "#core/access.ts";
import { ReportList } from "./schema.ts";
import { createReportsBench, REPORTS, type ReportsBench } from "./testing/reports-bench.ts";

const START = Date.UTC(2026, 0, 15, 10);
const HOUR_MS = 3_600_000;
const OTHER_SCOPES = ["receipts:admin", "commands", "devices"] as const satisfies Scope[];
const outsiders = new Map<Scope, string>();
const at = (hours: number) => new Date(START + hours * HOUR_MS).toISOString();

let bench: ReportsBench;
let second: string;
/** Numbers of the reports in the order in which they were made, an hour apart. */
const MADE = ["x 1", "z 1", "x 2", "z 2", "x 3 on the second"];
beforeAll(async () => {
  bench = await createReportsBench();
  second = await bench.addDevice("Second till");
  for (const scope of OTHER_SCOPES) outsiders.set(scope, await bench.makeKey([scope]));
  for (const made of MADE) {
    const [kind = "", number] = made.split(" ");
    const type = kind === "x" ? "x_report" : "z_report";
    const figures = { reportNumber: Number(number) };
    await bench.report(type, figures, made.endsWith("second") ? second : undefined);
    await bench.clock.advanceAsync(HOUR_MS);
  }
});
afterAll(() => bench.close());

const list = async (query: string) => {
  const page = await bench.told(`${REPORTS}?${query}`, ReportList);
  const shown = page.reports.map(({ type, reportNumber }) => `${type.charAt(0)} ${reportNumber}`);
  return { ...page, shown };
};

describe("the list of reports", () => {
  test("begins with the newest", async () => {
    const { shown, hasMore } = await list("");
    expect(shown).toEqual(["x 3", "z 2", "x 2", "z 1", "x 1"]);
    expect(hasMore).toBe(false);
  });

  test.each([
    ["type=z_report", ["z 2", "z 1"]],
    ["type=x_report", ["x 3", "x 2", "x 1"]],
    [`from=${at(1)}&to=${at(3)}`, ["x 2", "z 1"]],
    [`type=z_report&from=${at(2)}`, ["z 2"]],
    ["deviceId=dev_none", []],
  ])("filters by %s", async (query, expected) => {
    expect((await list(query)).shown).toEqual(expected);
  });

  test("filters by device, also together with a type", async () => {
    expect((await list(`deviceId=${second}`)).shown).toEqual(["x 3"]);
    expect((await list(`deviceId=${bench.deviceId}`)).shown).toHaveLength(4);
    expect((await list(`deviceId=${bench.deviceId}&type=x_report`)).shown).toEqual(["x 2", "x 1"]);
  });

  test.each(["asc", "desc"])("is read page by page, %s", async (order) => {
    const seen: string[] = [];
    for (let after = ""; ; ) {
      const page = await list(`limit=2&sortOrder=${order}&startAfter=${after}`);
      seen.push(...page.shown);
      expect(page.lastId).toBe(page.reports.at(-1)?.id ?? "");
      if (!page.hasMore) break;
      after = page.lastId;
    }
    const all = MADE.map((made) => made.slice(0, 3));
    expect(seen).toEqual(order === "asc" ? all : all.toReversed());
  });

  test.each([
    ["asc", at(2), ["x 2", "z 2", "x 3"]],
    ["desc", at(3), ["x 2", "z 1", "x 1"]],
  ])("keeps to its span when it goes on from outside of it, %s", async (order, bound, expected) => {
    const outside = await list(`sortOrder=${order}&limit=1`);
    const span = order === "asc" ? `from=${bound}` : `to=${bound}`;
    const page = await list(`sortOrder=${order}&${span}&startAfter=${outside.lastId}`);
    expect(page.shown).toEqual(expected);
  });

  test("has an empty last page", async () => {
    const first = await list("sortOrder=asc");
    const { reports, hasMore, lastId } = await list(`sortOrder=asc&startAfter=${first.lastId}`);
    expect({ reports, hasMore, lastId }).toEqual({ reports: [], hasMore: false, lastId: "" });
  });

  test.each([
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["type=print_receipt", "type"],
    ["sortBy=total", "sortBy"],
    ["sortOrder=up", "sortOrder"],
    ["from=2026-01-15", "from"],
    ["to=noon", "to"],
    ["deviceId=", "deviceId"],
    ["type=x_report&type=z_report", "type"],
    ["startAfter=rpt_none", "startAfter"],
  ])("refuses %s by its name", async (query, path) => {
    const answer = await bench.office.get(`${REPORTS}?${query}`);
    expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", [path]]);
  });

  test("takes the smallest and the largest page", async () => {
    expect((await list("limit=1")).shown).toEqual(["x 3"]);
    expect((await list("limit=100")).shown).toHaveLength(5);
  });
});

describe("whoever asks", () => {
  const ROUTES = ["", "/rpt_none"];

  test.each(ROUTES)("for /reports%s without a credential gets 401", async (route) => {
    expect((await bench.client.get(`${REPORTS}${route}`)).refusal).toBe("401 UNAUTHORIZED");
  });

  test.each(OTHER_SCOPES)("with the scope %s gets 403", async (scope) => {
    const caller = bench.client.as(outsiders.get(scope) ?? "");
    for (const route of ROUTES) {
      expect((await caller.get(`${REPORTS}${route}`)).refusal).toBe("403 FORBIDDEN");
    }
  });

  test.each(["owner", "admin", "operator"] as const)("as %s may", async (role) => {
    const { client } = await bench.member(bench.orgId, role);
    expect((await client.get(REPORTS)).status).toBe(200);
  });

  test("from another organization sees none of them", async () => {
    const other = await bench.otherShop();
    const [report] = (await list("")).reports;
    const path = `${REPORTS}/${report?.id}`;
    expect((await bench.office.get(path)).status).toBe(200);
    expect((await other.client.get(path)).refusal).toBe("404 NOT_FOUND");
    expect((await other.client.get(REPORTS)).body).toMatchObject({ reports: [] });
    const page = await other.client.get(`${REPORTS}?startAfter=${report?.id}`);
    expect(page.refusal).toBe("400 VALIDATION_ERROR");
  });

  test("for a report that is not there gets 404", async () => {
    expect((await bench.office.get(`${REPORTS}/rpt_none`)).refusal).toBe("404 NOT_FOUND");
  });
});
