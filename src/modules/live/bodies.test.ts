/** What the live routes take: the limits of each field, and one beyond. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createLiveBench, type LiveBench, pathOf, RESULTS, rowOf } from "./testing/live-bench.ts";

let bench: LiveBench;
beforeAll(async () => {
  bench = await createLiveBench();
});
afterAll(() => bench.close());

const line = (characters: number): string => "ț".repeat(characters);
const lines = (count: number): string[] => Array.from({ length: count }, () => line(48));
const rate = (group: string, percent: unknown = 5, enabled: unknown = true) => ({
  ...{ group, rate: percent, enabled },
});
const sixteen = Array.from({ length: 16 }, (_, index) => rate(`VAT${index + 1}`, 100 - index));

const REVERSAL = {
  uniqueSaleNumber: "DT000600-0001-0000001",
  originalReceiptNumber: "7",
  originalReceiptDateTime: "2026-01-31T12:00:00",
  fiscalMemorySerialNumber: "02000600",
  reason: "tax-base-reduction",
  items: [{ name: "Bread", quantity: 2, price: 1.5, vatGroup: "exempt" }],
};

/** A body of the route, and the payload where it is another. */
const TAKEN: readonly (readonly [route: string, body: object, payload?: object])[] = [
  ["POST set-datetime", {}],
  ["POST set-datetime", { datetime: "2026-01-31T12:00:00Z" }],
  ["POST set-datetime", { datetime: "2026-01-31T12:00:00" }],
  ["POST set-datetime", { datetime: "2026-01-31T12:00:00+02:00", note: "ignored" }],
  ["POST non-fiscal", { lines: [line(48), ""], header: line(48) }],
  ["POST non-fiscal", { lines: [""] }],
  ["POST vat-rates", { rates: sixteen }],
  ["POST vat-rates", { rates: [rate("VAT1", 0, false)] }],
  [
    "POST vat-rates",
    { rates: [rate("exempt", 0), rate("VAT16", 9.25)] },
    { rates: [rate("VAT16", 9.25)] },
  ],
  ["POST vat-rates", { rates: [...sixteen, rate("exempt", 0, false)] }, { rates: sixteen }],
  ["POST header-footer", { header: [], footer: [] }],
  ["POST header-footer", { header: lines(10), footer: lines(10) }],
  ["POST operator", { operatorId: 1, name: "A" }],
  ["POST operator", { operatorId: 30, name: line(32), oldPassword: "1", password: "12345678" }],
  ["POST operator", { operatorId: 30, name: "Ana", password: "" }],
  ["POST logo", { logo: "AAAA" }],
  ["POST logo", { logo: "A".repeat(700_000) }],
  ["POST reversal", REVERSAL],
  ["POST reversal", { ...REVERSAL, payments: [{ type: "card", amount: 3 }] }],
  ["POST reversal", { ...REVERSAL, payments: [{ method: "cash", amount: 3 }] }],
  ["POST reversal", { ...REVERSAL, originalZReportNumber: "12" }],
];

/** A body that is refused, with the paths that the refusal names. */
const REFUSED: readonly (readonly [route: string, paths: readonly string[], body: object])[] = [
  ["POST set-datetime", ["datetime"], { datetime: "yesterday" }],
  ["POST set-datetime", ["datetime"], { datetime: "2026-02-30T12:00:00Z" }],
  ["POST set-datetime", ["datetime"], { datetime: 5 }],
  ["POST set-datetime", ["datetime"], { datetime: null }],
  ["POST non-fiscal", ["lines"], {}],
  ["POST non-fiscal", ["lines"], { lines: [] }],
  ["POST non-fiscal", ["lines"], { lines: "one" }],
  ["POST non-fiscal", ["lines.1"], { lines: ["", line(49)] }],
  ["POST non-fiscal", ["lines.0"], { lines: [5] }],
  ["POST non-fiscal", ["header"], { lines: [""], header: line(49) }],
  ["POST vat-rates", ["rates"], {}],
  ["POST vat-rates", ["rates"], { rates: [] }],
  ["POST vat-rates", ["rates.0.group"], { rates: [rate("VAT17")] }],
  ["POST vat-rates", ["rates.0.group"], { rates: [rate("Exempt", 0)] }],
  ["POST vat-rates", ["rates.1.rate"], { rates: [rate("exempt", 0), rate("VAT1", -1)] }],
  ["POST vat-rates", ["rates.1.rate"], { rates: [rate("exempt", 0), rate("VAT1", 1.234)] }],
  ["POST vat-rates", ["rates.0.rate"], { rates: [rate("VAT1", "5")] }],
  ["POST vat-rates", ["rates.0.enabled"], { rates: [rate("VAT1", 5, "yes")] }],
  ["POST vat-rates", ["rates.1.group"], { rates: [rate("VAT1"), rate("VAT1")] }],
  ["POST vat-rates", ["rates.1.group"], { rates: [rate("exempt", 0), rate("exempt", 0)] }],
  ["POST vat-rates", ["rates.0.rate"], { rates: [rate("exempt", 5)] }],
  ["POST vat-rates", ["rates"], { rates: [...sixteen, rate("exempt", 0), rate("VAT1")] }],
  ["POST vat-rates", ["rates.0.group", "rates.0.rate", "rates.0.enabled"], { rates: [{}] }],
  ["POST header-footer", ["header", "footer"], {}],
  ["POST header-footer", ["footer"], { header: [] }],
  ["POST header-footer", ["header"], { header: lines(11), footer: [] }],
  ["POST header-footer", ["footer"], { header: [], footer: lines(11) }],
  ["POST header-footer", ["footer.1"], { header: [], footer: ["", line(49)] }],
  ["POST operator", ["operatorId", "name"], {}],
  ["POST operator", ["operatorId"], { operatorId: 0, name: "Ana" }],
  ["POST operator", ["operatorId"], { operatorId: 1.5, name: "Ana" }],
  ["POST operator", ["operatorId"], { operatorId: "1", name: "Ana" }],
  ["POST operator", ["name"], { operatorId: 1, name: "" }],
  ["POST operator", ["name"], { operatorId: 1, name: line(33) }],
  ["POST operator", ["password"], { operatorId: 1, name: "Ana", password: "123456789" }],
  ["POST logo", ["logo"], {}],
  ["POST logo", ["logo"], { logo: "" }],
  ["POST logo", ["logo"], { logo: "AAA" }],
  ["POST logo", ["logo"], { logo: "data:image/png" }],
  ["POST logo", ["logo"], { logo: "A".repeat(700_004) }],
  ["POST reversal", ["items"], { ...REVERSAL, items: [] }],
  ["POST reversal", ["reason"], { ...REVERSAL, reason: "mistake" }],
  [
    "POST reversal",
    ["originalReceiptDateTime"],
    { ...REVERSAL, originalReceiptDateTime: "31.01.2026" },
  ],
  ["POST reversal", ["payments"], { ...REVERSAL, payments: [{ method: "cash", amount: 2 }] }],
  ["POST reversal", ["payments.0.method"], { ...REVERSAL, payments: [{ amount: 3 }] }],
  [
    "POST reversal",
    ["payments.0.type"],
    { ...REVERSAL, payments: [{ method: "cash", type: "card", amount: 3 }] },
  ],
  [
    "POST reversal",
    ["items.0.discount"],
    { ...REVERSAL, items: [{ ...REVERSAL.items[0], discount: 1 }] },
  ],
  [
    "POST reversal",
    ["items.0.price"],
    { ...REVERSAL, items: [{ ...REVERSAL.items[0], price: 1.555 }] },
  ],
];

describe("a body", () => {
  test.each([...TAKEN])(
    "that is right for %s is the payload",
    async (name, body, payload = body) => {
      const row = rowOf(name);
      const { answer, commandId } = await bench.begin(row, body);
      const shown = await bench.shown(commandId);
      const masked = "password" in payload ? { password: "***" } : {};
      const old = "oldPassword" in payload ? { oldPassword: "***" } : {};
      expect(shown.payload).toEqual({ ...payload, ...masked, ...old });
      await bench.finish(commandId, { success: true, data: RESULTS[row.type] ?? {} });
      expect((await answer).status).toBe(row.status);
    },
  );

  test.each([...REFUSED])(
    "that is not right for %s is refused with the paths %j, and nothing is queued",
    async (name, paths, body) => {
      const before = bench.rows();
      const row = rowOf(name);
      const answer = await bench.owner.call(row.method, pathOf(row, bench.deviceId), { body });
      expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", [...paths]]);
      await bench.atRest();
      expect(bench.rows()).toEqual(before);
    },
  );

  test("of exempt alone programs nothing, and asks the device for its table", async () => {
    const row = rowOf("POST vat-rates");
    const { answer, commandId } = await bench.begin(row, { rates: [rate("exempt", 0)] });
    expect(await bench.shown(commandId)).toMatchObject({ type: "get_vat_rates", payload: {} });
    await bench.finish(commandId, { success: true, data: RESULTS.get_vat_rates ?? {} });
    expect((await answer).body).toMatchObject({ success: true, deviceId: bench.deviceId });
  });

  test("that is sent where none is taken is left alone", async () => {
    const row = rowOf("POST void-open");
    const { answer, commandId } = await bench.begin(row, { receiptId: "5" });
    expect((await bench.shown(commandId)).payload).toEqual({});
    await bench.finish(commandId, { success: true, data: {} });
    expect((await answer).status).toBe(200);
  });
});
