import { expect, test } from "bun:test";
import { remoteResult } from "./remote-result.ts";

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
  expect(remoteResult("print_receipt", success)).toEqual({ ...success, data: {} });
});

test("a password of an operator is not told, however deep it is", () => {
  const operators = [{ operatorId: 1, name: "Ana", password: "1234" }];
  expect(remoteResult("get_operators", { success: true, data: { operators } }).data).toEqual({
    operators: [{ operatorId: 1, name: "Ana" }],
  });
  const failure = { success: false, data: { outcome: "unknown", operatorPassword: "1234" } };
  expect(remoteResult("print_receipt", failure).data).toEqual({ outcome: "unknown" });
});

test("an instant is told in UTC, in whatever zone it came", () => {
  const dateTime = "2026-11-30T05:00:00+02:00";
  const told = { success: true, data: { dateTime: "2026-11-30T03:00:00.000Z" } };
  for (const type of ["get_date_time", "set_datetime"] as const) {
    expect(remoteResult(type, { success: true, data: { dateTime } })).toEqual(told);
  }
  const receipt = { issuedAt: dateTime, receiptNumber: "7" };
  expect(remoteResult("print_receipt", { success: true, data: receipt }).data).toEqual({
    ...{ issuedAt: told.data.dateTime, receiptNumber: "7" },
  });
});
