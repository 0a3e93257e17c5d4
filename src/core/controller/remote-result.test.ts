import { expect, test } from "bun:test";
import type { CommandType } from "../command/catalogue.ts";
import { remoteResult } from "./remote-result.ts";

const UNTOLD_RECEIPT = {
  ...{ receiptNumber: null, zReportNumber: null, fiscalMemorySerialNumber: null },
  ...{ issuedAt: null, totalAmount: null, change: null },
};
const UNEXPLAINED = { errorCode: "E900", errorMessage: "The controller did not say why" } as const;

test("a failure has a code and a text, also where the controller gave none", () => {
  expect(remoteResult("print_receipt", { success: false })).toEqual({
    ...{ success: false, ...UNEXPLAINED },
  });
  expect(remoteResult("print_receipt", { success: false, errorCode: "E306" })).toEqual({
    ...{ success: false, ...UNEXPLAINED, errorCode: "E306" },
  });
});

test("an outcome that is none of the words is not told", () => {
  const failure = { success: false, ...UNEXPLAINED, data: { outcome: "maybe" } };
  expect(remoteResult("print_receipt", failure)).toEqual({ ...failure, data: {} });
});

test("what only reads has no outcome, whatever it came to", () => {
  const failure = { success: false, ...UNEXPLAINED, data: { outcome: "unknown" } };
  expect(remoteResult("get_info", failure)).toEqual({ ...failure, data: {} });
  expect(remoteResult("print_receipt", failure)).toEqual(failure);
});

test("a reason that is none of the codes, or names other than numbers, is not told", () => {
  const told = (doubt: unknown) =>
    remoteResult("print_receipt", { success: false, data: { outcome: "unknown", doubt } }).data;
  const known = { code: "other_number", params: { number: 16, own: 15 } };
  expect(told(known)).toEqual({ outcome: "unknown", doubt: known });
  for (const wrong of ["other_number", { code: "maybe", params: {} }, { ...known, params: {} }]) {
    expect(told(wrong)).toEqual({ outcome: "unknown" });
  }
});

test("a success has data, also where the controller gave none", () => {
  const success = { success: true, fiscalId: "27" };
  expect(remoteResult("print_receipt", success)).toEqual({ ...success, data: UNTOLD_RECEIPT });
  expect(remoteResult("open_drawer", { success: true })).toEqual({ success: true, data: {} });
});

test("what is left out is told as null, however deep it is", () => {
  const told = (type: CommandType, data: object) =>
    remoteResult(type, { success: true, data: { ...data } }).data;
  expect(told("print_receipt", { receiptNumber: "12" })).toEqual({
    ...{ ...UNTOLD_RECEIPT, receiptNumber: "12" },
  });
  expect(told("get_info", { info: { serialNumber: "DT1" } })).toEqual({
    info: {
      ...{ serialNumber: "DT1", fiscalMemorySerialNumber: null, firmwareVersion: null },
      ...{ manufacturer: null, model: null },
    },
  });
  const vat = [{ group: "VAT1", turnover: 12.5 }];
  expect(told("x_report", { vat })).toMatchObject({
    ...{ vat: [{ ...vat[0], rate: null, tax: null }], receiptCount: null, closedAt: null },
  });
});

test("what need not be told, and cannot be used, is left out without the rest", () => {
  const info = { serialNumber: "DT1", charsPerLine: "48", reversalTenders: ["gold"] };
  const { data } = remoteResult("get_info", { success: true, data: { info } });
  expect(data?.info).toEqual({
    ...{ serialNumber: "DT1", fiscalMemorySerialNumber: null, firmwareVersion: null },
    ...{ manufacturer: null, model: null },
  });
});

test("a read of which nothing is told is none, whatever may be null of it", () => {
  for (const type of ["get_logo_capabilities", "get_last_receipt_info", "get_status"] as const) {
    expect(remoteResult(type, { success: true, data: { other: 1 } }).data).toEqual({});
  }
  // Null would say that the printer has printed none.
  const lastReceipt = { receiptAmount: 12.5 };
  expect(
    remoteResult("get_last_receipt_info", { success: true, data: { lastReceipt } }).data,
  ).toEqual({});
});

test("a password of an operator is not told, however deep it is", () => {
  const operators = [{ operatorId: 1, name: "Ana", password: "1234" }];
  expect(remoteResult("get_operators", { success: true, data: { operators } }).data).toEqual({
    operators: [{ operatorId: 1, name: "Ana" }],
  });
  const failure = { success: false, data: { outcome: "unknown", operatorPassword: "1234" } };
  expect(remoteResult("print_receipt", failure).data).toEqual({ outcome: "unknown" });
});

test("an instant is told in UTC and milliseconds, in whatever zone it came", () => {
  const dateTime = "2026-11-30T05:00:00+02:00";
  const told = { success: true, data: { dateTime: "2026-11-30T03:00:00.000Z" } };
  for (const said of [dateTime, "2026-11-30T03:00:00Z", "2026-11-30T03:00:00.000000Z"]) {
    for (const type of ["get_date_time", "set_datetime"] as const) {
      expect(remoteResult(type, { success: true, data: { dateTime: said } })).toEqual(told);
    }
  }
  const receipt = { issuedAt: dateTime, receiptNumber: "7" };
  expect(remoteResult("print_receipt", { success: true, data: receipt }).data).toEqual({
    ...{ ...UNTOLD_RECEIPT, issuedAt: told.data.dateTime, receiptNumber: "7" },
  });
});
