import { describe, expect, test } from "bun:test";
import { type TSchema, TypeGuard } from "@sinclair/typebox";
import { CATALOGUE, COMMAND_TYPES, type CommandType, effectOf } from "../command/catalogue.ts";
import { schemaCheckOf } from "../schema-check.ts";
import { remoteResult } from "./remote-result.ts";

const of = (type: CommandType) => {
  return { type, currency: "RON", payload: { operatorId: 2, receiptId: "0012" } };
};
const UNTOLD_RECEIPT = {
  ...{ receiptNumber: null, zReportNumber: null, fiscalMemorySerialNumber: null },
  ...{ issuedAt: null, totalAmount: null, change: null },
};
const UNEXPLAINED = { errorCode: "E900", errorMessage: "The controller did not say why" } as const;

test("a failure has a code and a text, also where the controller gave none", () => {
  expect(remoteResult(of("print_receipt"), { success: false })).toEqual({
    ...{ success: false, ...UNEXPLAINED },
  });
  expect(remoteResult(of("print_receipt"), { success: false, errorCode: "E306" })).toEqual({
    ...{ success: false, ...UNEXPLAINED, errorCode: "E306" },
  });
});

test("an outcome that is none of the words is not told", () => {
  const failure = { success: false, ...UNEXPLAINED, data: { outcome: "maybe" } };
  expect(remoteResult(of("print_receipt"), failure)).toEqual({ ...failure, data: {} });
});

test("what only reads has no outcome, whatever it came to", () => {
  const failure = { success: false, ...UNEXPLAINED, data: { outcome: "unknown" } };
  expect(remoteResult(of("get_info"), failure)).toEqual({ ...failure, data: {} });
  expect(remoteResult(of("print_receipt"), failure)).toEqual(failure);
});

test("a reason that is none of the codes, or names other than numbers, is not told", () => {
  const told = (doubt: unknown) =>
    remoteResult(of("print_receipt"), { success: false, data: { outcome: "unknown", doubt } }).data;
  const known = { code: "other_number", params: { number: 16, own: 15 } };
  expect(told(known)).toEqual({ outcome: "unknown", doubt: known });
  for (const wrong of ["other_number", { code: "maybe", params: {} }, { ...known, params: {} }]) {
    expect(told(wrong)).toEqual({ outcome: "unknown" });
  }
});

test("a success has data, also where the controller gave none", () => {
  const success = { success: true, fiscalId: "27" };
  expect(remoteResult(of("print_receipt"), success)).toEqual({ ...success, data: UNTOLD_RECEIPT });
  expect(remoteResult(of("open_drawer"), { success: true })).toEqual({ success: true, data: {} });
});

test("what is left out is told as null, however deep it is", () => {
  const told = (type: CommandType, data: object) =>
    remoteResult(of(type), { success: true, data: { ...data } }).data;
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
  const { data } = remoteResult(of("get_info"), { success: true, data: { info } });
  expect(data?.info).toEqual({
    ...{ serialNumber: "DT1", fiscalMemorySerialNumber: null, firmwareVersion: null },
    ...{ manufacturer: null, model: null },
  });
});

test("a read of which nothing is told is none, whatever may be null of it", () => {
  for (const type of ["get_logo_capabilities", "get_last_receipt_info", "get_status"] as const) {
    expect(remoteResult(of(type), { success: true, data: { other: 1 } }).data).toEqual({});
  }
  // Null would say that the printer has printed none.
  const lastReceipt = { receiptAmount: 12.5 };
  expect(
    remoteResult(of("get_last_receipt_info"), { success: true, data: { lastReceipt } }).data,
  ).toEqual({});
});

test("a number that does not fit is not told as none, which null would say", () => {
  const lastReceipt = { receiptNumber: 12, receiptAmount: 12.5 };
  expect(
    remoteResult(of("get_last_receipt_info"), { success: true, data: { lastReceipt } }).data,
  ).toEqual({});
});

test("what the gateway knows itself is told though its controller leaves it out", () => {
  const told = (type: CommandType, data: object) =>
    remoteResult(of(type), { success: true, data: { ...data } }).data;
  expect(told("get_cash_amount", { cashBalance: 12.5 })).toEqual({
    ...{ cashBalance: 12.5, currency: "RON" },
  });
  expect(told("void_receipt", {})).toEqual({ ...UNTOLD_RECEIPT, voidedReceiptId: "0012" });
  expect(told("set_operator", {})).toEqual({ operatorId: 2 });
  expect(told("z_report", { receiptCount: 3 })).toMatchObject({
    ...{ type: "z_report", receiptCount: 3 },
    totals: { gross: null, reversals: null, cashIn: null, cashOut: null, cashBalance: null },
  });
});

test("a password of an operator is not told, however deep it is", () => {
  const operators = [{ operatorId: 1, name: "Ana", password: "1234" }];
  expect(remoteResult(of("get_operators"), { success: true, data: { operators } }).data).toEqual({
    operators: [{ operatorId: 1, name: "Ana" }],
  });
  const failure = { success: false, data: { outcome: "unknown", operatorPassword: "1234" } };
  expect(remoteResult(of("print_receipt"), failure).data).toEqual({ outcome: "unknown" });
});

test("an instant is told in UTC and milliseconds, in whatever zone it came", () => {
  const dateTime = "2026-11-30T05:00:00+02:00";
  const told = { success: true, data: { dateTime: "2026-11-30T03:00:00.000Z" } };
  for (const said of [dateTime, "2026-11-30T03:00:00Z", "2026-11-30T03:00:00.000000Z"]) {
    for (const type of ["get_date_time", "set_datetime"] as const) {
      expect(remoteResult(of(type), { success: true, data: { dateTime: said } })).toEqual(told);
    }
  }
  const receipt = { issuedAt: dateTime, receiptNumber: "7" };
  expect(remoteResult(of("print_receipt"), { success: true, data: receipt }).data).toEqual({
    ...{ ...UNTOLD_RECEIPT, issuedAt: told.data.dateTime, receiptNumber: "7" },
  });
});

describe("a success that leaves one field out, or tells it wrong", () => {
  test.each(COMMAND_TYPES.filter((type) => effectOf(type) !== "none"))(
    "of %s, which has done something, is whole all the same",
    (type) => {
      const { result } = CATALOGUE[type];
      const whole = sampleOf(result) as Record<string, unknown>;
      expect(remoteResult(of(type), { success: true, data: whole }).data).toEqual(whole);
      for (const { path, data } of spoilt(whole)) {
        const told = remoteResult(of(type), { success: true, data }).data;
        const issues = schemaCheckOf(result).issues(told);
        expect({ path, issues, told }).toEqual({ path, issues: [], told });
      }
    },
  );

  test.each(COMMAND_TYPES.filter((type) => effectOf(type) === "none"))(
    "of %s, which only reads, is whole, or as good as none where nothing can stand for it",
    (type) => {
      const { result } = CATALOGUE[type];
      const whole = sampleOf(result) as Record<string, unknown>;
      expect(remoteResult(of(type), { success: true, data: whole }).data).toEqual(whole);
      const unanswered = new Set<string>();
      for (const { path, data } of spoilt(whole)) {
        const told = remoteResult(of(type), { success: true, data }).data;
        if (Bun.deepEquals(told, {})) unanswered.add(path);
        else expect([path, schemaCheckOf(result).issues(told)]).toEqual([path, []]);
      }
      expect([...unanswered]).toEqual([...(NEEDED[type] ?? [])]);
    },
  );
});

/** What a read cannot do without: nobody but the printer knows it, and it may not be null. */
const NEEDED: Partial<Record<CommandType, readonly string[]>> = {
  get_operators: ["operators", "operators.0.operatorId", "operators.0.name"],
  get_info: ["info"],
  // Null, or none told, would say of either number that nothing was printed.
  get_last_receipt_info: ["lastReceipt", "lastReceipt.receiptNumber", "lastDocumentNumber"],
  get_date_time: ["dateTime"],
  get_vat_rates: ["rates", "rates.0.group", "rates.0.rate", "rates.0.enabled"],
  get_vat_capabilities: ["maxRates", "groups", "namesProgrammable"],
  get_header_footer_capabilities: ["maxHeaderLines", "maxFooterLines", "maxCharsPerLine"],
  get_header_footer: ["header", "footer"],
  get_operator_capabilities: [
    ...["maxOperators", "maxNameLength", "maxPasswordLength", "supportsPassword"],
    ...["passwordChangeRequiresOldPassword", "canGetOperators"],
  ],
};

/** Each way to leave out or to garble one field, however deep it is. */
function spoilt(whole: Record<string, unknown>) {
  const paths = (value: unknown, at: readonly string[] = []): (readonly string[])[] =>
    typeof value !== "object" || value === null
      ? []
      : Object.entries(value).flatMap(([name, inner]) => [
          ...(Array.isArray(value) ? [] : [[...at, name]]),
          ...paths(inner, [...at, name]),
        ]);
  return paths(whole).flatMap((path) =>
    [undefined, null, { odd: true }].map((wrong) => {
      const data = structuredClone(whole);
      const last = path.at(-1) ?? "";
      // biome-ignore lint/suspicious/noExplicitAny: it goes down whatever the path names
      const holder: any = path.slice(0, -1).reduce((at: any, name) => at[name], data);
      if (wrong === undefined) delete holder[last];
      else holder[last] = wrong;
      return { path: path.join("."), data };
    }),
  );
}

/** A value that has all that its schema names. */
function sampleOf(schema: TSchema): unknown {
  if (TypeGuard.IsUnion(schema)) return sampleOf(schema.anyOf[0] as TSchema);
  if (TypeGuard.IsLiteral(schema)) return schema.const;
  if (TypeGuard.IsArray(schema)) return [sampleOf(schema.items)];
  if (TypeGuard.IsObject(schema)) {
    const fields = Object.entries(schema.properties);
    return Object.fromEntries(fields.map(([name, field]) => [name, sampleOf(field)]));
  }
  if (TypeGuard.IsBoolean(schema)) return true;
  if (TypeGuard.IsNumber(schema) || TypeGuard.IsInteger(schema)) return 2;
  const texts = ["2026-11-30T03:00:00.000Z", "VAT2", "0a", "RON"];
  return texts.find((text) => schemaCheckOf(schema).accepts(text));
}

describe("a receipt of which only the number on its paper is told", () => {
  const idOf = (driver: string, data: object, success = true) => {
    const failed = success ? {} : { errorCode: "E306" as const };
    const told = { success, ...failed, data: { ...data } };
    return remoteResult(of("print_receipt"), told, driver).fiscalId;
  };

  test.each([
    ["vendorA.isl", { receiptNumber: "28", zReportNumber: "12" }, "28"],
    ["vendorE.zfp", { receiptNumber: "28" }, "28"],
    ["custom.serial", { receiptNumber: "34", zReportNumber: "12" }, "0012-0034"],
    ["custom.serial", { receiptNumber: "34" }, "34"],
    ["vendorA.isl", { receiptNumber: null }, undefined],
    // No person could say it, and no printer takes a receipt back by it.
    ["vendorA.isl", { receiptNumber: "A/28" }, undefined],
    // Documents and receipts are counted apart: it is another one.
    ["vendorF.shtrih", { receiptNumber: "28" }, undefined],
  ])("has on %s of %j the id %p", (driver, data, fiscalId) => {
    expect(idOf(driver, data)).toBe(fiscalId);
    expect(idOf(driver, { ...data, outcome: "printed" }, false)).toBe(fiscalId);
  });

  test("has none where it was not printed, or is no receipt", () => {
    const data = { receiptNumber: "28" };
    expect(idOf("vendorA.isl", { ...data, outcome: "not_printed" }, false)).toBeUndefined();
    const report = remoteResult(of("z_report"), { success: true, data }, "vendorA.isl");
    expect(report.fiscalId).toBeUndefined();
  });
});
