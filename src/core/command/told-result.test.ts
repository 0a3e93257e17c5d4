import { describe, expect, test } from "bun:test";
import { FiscalError, UnknownDevice } from "../errors.ts";
import type { ReportResult } from "./report-result.ts";
import { toldResult } from "./told-result.ts";

const ROW = { group: "VAT1", rate: 19, turnover: 12.5, tax: null };
const REPORT: ReportResult = {
  reportNumber: 7,
  type: "z_report",
  receiptCount: 3,
  reversalCount: null,
  totals: { gross: 12.5, reversals: null, cashIn: null, cashOut: null, cashBalance: null },
  vat: [ROW],
  payments: null,
  openedAt: null,
  closedAt: "2024-03-15T12:05:09.000Z",
  fiscalMemorySerialNumber: "02577430",
};

describe("what is told of a device", () => {
  test("is told as it is where the catalogue allows it", () => {
    expect(toldResult("z_report", REPORT)).toEqual(REPORT);
  });

  test.each<[object, object]>([
    [{ reportNumber: -5 }, { reportNumber: null }],
    [{ receiptCount: 1.5 }, { receiptCount: null }],
    [{ receiptCount: 1e308 + 1e308 }, { receiptCount: null }],
    [
      { totals: { ...REPORT.totals, gross: Number.NaN } },
      { totals: { ...REPORT.totals, gross: null } },
    ],
    [{ vat: [{ ...ROW, rate: 1e308 }] }, { vat: [{ ...ROW, rate: null }] }],
    [{ closedAt: "yesterday" }, { closedAt: null }],
    [{ fiscalMemorySerialNumber: "\u0007" }, { fiscalMemorySerialNumber: null }],
  ])("is not told where it is absurd: %j", (absurd, told) => {
    expect(toldResult("z_report", { ...REPORT, ...absurd })).toEqual({ ...REPORT, ...told });
  });

  test("has no control characters but those between the fields of a raw answer, and 255 characters at most, but for bytes in hexadecimal", () => {
    const dataHex = "1b".repeat(400);
    const told = toldResult("raw_command", {
      data: `\u001b0\t1\u0000\t${"ж".repeat(400)}`,
      dataHex,
      statusHex: "",
    });
    expect(told).toEqual({ data: `0\t1\t${"ж".repeat(255)}`, dataHex, statusHex: "" });
  });

  test("is E902 where a reading has nothing that could be told", () => {
    const rates = [{ group: "VAT1", rate: -1, enabled: true }];
    expect(() => toldResult("get_vat_rates", { rates })).toThrow(FiscalError);
  });
});

test("a refusal and a stranger's name are cleaned wherever they are thrown", () => {
  const device = { code: "\u001b7", message: `no\r\npaper${"!".repeat(300)}` };
  const refusal = new FiscalError("E305", `refused (${device.message})`, { device });
  expect(refusal.device?.code).toBe("7");
  expect(refusal.device?.message).toHaveLength(255);
  expect(refusal.message).toStartWith("refused (no paper!");
  const stranger = new UnknownDevice("DX\u001b[31m");
  expect([stranger.model, stranger.message]).toEqual([
    "DX [31m",
    "This driver does not know the device DX [31m",
  ]);
});
