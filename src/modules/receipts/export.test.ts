/** `GET /receipts/export`. */

import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import type { Scope } from "#core/access.ts";
import {
  BREAD,
  createReceiptsBench,
  RECEIPTS,
  type ReceiptsBench,
} from "./testing/receipts-bench.ts";

const EXPORT = `${RECEIPTS}/export`;

let bench: ReceiptsBench;
beforeEach(async () => {
  bench = await createReceiptsBench();
});
afterEach(() => bench.close());

const PAID = { payments: [{ method: "cash", amount: 3 }], items: BREAD };

/** Puts so many receipts into the history, issued a second apart from the epoch on. */
function seed(count: number): void {
  const columns = "org_id, device_id, type, fiscal_id, issued_at, currency, items, payments";
  bench.database.sqlite.exec(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO receipts (id, ${columns}, subtotal_modifiers, total_minor, source, created_at)
    SELECT 'rct_' || i, '${bench.orgId}', '${bench.deviceId}', 'sale', i, i * 1000, 'RON', '[]',
      '[]', '[]', 100, 'api', 1 FROM n`);
}

/** The rows of a CSV text, taken apart as RFC 4180 has it. */
function rowsOf(text: string): string[][] {
  const cells = text.matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(,|\r\n)/g);
  const rows: string[][] = [[]];
  for (const [, cell = "", end] of cells) {
    const plain = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
    rows.at(-1)?.push(plain);
    if (end === "\r\n") rows.push([]);
  }
  return rows.slice(0, -1);
}

/** The cells of each receipt by the names of their columns. */
function recordsOf(text: string): Record<string, string>[] {
  const [header = [], ...rows] = rowsOf(text);
  return rows.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at] ?? ""])));
}

describe("an export", () => {
  test("as CSV has a row for each receipt, oldest first", async () => {
    await bench.sale("2", { issuedAt: "2026-01-02T00:00:00Z" });
    await bench.sale("1", { issuedAt: "2026-01-01T00:00:00Z", customerCif: "RO1", ...PAID });
    const answer = await bench.office.get(EXPORT);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toStartWith("text/csv");
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="receipts.csv"');
    const records = recordsOf(answer.text);
    expect(records.map(({ fiscalId }) => fiscalId)).toEqual(["1", "2"]);
    expect(records[0]).toMatchObject({
      ...{ type: "sale", issuedAt: "2026-01-01T00:00:00.000Z", total: "3.00", currency: "RON" },
      ...{ customerCif: "RO1", source: "api", commandId: "", originalReceiptId: "" },
    });
    expect(JSON.parse(records[0]?.items ?? "")).toEqual(BREAD);
    expect(JSON.parse(records[0]?.payments ?? "")).toEqual(PAID.payments);
  });

  test("as CSV has a column that adds up to what was kept", async () => {
    const sale = await bench.sale("1", { issuedAt: "2026-01-01T00:00:00Z", ...PAID });
    await bench.sale("2", {
      ...{ type: "refund", originalReceiptId: sale, issuedAt: "2026-01-02T00:00:00Z" },
      ...{ items: BREAD, payments: PAID.payments },
    });
    const records = recordsOf((await bench.office.get(EXPORT)).text);
    expect(records.map(({ total, signedTotal }) => [total, signedTotal])).toEqual([
      ["3.00", "3.00"],
      ["3.00", "-3.00"],
    ]);
  });

  test("as JSON has the receipts as the API shows them", async () => {
    const id = await bench.sale("1");
    await bench.sale("2");
    const answer = await bench.office.get(`${EXPORT}?format=json`);
    expect(answer.headers.get("content-disposition")).toContain('filename="receipts.json"');
    const { receipts } = answer.as(Type.Object({ receipts: Type.Array(Type.Unknown()) }));
    expect(receipts).toHaveLength(2);
    const shown = await bench.till.get(`${RECEIPTS}/${id}`);
    expect(shown.body).toEqual({ receipt: receipts[0], repeatable: false });
  });

  test("has what was issued from the one instant up to the other", async () => {
    seed(600);
    const period = "from=1970-01-01T00:00:10Z&to=1970-01-01T00:09:00Z";
    const answer = await bench.office.get(`${EXPORT}?${period}`);
    const numbers = recordsOf(answer.text).map(({ fiscalId }) => Number(fiscalId));
    expect(numbers).toEqual(Array.from({ length: 530 }, (_, index) => index + 10));
    expect(answer.headers.get("content-disposition")).toContain("receipts-1970-01-01-1970-01-01");
  });

  test("has those of one device, or of one type, as the list has", async () => {
    const sale = await bench.sale("1", { ...PAID });
    const { orgId } = bench;
    await bench.sale("2", {
      ...{ type: "refund", originalReceiptId: sale },
      ...{ items: BREAD, payments: PAID.payments },
    });
    bench.database.sqlite.exec(
      `UPDATE receipts SET device_id = 'dev_other' WHERE org_id = '${orgId}' AND fiscal_id = '2'`,
    );
    const numbersOf = async (search: string) =>
      recordsOf((await bench.office.get(`${EXPORT}?${search}`)).text).map((one) => one.fiscalId);
    expect(await numbersOf(`deviceId=${bench.deviceId}`)).toEqual(["1"]);
    expect(await numbersOf("type=refund")).toEqual(["2"]);
    expect(await numbersOf(`type=refund&deviceId=${bench.deviceId}`)).toEqual([]);
  });

  test("has what was booked from the one instant up to the other, where that is asked for", async () => {
    seed(3);
    // Printed by the gateway on a day of its own: its printer's clock says that it was the epoch's.
    bench.database.sqlite.exec(
      `UPDATE receipts SET source = 'command', created_at = 86400000 WHERE fiscal_id = '2'`,
    );
    const numbersOf = async (search: string) =>
      recordsOf((await bench.office.get(`${EXPORT}?${search}`)).text).map((one) => one.fiscalId);
    expect(await numbersOf("to=1970-01-02T00:00:00Z&time=bookedAt")).toEqual(["1", "3"]);
    expect(await numbersOf("from=1970-01-02T00:00:00Z&time=bookedAt")).toEqual(["2"]);
    expect(await numbersOf("time=bookedAt")).toEqual(["1", "3", "2"]);
    expect(await numbersOf("to=1970-01-02T00:00:00Z")).toEqual(["1", "2", "3"]);
  });

  test("of nothing is a file all the same", async () => {
    expect(rowsOf((await bench.office.get(EXPORT)).text)).toHaveLength(1);
    const json = await bench.office.get(`${EXPORT}?format=json`);
    expect(json.body).toEqual({ receipts: [] });
  });

  test.each([200, 400])("of %d receipts, whole parts of it, has each once", async (count) => {
    seed(count);
    expect(recordsOf((await bench.office.get(EXPORT)).text)).toHaveLength(count);
    const json = await bench.office.get(`${EXPORT}?format=json`);
    expect(json.as(Type.Object({ receipts: Type.Array(Type.Unknown()) })).receipts).toHaveLength(
      count,
    );
  });

  test.each([
    ["=1+1", "'=1+1"],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@x", "'@x"],
    ['=HYPERLINK("http://x")', `'=HYPERLINK("http://x")`],
    ['a "b", c', 'a "b", c'],
    ["1=1", "1=1"],
  ])("writes %p so that no spreadsheet runs it", async (fiscalId, cell) => {
    await bench.sale(fiscalId);
    const [record] = recordsOf((await bench.office.get(EXPORT)).text);
    expect(record?.fiscalId).toBe(cell);
  });
});

describe("a long export", () => {
  const COUNT = 20_000;
  beforeEach(() => seed(COUNT));

  /** The answer itself, its body not yet read. */
  const begin = async () => {
    const headers = bench.office.headers;
    const request = new Request(`http://localhost${EXPORT}`, { headers });
    const response: Response = await bench.office.app.handle(request);
    const reader = response.body?.getReader();
    if (reader === undefined) throw new Error("an answer without a body");
    return reader;
  };

  test("is made as it is read: nothing is kept for a reader who does not", async () => {
    const list = spyOn(bench.stores.receipts, "list");
    const reader = await begin();
    for (let piece = 0; piece < 3; piece += 1) await reader.read();
    await bench.atRest();
    // What was read and one chunk ahead, of the hundred parts that there are.
    expect(list.mock.calls.length).toBeLessThanOrEqual(16);
    let received = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      received += part.value.length;
    }
    expect(received).toBePositive();
    expect(list.mock.calls.length).toBe(COUNT / 200 + 1);
    list.mockRestore();
  });

  test("ends with the client who hangs up", async () => {
    const list = spyOn(bench.stores.receipts, "list");
    const reader = await begin();
    await reader.read();
    await reader.cancel();
    const calls = list.mock.calls.length;
    await bench.atRest();
    expect(list.mock.calls.length).toBe(calls);
    list.mockRestore();
  });

  test("lets others write between its pieces", async () => {
    const reader = await begin();
    for (let piece = 0; piece < 3; piece += 1) await reader.read();
    const { status } = await bench.till.post(RECEIPTS, bench.saleBody("new"));
    expect(status).toBe(201);
    await reader.cancel();
  });
});

describe("an export is refused", () => {
  test.each([
    ["format", "format=xml"],
    ["type", "type=invoice"],
    ["deviceId", "deviceId="],
    ["from", "from=2026-01-01"],
    ["to", "to=now"],
  ])("400 at %s: %s", async (path, search) => {
    const answer = await bench.office.get(`${EXPORT}?${search}`);
    expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", [path]]);
  });

  const scopes: readonly [number, readonly Scope[]][] = [
    [200, ["receipts:admin"]],
    [200, ["all"]],
    [403, ["receipts", "receipts:read", "commands"]],
  ];
  test.each(scopes)("or not: %d with the scopes %p", async (status, held) => {
    expect((await (await bench.as(...held)).get(EXPORT)).status).toBe(status);
  });

  test("to operators and strangers, and has nothing of another shop", async () => {
    const operator = await bench.member(bench.orgId, "operator");
    expect((await operator.client.get(EXPORT)).refusal).toBe("403 FORBIDDEN");
    expect((await bench.client.get(EXPORT)).refusal).toBe("401 UNAUTHORIZED");
    await bench.sale("1");
    const other = await bench.otherShop();
    expect(rowsOf((await other.client.get(EXPORT)).text)).toHaveLength(1);
  });
});
