/** `GET /receipts`, `GET /receipts/{id}` and `GET /devices/{id}/receipts`. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Scope } from "#core/access.ts";
import {
  BREAD,
  createReceiptsBench,
  ITEMS,
  pageOf,
  RECEIPTS,
  type ReceiptsBench,
} from "./testing/receipts-bench.ts";

let bench: ReceiptsBench;
beforeEach(async () => {
  bench = await createReceiptsBench();
});
afterEach(() => bench.close());

const page = async (search = "", path = RECEIPTS) => pageOf(await bench.till.get(path + search));
const fiscalIds = async (search = "", path?: string) =>
  (await page(search, path)).receipts.map(({ fiscalId }) => fiscalId);

/** Puts a sale that the gateway has printed into the history. */
function printed(
  fiscalId: string,
  { issuedAt, storedAt }: { readonly issuedAt: string; readonly storedAt: string },
): void {
  const { database, orgId, deviceId } = bench;
  database.sqlite
    .prepare(
      `INSERT INTO receipts (id, org_id, device_id, type, fiscal_id, issued_at, currency, items,
        subtotal_modifiers, payments, total_minor, source, created_at)
      VALUES (?, ?, ?, 'sale', ?, ?, 'RON', '[]', '[]', '[]', 100, 'command', ?)`,
    )
    .run(`rct_${fiscalId}`, orgId, deviceId, fiscalId, Date.parse(issuedAt), Date.parse(storedAt));
}

/** A bread for so much. */
const at = (price: number) => ({
  items: [{ ...BREAD[0], quantity: 1, price }],
  payments: [{ method: "cash", amount: price }],
});

describe("a list of receipts", () => {
  /** Issued in another order than stored, and worth something else again. */
  beforeEach(async () => {
    const sales = [
      ["1", "2026-01-03T00:00:00Z", 5],
      ["2", "2026-01-01T00:00:00Z", 7],
      ["3", "2026-01-02T00:00:00Z", 3],
      ["4", "2026-01-02T00:00:00Z", 3],
    ] as const;
    for (const [fiscalId, issuedAt, price] of sales) {
      await bench.sale(fiscalId, { issuedAt, ...at(price) });
      bench.clock.advance(1_000);
    }
  });

  test.each([
    ["", ["4", "3", "2", "1"]],
    ["?sortOrder=asc", ["1", "2", "3", "4"]],
    ["?sortBy=createdAt&sortOrder=desc", ["4", "3", "2", "1"]],
    ["?sortBy=issuedAt", ["1", "4", "3", "2"]],
    ["?sortBy=issuedAt&sortOrder=asc", ["2", "3", "4", "1"]],
    ["?sortBy=total", ["2", "1", "4", "3"]],
    ["?sortBy=total&sortOrder=asc", ["3", "4", "1", "2"]],
    ["?fiscalId=3", ["3"]],
    ["?fiscalId=33", []],
    ["?type=sale", ["4", "3", "2", "1"]],
    ["?type=storno", []],
    ["?from=2026-01-02T00:00:00Z", ["4", "3", "1"]],
    ["?to=2026-01-02T00:00:00Z", ["2"]],
    ["?from=2026-01-02T02:00:00%2B02:00&to=2026-01-03T00:00:00Z&sortBy=total", ["4", "3"]],
  ])("%p is in its order, without what is not asked for", async (search, expected) => {
    expect(await fiscalIds(search)).toEqual(expected);
  });

  test("of a day by bookedAt has what its sums are made of, whatever the printers' clocks say", async () => {
    // Printed by the gateway on the 2nd of the box's clock, by printers that are days wrong.
    printed("slow", { issuedAt: "2025-12-25T10:00:00Z", storedAt: "2026-01-02T10:00:00Z" });
    printed("fast", { issuedAt: "2026-01-09T10:00:00Z", storedAt: "2026-01-02T09:00:00Z" });
    printed("early", { issuedAt: "2026-01-02T10:00:00Z", storedAt: "2026-01-01T10:00:00Z" });
    const day = "from=2026-01-02T00:00:00Z&to=2026-01-03T00:00:00Z";
    const listed = ["slow", "fast", "4", "3"];
    expect(await fiscalIds(`?${day}&time=bookedAt&sortBy=bookedAt`)).toEqual(listed);
    expect(await fiscalIds(`?${day}&time=bookedAt&sortBy=bookedAt&limit=2`)).toEqual([
      "slow",
      "fast",
    ]);
    expect((await fiscalIds(`?${day}&time=bookedAt`)).toSorted()).toEqual(listed.toSorted());
    expect(await fiscalIds(`?${day}&time=issuedAt&sortBy=issuedAt`)).toEqual(["early", "4", "3"]);
    const summary = await bench.owner.get(`/api/v1/reports/summary?${day}&by=day`);
    const { receipts } = await page(`?${day}&time=bookedAt`);
    expect(summary.body).toMatchObject({ totals: [{ receiptCount: receipts.length }] });
    expect(receipts.map(({ bookedAt }) => bookedAt.slice(0, 10))).toEqual(
      receipts.map(() => "2026-01-02"),
    );
  });

  test("of a sale has what went back of it, on whatever device, whatever came since", async () => {
    const id = await bench.sale("6", { items: ITEMS });
    const other = await bench.addDevice("Second till");
    await bench.store(bench.backBody("refund", id, { deviceId: other }));
    await bench.store(bench.backBody("storno", await bench.sale("7")));
    await bench.storno(id);
    const search = `?originalReceiptId=${id}`;
    expect(await fiscalIds(search)).toEqual([`back of ${id}`]);
    expect(await fiscalIds(`${search}&type=storno`)).toEqual([]);
    expect(await fiscalIds(`${search}&deviceId=${other}`)).toEqual([`back of ${id}`]);
    expect(await fiscalIds(search, `/api/v1/devices/${bench.deviceId}/receipts`)).toEqual([]);
    expect(await fiscalIds("?originalReceiptId=rct_0")).toEqual([]);
    const stranger = await bench.otherShop();
    expect(pageOf(await stranger.client.get(RECEIPTS + search)).receipts).toEqual([]);
  });

  test("goes on after its lastId, each receipt once, while others are stored", async () => {
    for (const sortBy of ["createdAt", "issuedAt", "bookedAt", "total"]) {
      const whole = await fiscalIds(`?sortBy=${sortBy}`);
      const seen: unknown[] = [];
      let startAfter = "";
      let hasMore = true;
      for (let turn = 0; hasMore; turn += 1) {
        const search = `?sortBy=${sortBy}&limit=1&startAfter=${startAfter}`;
        const { receipts, ...end } = await page(search);
        seen.push(...receipts.map(({ fiscalId }) => fiscalId));
        expect(end.lastId).toBe(receipts.at(-1)?.id ?? "");
        ({ hasMore, lastId: startAfter } = end);
        // Newer, later and larger than all that were there.
        const change = { issuedAt: "2026-01-16T00:00:00Z", ...at(99) };
        await bench.sale(`${sortBy} ${turn}`, change);
      }
      expect(seen).toEqual(whole);
    }
  });

  test("tells whether there is more at its limit", async () => {
    expect(await page("?limit=4")).toMatchObject({ hasMore: false });
    expect(await page("?limit=3")).toMatchObject({ hasMore: true });
    expect(await page("?fiscalId=none")).toEqual({ receipts: [], hasMore: false, lastId: "" });
  });

  test("of a device has that device's only, with the same filters", async () => {
    const other = await bench.addDevice("Second till");
    await bench.sale("5", { deviceId: other });
    const path = (deviceId: string) => `/api/v1/devices/${deviceId}/receipts`;
    expect(await fiscalIds("", path(other))).toEqual(["5"]);
    expect(await fiscalIds(`?deviceId=${other}`)).toEqual(["5"]);
    expect(await fiscalIds("?limit=2", path(bench.deviceId))).toEqual(["4", "3"]);
    expect(await fiscalIds("?type=refund", path(bench.deviceId))).toEqual([]);
    expect(await page("?limit=2", path(bench.deviceId))).toMatchObject({ hasMore: true });
    expect(await fiscalIds("?sortBy=total&type=sale", path(bench.deviceId))).toEqual(
      await fiscalIds(`?sortBy=total&deviceId=${bench.deviceId}`),
    );
  });
});

test("a list has fifty receipts unless it is told otherwise", async () => {
  const { sqlite } = bench.database;
  const columns = "org_id, device_id, type, issued_at, currency, items, subtotal_modifiers";
  sqlite.exec(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 101)
    INSERT INTO receipts (id, ${columns}, payments, total_minor, source, created_at)
    SELECT 'rct_' || i, '${bench.orgId}', '${bench.deviceId}', 'sale', 1, 'RON', '[]', '[]', '[]',
      100, 'api', i FROM n`);
  for (const list of [RECEIPTS, `/api/v1/devices/${bench.deviceId}/receipts`]) {
    const { receipts, ...end } = await page("", list);
    expect([receipts.length, end]).toEqual([50, { hasMore: true, lastId: "rct_52" }]);
    expect((await page("?limit=100", list)).receipts).toHaveLength(100);
  }
});

describe("a search by q", () => {
  beforeEach(async () => {
    await bench.sale("A-100", { customerCif: "RO77", items: ITEMS });
    await bench.sale("B-200", {
      receiptNumber: "0042",
      uniqueSaleNumber: "XX000001-0001-0000009",
      items: [{ name: 'Хляб "Добруджа" 100%', quantity: 1, price: 3, vatGroup: "VAT1" }],
      payments: [{ method: "cash", amount: 3 }],
    });
  });

  test.each([
    ["a-1", ["A-100"]],
    ["00", ["B-200", "A-100"]],
    ["ro77", ["A-100"]],
    ["0042", ["B-200"]],
    ["0000009", ["B-200"]],
    ["range", ["A-100"]],
    ["ORANGES", ["A-100"]],
    ["хляб", ["B-200"]],
    ['"добруджа"', ["B-200"]],
    ["0%", ["B-200"]],
    ["%", ["B-200"]],
    ["3.00", ["B-200"]],
    ["3,00", ["B-200"]],
    [".00", []],
    ["VAT1", []],
    ["name", []],
  ])("%p finds what has it in a number or a name, or as its total", async (q, expected) => {
    expect(await fiscalIds(`?q=${encodeURIComponent(q)}`)).toEqual(expected);
  });

  test("finds a receipt by its whole id, and none by a part of one", async () => {
    const { receipts } = await page("");
    const ids = receipts.map(({ id }) => id as string);
    for (const id of ids) {
      expect((await page(`?q=${id}`)).receipts).toMatchObject([{ id }]);
      expect((await page(`?q=${id.slice(0, -1)}`)).receipts).toEqual([]);
    }
    expect((await page("?q=rct_")).receipts).toEqual([]);
  });

  test("goes with the other filters", async () => {
    expect(await fiscalIds("?q=00&fiscalId=A-100")).toEqual(["A-100"]);
    expect(await fiscalIds("?q=00&type=refund")).toEqual([]);
  });

  test("ends a page early in a long history, and goes on from there", async () => {
    const { sqlite } = bench.database;
    const columns = "org_id, device_id, type, issued_at, currency, items, subtotal_modifiers";
    sqlite.exec(`
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120000)
      INSERT INTO receipts (id, ${columns}, payments, total_minor, source, created_at)
      SELECT 'rct_new_' || i, '${bench.orgId}', '${bench.deviceId}', 'sale', 1, 'RON', '[]', '[]',
        '[]', 100, 'api', 9000000000000 + i FROM n`);
    const first = await page("?q=ro77");
    expect(first).toMatchObject({ receipts: [], hasMore: true });
    expect(first.lastId).toStartWith("rct_new_");
    const second = await page(`?q=ro77&startAfter=${first.lastId}`);
    expect(second.receipts).toMatchObject([{ fiscalId: "A-100" }]);
    expect(second.hasMore).toBe(false);
  });
});

describe("what a list refuses", () => {
  test.each([
    ["limit", "limit=0"],
    ["limit", "limit=101"],
    ["limit", "limit=two"],
    ["sortBy", "sortBy=updatedAt"],
    ["sortOrder", "sortOrder=down"],
    ["type", "type=invoice"],
    ["from", "from=2026-01-02"],
    ["to", "to=yesterday"],
    ["fiscalId", "fiscalId="],
    ["originalReceiptId", "originalReceiptId="],
    ["q", "q="],
    ["startAfter", "startAfter=rct_0"],
    ["limit", "limit=1&limit=2"],
  ])("400 at %s: %s", async (path, search) => {
    for (const list of [RECEIPTS, `/api/v1/devices/${bench.deviceId}/receipts`]) {
      const answer = await bench.till.get(`${list}?${search}`);
      expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", [path]]);
    }
  });

  test.each(["limit=1", "limit=100", "startAfter=", "colour=red"])("not %s", async (search) => {
    expect((await bench.till.get(`${RECEIPTS}?${search}`)).status).toBe(200);
  });

  test("what another shop has", async () => {
    const other = await bench.otherShop();
    const id = await bench.sale("1");
    expect((await other.client.get(`${RECEIPTS}/${id}`)).refusal).toBe("404 NOT_FOUND");
    expect(pageOf(await other.client.get(RECEIPTS)).receipts).toEqual([]);
    expect(pageOf(await other.client.get(`${RECEIPTS}?fiscalId=1`)).receipts).toEqual([]);
    const after = await other.client.get(`${RECEIPTS}?startAfter=${id}`);
    expect(after.issuePaths).toEqual(["startAfter"]);
    const device = `/api/v1/devices/${bench.deviceId}/receipts`;
    expect((await other.client.get(`${device}?limit=0`)).refusal).toBe("404 NOT_FOUND");
    expect((await bench.till.get(`${RECEIPTS}/rct_0`)).refusal).toBe("404 NOT_FOUND");
  });

  const scopes: readonly [number, readonly Scope[]][] = [
    [200, ["receipts"]],
    [200, ["receipts:read"]],
    [200, ["receipts:admin"]],
    [200, ["all"]],
    [403, ["commands", "devices", "reports"]],
  ];
  test.each(scopes)("or not: %d with the scopes %p", async (status, held) => {
    const id = await bench.sale("1");
    const client = await bench.as(...held);
    for (const path of ["", `/${id}`]) {
      expect((await client.get(RECEIPTS + path)).status).toBe(status);
    }
    expect((await client.get(`/api/v1/devices/${bench.deviceId}/receipts`)).status).toBe(status);
  });

  test("nobody who is known: 401, also for what is not there", async () => {
    for (const path of ["", "/rct_0", "?limit=0"]) {
      expect((await bench.client.get(RECEIPTS + path)).refusal).toBe("401 UNAUTHORIZED");
    }
    const operator = await bench.member(bench.orgId, "operator");
    expect((await operator.client.get(RECEIPTS)).status).toBe(200);
  });
});
