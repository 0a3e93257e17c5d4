import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { COMMAND_TYPES, type CommandType } from "#core/command/catalogue.ts";
import { type CommandsBench, createCommandsBench, SALE } from "./testing/commands-bench.ts";

/** A payload that is refused, and where the fault is said to be, below `payload`. */
type Bad = readonly [path: string, payload: unknown];

interface Examples {
  readonly good: readonly unknown[];
  readonly bad: readonly Bad[];
}

const [BREAD] = SALE.items;
const item = (change: object) => ({ ...SALE, items: [{ ...BREAD, ...change }] });
const paying = (...payments: unknown[]) => ({ ...SALE, payments });
const adjusted = (modifier: object, amount: number) => ({
  ...paying({ method: "cash", amount }),
  subtotalModifiers: [modifier],
});

const DISCOUNT = { type: "discount-amount", value: 0.5 };
const ALL_OFF = { type: "discount-amount", value: 3 };
const FEE = { type: "surcharge-amount", value: 0.5 };
/** Ten lines of 0.333 each: rounded one by one they come to 3.30, together to 3.33. */
const tenLines = (amount: number) => ({
  items: Array.from({ length: 10 }, () => ({ ...BREAD, quantity: 0.333, price: 1 })),
  payments: [{ method: "cash", amount }],
});

/** It comes to the largest amount. */
const MOST = { ...BREAD, quantity: 1, price: 99_999_999.99 };

const STORNO = {
  uniqueSaleNumber: "DT123456-0001-0000001",
  originalReceiptNumber: "26",
  originalReceiptDateTime: "2026-01-14T10:00:00Z",
  fiscalMemorySerialNumber: "02123456",
  reason: "operator-error",
  items: SALE.items,
};
const { reason: _reason, ...STORNO_WITHOUT_REASON } = STORNO;
const storno = (...payments: unknown[]) => ({ ...STORNO, payments });
const rate = (change: object) => ({
  rates: [{ group: "VAT1", rate: 21, enabled: true, ...change }],
});
const lines = (count: number) => Array.from({ length: count }, () => "line");
const OPERATOR = { operatorId: 1, name: "Ana" };
const WIDE = "x".repeat(48);

/** Types that take none: an empty object, and whatever else it holds is ignored. */
const NONE: Examples = { good: [{}, { colour: "red" }], bad: [["", "none"]] };
const CASH: Examples = {
  good: [{ amount: 0.01 }, { amount: 99_999_999.99, description: WIDE }],
  bad: [
    ["amount", {}],
    ["amount", { amount: 0 }],
    ["amount", { amount: -1 }],
    ["amount", { amount: "5" }],
    ["amount", { amount: 1.001 }],
    ["amount", { amount: 100_000_000 }],
    ["description", { amount: 1, description: `${WIDE}x` }],
  ],
};

const EXAMPLES = {
  print_receipt: {
    good: [
      SALE,
      item({ vatGroup: "exempt" }),
      item({ vatGroup: "VAT16", department: 3, unit: "pcs", colour: "brown" }),
      item({ quantity: 0.001, price: 3000 }),
      // 3 x 0.333 is 0.999, paid as 1.00: within the tolerance of 0.01.
      { ...item({ quantity: 0.333, price: 3 }), payments: [{ method: "card", amount: 1 }] },
      paying({ method: "cash", amount: 1 }, { method: "meal-vouchers", amount: 2 }),
      paying({ method: "cash", amount: 3.01 }),
      adjusted({ type: "discount-amount", value: 0.5 }, 2.5),
      adjusted({ type: "surcharge-amount", value: 0.1 }, 3.1),
      { ...paying({ method: "cash", amount: 0.5 }), subtotalModifiers: [FEE, ALL_OFF] },
      adjusted(ALL_OFF, 0.01),
      { ...SALE, items: [...SALE.items, { ...BREAD, price: 0 }] },
      // Half a unit is rounded up: 1.5 x 0.99 is 1.485.
      { ...item({ quantity: 1.5, price: 0.99 }), payments: [{ method: "card", amount: 1.49 }] },
      // Each line is rounded by itself, as printers do.
      tenLines(3.3),
      { items: [MOST], payments: [{ method: "bank", amount: 99_999_999.99 }] },
      item({ sku: "4006381333931", note: "warm" }),
      { ...SALE, customerCif: "RO123", uniqueSaleNumber: "DT123456-0001-0000001" },
      { ...SALE, operatorId: 1, operatorPassword: "12345678" },
    ],
    bad: [
      ["items", { payments: SALE.payments }],
      ["items", { ...SALE, items: [] }],
      ["items", { ...SALE, items: Array.from({ length: 501 }, () => BREAD) }],
      ["items", { ...SALE, items: [MOST, { ...BREAD, price: 0.01 }] }],
      ["items.0", { ...SALE, items: ["Bread"] }],
      ["items.1.name", { ...SALE, items: [BREAD, { ...BREAD, name: "" }] }],
      ["items.0.name", item({ name: 5 })],
      ["items.0.quantity", item({ quantity: "2" })],
      ["items.0.quantity", item({ quantity: 0 })],
      ["items.0.quantity", item({ quantity: -1 })],
      ["items.0.quantity", item({ quantity: 1.0001 })],
      ["items.0.quantity", item({ quantity: 1_000_000 })],
      ["items.0.price", item({ price: "1.5" })],
      ["items.0.price", item({ price: -0.01 })],
      ["items.0.price", item({ price: 1.001 })],
      ["items.0.price", item({ price: 1e21 })],
      ["items.0.price", item({ price: null })],
      ["items.0.vatGroup", item({ vatGroup: "VAT17" })],
      ["items.0.vatGroup", item({ vatGroup: "VAT0" })],
      ["items.0.vatGroup", item({ vatGroup: "A" })],
      ["items.0.department", item({ department: 1.5 })],
      ["payments", { items: SALE.items }],
      ["payments", paying()],
      ["payments", paying({ method: "cash", amount: 2.98 })],
      ["payments", paying({ method: "cash", amount: 3.02 })],
      ["payments", adjusted({ type: "discount-amount", value: 0.5 }, 3)],
      ["payments", tenLines(3.33)],
      ["items.0.discount", item({ discount: 0.5 })],
      ["items.0.vat_group", item({ vat_group: "VAT2" })],
      ["items.0.unitPrice", item({ unitPrice: 2 })],
      ["items.0.quantityUnit", item({ quantityUnit: "kg" })],
      ["items.0.net", item({ net: 1.2 })],
      ["payments.0.sum", paying({ method: "cash", amount: 3, sum: 4 })],
      ["subtotalModifiers.0.percent_rate", adjusted({ ...DISCOUNT, percent_rate: 5 }, 2.5)],
      ["payments.0.amonut", paying({ method: "cash", amount: 3, amonut: 4 })],
      ["payments.0.method", paying({ method: "gold", amount: 3 })],
      ["payments.0.method", paying({ type: "cash", amount: 3 })],
      ["payments.0.amount", paying({ method: "cash", amount: "3" })],
      ["payments.1.amount", paying({ method: "cash", amount: 3 }, { method: "card", amount: 0 })],
      ["payments.0.amount", paying({ method: "cash", amount: 3.001 })],
      ["subtotalModifiers.0.type", adjusted({ type: "discount-percent", value: 1 }, 2)],
      ["subtotalModifiers.0.value", adjusted({ type: "discount-amount", value: 0 }, 3)],
      ["subtotalModifiers.0.value", adjusted({ type: "discount-amount", value: 0.001 }, 3)],
      ["subtotalModifiers.0.value", adjusted({ type: "discount-amount", value: 3.01 }, 0.01)],
      ["subtotalModifiers.0.value", adjusted({ type: "surcharge-amount", value: 99_999_997 }, 3)],
      [
        "subtotalModifiers.1.value",
        { ...paying({ method: "cash", amount: 0.5 }), subtotalModifiers: [ALL_OFF, FEE] },
      ],
      ["uniqueSaleNumber", { ...SALE, uniqueSaleNumber: "27" }],
      ["operatorId", { ...SALE, operatorId: 0 }],
      ["operatorPassword", { ...SALE, operatorPassword: "123456789" }],
    ],
  },
  void_receipt: {
    good: [{ receiptId: "27" }],
    bad: [
      ["receiptId", {}],
      ["receiptId", { receiptId: "" }],
      ["receiptId", { receiptId: 27 }],
    ],
  },
  print_reversal_receipt: {
    good: [
      STORNO,
      { ...STORNO, originalReceiptDateTime: "2026-01-14T10:00:00" },
      { ...STORNO, originalZReportNumber: "12", uniqueSaleNumber: "any string" },
      storno({ method: "cash", amount: 3 }),
      storno({ type: "cash", amount: 3 }),
      storno({ method: "card", type: "card", amount: 3 }),
      { ...STORNO, uniqueSaleNumber: "sale 26/2026" },
    ],
    bad: [
      ["reason", STORNO_WITHOUT_REASON],
      ["reason", { ...STORNO, reason: "mistake" }],
      ["items", { ...STORNO, items: [] }],
      ["items", { ...STORNO, items: [{ ...MOST, quantity: 999_999.999 }] }],
      ["items.0.price", { ...STORNO, items: [{ ...BREAD, price: 1.001 }] }],
      ["originalReceiptDateTime", { ...STORNO, originalReceiptDateTime: "2024-02-31T10:00:00" }],
      ["originalReceiptDateTime", { ...STORNO, originalReceiptDateTime: "2026-01-14" }],
      ["originalReceiptDateTime", { ...STORNO, originalReceiptDateTime: "14.01.2026" }],
      ["originalReceiptNumber", { ...STORNO, originalReceiptNumber: 26 }],
      ["uniqueSaleNumber", { ...STORNO, uniqueSaleNumber: 26 }],
      ["uniqueSaleNumber", { ...STORNO, uniqueSaleNumber: "2".repeat(256) }],
      ["fiscalMemorySerialNumber", { ...STORNO, fiscalMemorySerialNumber: "" }],
      ["payments", storno()],
      ["payments", storno({ method: "cash", amount: 2 })],
      ["payments.0.total", storno({ method: "cash", amount: 3, total: 3 })],
      ["payments.0.method", storno({ amount: 3 })],
      ["payments.0.type", storno({ method: "cash", type: "card", amount: 3 })],
      ["payments.0.type", storno({ type: "gold", amount: 3 })],
    ],
  },
  void_open_receipt: NONE,
  print_duplicate: NONE,
  non_fiscal_receipt: {
    good: [{ lines: [WIDE], header: WIDE }, { lines: ["", ""] }],
    bad: [
      ["lines", {}],
      ["lines", { lines: [] }],
      ["lines", { lines: "one" }],
      ["lines.1", { lines: ["one", `${WIDE}x`] }],
      ["lines.0", { lines: [1] }],
      ["header", { lines: ["one"], header: `${WIDE}x` }],
    ],
  },
  x_report: NONE,
  z_report: NONE,
  cash_in: CASH,
  cash_out: CASH,
  get_cash_amount: NONE,
  open_drawer: NONE,
  set_datetime: {
    good: [
      {},
      { datetime: "2024-02-29T23:59:59" },
      { datetime: "2024-02-29T23:59:59Z" },
      { datetime: "2026-01-15T12:00:00+02:00" },
    ],
    bad: [
      ["datetime", { datetime: "2024-02-31T00:00:00" }],
      ["datetime", { datetime: "2026-11-22" }],
      ["datetime", { datetime: "2023-02-29T00:00:00Z" }],
      ["datetime", { datetime: "2026-01-15T25:00:00Z" }],
      ["datetime", { datetime: "tomorrow" }],
      ["datetime", { datetime: "" }],
      ["datetime", { datetime: 1_768_471_200_000 }],
      ["datetime", { datetime: null }],
    ],
  },
  set_logo: {
    good: [{ logo: "Qk0=" }],
    bad: [
      ["logo", {}],
      ["logo", { logo: "" }],
      ["logo", { logo: "Qk0" }],
      ["logo", { logo: "Qk0*" }],
      ["logo", { logo: "data:image/bmp;base64,Qk0=" }],
      ["logo", { logo: [66, 77] }],
    ],
  },
  delete_logo: NONE,
  set_vat_rates: {
    good: [rate({}), rate({ group: "VAT16", rate: 0, enabled: false }), rate({ rate: 5.5 })],
    bad: [
      ["rates", {}],
      ["rates", { rates: [] }],
      ["rates.0.group", rate({ group: "exempt" })],
      ["rates.0.group", rate({ group: "VAT17" })],
      ["rates.1.group", { rates: [...rate({}).rates, ...rate({ rate: 9 }).rates] }],
      ["rates.0.rate", rate({ rate: -1 })],
      ["rates.0.rate", rate({ rate: 5.555 })],
      ["rates.0.rate", rate({ rate: "21" })],
      ["rates.0.enabled", rate({ enabled: 1 })],
      ["rates.0.enabled", rate({ enabled: undefined })],
    ],
  },
  set_header_footer: {
    good: [
      { header: [], footer: [] },
      { header: lines(10), footer: [WIDE] },
    ],
    bad: [
      ["footer", { header: [] }],
      ["header", { header: lines(11), footer: [] }],
      ["footer", { header: [], footer: lines(11) }],
      ["header.0", { header: [`${WIDE}x`], footer: [] }],
      ["footer.0", { header: [], footer: [5] }],
    ],
  },
  set_operator: {
    good: [
      OPERATOR,
      { operatorId: 30, name: "x".repeat(32), password: "12345678", oldPassword: "" },
    ],
    bad: [
      ["operatorId", { name: "Ana" }],
      ["operatorId", { ...OPERATOR, operatorId: 0 }],
      ["operatorId", { ...OPERATOR, operatorId: 1.5 }],
      ["operatorId", { ...OPERATOR, operatorId: "1" }],
      ["name", { operatorId: 1 }],
      ["name", { ...OPERATOR, name: "" }],
      ["name", { ...OPERATOR, name: "x".repeat(33) }],
      ["password", { ...OPERATOR, password: "123456789" }],
      ["password", { ...OPERATOR, password: 1234 }],
      ["oldPassword", { ...OPERATOR, oldPassword: "123456789" }],
    ],
  },
  get_operators: NONE,
  get_status: NONE,
  get_info: NONE,
  get_last_receipt_info: NONE,
  get_date_time: NONE,
  get_vat_rates: NONE,
  get_vat_capabilities: NONE,
  get_header_footer_capabilities: NONE,
  get_header_footer: NONE,
  get_logo_capabilities: NONE,
  get_operator_capabilities: NONE,
  // The driver alone knows what is right here.
  raw_command: { good: [{}, { command: 74 }, { anything: ["goes"] }], bad: [["", ["goes"]]] },
} satisfies Record<CommandType, Examples>;

let bench: CommandsBench;
beforeAll(async () => {
  bench = await createCommandsBench();
});
afterAll(() => bench.close());

describe.each(COMMAND_TYPES)("the payload of %s", (type) => {
  const { good, bad }: Examples = EXAMPLES[type];

  test.each(good.map((payload) => [payload]))("may be %j", async (payload) => {
    const before = bench.rows();
    const answer = await bench.submit(type, payload);
    expect([answer.refusal, answer.issuePaths]).toEqual(["202", []]);
    expect(bench.rows()).toEqual({ ...before, commands: before.commands + 1 });
  });

  test.each([...bad])("is refused at %p in %j", async (path, payload) => {
    const before = bench.rows();
    const answer = await bench.submit(type, payload);
    const paths = [path === "" ? "payload" : `payload.${path}`];
    expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", paths]);
    expect(bench.rows()).toEqual(before);
  });
});

/** As the contract lists them. */
const TENDERS = [
  ...["cash", "card", "check", "credit", "coupons", "meal-vouchers", "value-tickets", "voucher"],
  ...["modern-payment", "card-advance", "foreign-currency", "bank", "ext-coupons", "packaging"],
  ...["internal-usage", "damage", "reserved1", "reserved2", "other"],
];

test("every tender of the contract is taken, and no other", async () => {
  for (const method of TENDERS) {
    const payload = paying({ method, amount: 3 });
    expect([method, (await bench.submit("print_receipt", payload)).status]).toEqual([method, 202]);
  }
  for (const method of ["", "Cash", "cheque", "reserved3"]) {
    const answer = await bench.submit("print_receipt", paying({ method, amount: 3 }));
    expect(answer.issuePaths).toEqual(["payload.payments.0.method"]);
  }
});

test("a reversal names all that it lacks", async () => {
  const { issuePaths } = await bench.submit("print_reversal_receipt", {});
  expect(issuePaths.toSorted()).toEqual([
    ...["payload.fiscalMemorySerialNumber", "payload.items", "payload.originalReceiptDateTime"],
    ...["payload.originalReceiptNumber", "payload.reason", "payload.uniqueSaleNumber"],
  ]);
});

test("every reason of a reversal is taken, and no other", async () => {
  for (const reason of ["operator-error", "refund", "tax-base-reduction"]) {
    const answer = await bench.submit("print_reversal_receipt", { ...STORNO, reason });
    expect([reason, answer.status]).toEqual([reason, 202]);
  }
  for (const reason of ["", "Refund", "storno"]) {
    const answer = await bench.submit("print_reversal_receipt", { ...STORNO, reason });
    expect(answer.issuePaths).toEqual(["payload.reason"]);
  }
});

test("every fault of a payload is named", async () => {
  const answer = await bench.submit("print_receipt", {
    items: [{ ...BREAD, price: 1.001, quantity: 1.0001 }],
    payments: [{ method: "cash", amount: 0.001 }],
  });
  expect(answer.issuePaths).toEqual([
    "payload.items.0.quantity",
    "payload.items.0.price",
    "payload.payments.0.amount",
  ]);
});

test("a strange word on a line is told what the known one is", async () => {
  const words = { qty: 3, tva: 9, rebate: 0.5, uom: "kg", gross: 3, sku: "A-1" };
  const answer = await bench.submit("print_receipt", item(words));
  const told = (word: string, known: string) => ({
    path: `payload.items.0.${word}`,
    message: `Unknown word; the known ${known}`,
  });
  expect(answer.body).toMatchObject({
    error: {
      details: [
        told("qty", "one is quantity"),
        told("tva", "one is vatGroup"),
        told("rebate", "one is price: lower it, or add to subtotalModifiers"),
        told("uom", "one is unit"),
        told("gross", "ones are quantity and price"),
      ],
    },
  });
});

test("sums that differ are both named", async () => {
  const answer = await bench.submit("print_receipt", adjusted(DISCOUNT, 3));
  expect(answer.body).toMatchObject({
    error: {
      details: [
        {
          path: "payload.payments",
          message: "The items and adjustments come to 2.50, the payments to 3.00",
        },
      ],
    },
  });
});

describe("a payload is bounded", () => {
  const filled = (bytes: number) => ({ note: "x".repeat(bytes - '{"note":""}'.length) });

  test("by 64 KiB, whatever its type", async () => {
    for (const type of ["raw_command", "get_status"] as const) {
      expect((await bench.submit(type, filled(65_536))).status).toBe(202);
      const answer = await bench.submit(type, filled(65_537));
      expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", ["payload"]]);
      expect(answer.text).toContain("65536 bytes");
    }
  });

  test("by 700,000 characters for a logo", async () => {
    const logo = (characters: number) => ({ logo: "A".repeat(characters) });
    expect((await bench.submit("set_logo", logo(700_000))).status).toBe(202);
    const answer = await bench.submit("set_logo", logo(700_004));
    expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", ["payload.logo"]]);
  });

  test("by 32 levels", async () => {
    const nested = (levels: number) => {
      let value: unknown = {};
      for (let level = 1; level < levels; level++) value = { in: value };
      return value;
    };
    expect((await bench.submit("raw_command", nested(32))).status).toBe(202);
    expect((await bench.submit("raw_command", nested(33))).refusal).toBe("400 BAD_REQUEST");
  });
});
