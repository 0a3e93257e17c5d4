import { describe, expect, test } from "bun:test";
import type { Payment, ReceiptItem, SaleDocument, StornoDocument } from "#core/receipt.ts";
import { isVatGroup } from "#core/vat.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";
import type { IslDialect } from "./dialect.ts";
import { c } from "./dialects/c.ts";
import { p } from "./dialects/p.ts";
import { roX } from "./dialects/ro-x.ts";
import { x } from "./dialects/x.ts";
import { type DocumentPlan, planDocument } from "./plan.ts";
import { fillTemplate } from "./template.ts";

function item(changes: Partial<Omit<ReceiptItem, "vatGroup">> & { vatGroup?: string } = {}) {
  const vatGroup = changes.vatGroup ?? "VAT2";
  if (!isVatGroup(vatGroup)) throw new RangeError(vatGroup);
  const plain = { name: "Coffee", quantityMilli: 1000, priceMinor: 250 };
  return { ...plain, department: undefined, unit: undefined, ...changes, vatGroup };
}

function cash(amountMinor: number): Payment {
  return { method: "cash", amountMinor };
}

function sale(changes: Partial<SaleDocument> = {}): SaleDocument {
  return {
    kind: "sale",
    items: [item()],
    modifiers: [],
    payments: [cash(250)],
    customerCif: undefined,
    uniqueSaleNumber: "DT577430-0001-0000001",
    operatorId: undefined,
    operatorPassword: undefined,
    ...changes,
  };
}

const STORNO: StornoDocument = {
  kind: "storno",
  reason: "refund",
  items: [item()],
  payments: [cash(250)],
  uniqueSaleNumber: "DT577430-0001-0000001",
  operatorId: undefined,
  operatorPassword: undefined,
  original: {
    receiptNumber: "0000026",
    issuedAt: Date.UTC(2024, 6, 15, 11, 5, 9),
    fiscalMemorySerialNumber: "02577430",
    zReportNumber: undefined,
  },
};

const RATES = ["0.00", "20.00", "20.00", "9.00", ...Array.from({ length: 4 }, () => undefined)];

function plan(document: SaleDocument | StornoDocument, dialect: IslDialect = x): DocumentPlan {
  return planDocument(document, {
    dialect,
    timezone: "Europe/Sofia",
    model: "FP-700X",
    lineWidth: 46,
    nameWidth: dialect.widths.name,
    vatRates: dialect === x ? RATES : [],
  });
}

function dataOf(step: { action: string; values: Record<string, string> }, dialect: IslDialect) {
  const action = Object.entries(dialect.actions).find(([name]) => name === step.action)?.[1];
  return fillTemplate(action?.request ?? "", step.values);
}

function firstLine(document: SaleDocument, dialect: IslDialect): string {
  const [line] = plan(document, dialect).lines;
  return line ? dataOf(line, dialect) : "";
}

describe("a planned document", () => {
  test("knows what the device must count after each of its frames", () => {
    const { lines, payments } = plan(
      sale({
        items: [item({ quantityMilli: 1500, priceMinor: 333 }), item()],
        modifiers: [{ kind: "discount", amountMinor: 50 }],
        payments: [{ method: "card", amountMinor: 300 }, cash(400)],
      }),
    );
    expect(lines.map(({ after }) => [after.items, after.amountMinor])).toEqual([
      [1, 500],
      [2, 750],
      [2, 700],
    ]);
    expect(payments.map(({ after }) => after.paidMinor)).toEqual([300, 700]);
  });

  test("opens with the maker's password where none is given", () => {
    expect(dataOf(plan(sale()).open, x)).toBe("1\t0000\tDT577430-0001-0000001\t1\t\t");
    expect(dataOf(plan(sale({ operatorId: 3 }), c).open, c)).toBe("3,3,DT577430-0001-0000001,1");
    const given = sale({ operatorId: 2, operatorPassword: "4711" });
    expect(dataOf(plan(given, p).open, p)).toBe("2,4711,1,DT577430-0001-0000001");
  });

  test("gives a Romanian device the customer's code, and a Bulgarian one a line of text", () => {
    const customer = sale({ customerCif: "RO123456", uniqueSaleNumber: undefined });
    expect(dataOf(plan(customer, roX).open, roX)).toBe("1\t0000\t1\tI\tRO123456\t");
    expect(dataOf(plan(sale(), roX).open, roX)).toBe("1\t0000\t1\t");
    expect(firstLine(sale({ customerCif: "131129282" }), x)).toBe("ЕИК 131129282\t");
  });

  test("opens a storno with the original's local time", () => {
    const { open } = plan(STORNO);
    expect(dataOf(open, x)).toBe(
      "1\t0000\t1\t1\t26\t15-07-24 14:05:09\t02577430\t\t\t\tDT577430-0001-0000001\t",
    );
  });

  test("writes sales as each dialect does", () => {
    const weighed = sale({
      items: [item({ quantityMilli: 2500, priceMinor: 330, unit: "kg", department: 7 })],
      payments: [cash(825)],
    });
    expect(firstLine(weighed, x)).toBe("Coffee\t2\t3.30\t2.500\t\t\t7\tkg\t");
    expect(firstLine(weighed, p)).toBe("Coffee\tБ3.30*2.500#kg");
    expect(firstLine(weighed, c)).toBe("Coffee\tБ3.30*2.500");
    expect(firstLine(sale(), p)).toBe("Coffee\tБ2.50");
    expect(firstLine(sale(), roX)).toBe("Coffee\t2\t2.50\t1.000\t\t\t\tBUC\t");
  });

  test("cuts names, puts them on two lines where there are two, and lets no control byte in", () => {
    const long = "A".repeat(30) + "B".repeat(300);
    expect(firstLine(sale({ items: [item({ name: long })] }), c)).toStartWith(
      `${"A".repeat(22)}\n${"A".repeat(8)}${"B".repeat(14)}\t`,
    );
    expect(firstLine(sale({ items: [item({ name: long })] }), x)).toStartWith(
      `${"A".repeat(30)}${"B".repeat(42)}\t2`,
    );
    expect(firstLine(sale({ items: [item({ name: "a\tb\nc\u0001" })] }), x)).toStartWith("a b c\t");
  });

  test("cuts what is written in more letters than it has as it is written", () => {
    const ofName = (name: string) => firstLine(sale({ items: [item({ name })] }), roX).split("\t");
    expect(ofName("…".repeat(72))[0]).toBe(".".repeat(72));
    expect(ofName(`${"A".repeat(70)}€`)[0]).toBe(`${"A".repeat(70)}EU`);
    const [line] = plan(sale({ items: [item({ unit: "€€€€" })] }), roX).lines;
    expect(line?.values.unit).toBe("EUREUREUREUR".slice(0, roX.widths.unit));
  });

  test("takes exempt for the first group whose rate is zero", () => {
    expect(firstLine(sale({ items: [item({ vatGroup: "exempt" })] }), x)).toStartWith("Coffee\t1");
  });

  test("sets the last tender right by one minor unit, and drops one that is nothing then", () => {
    expect(plan(sale({ payments: [cash(251)] })).tenders).toEqual([cash(250)]);
    expect(plan(sale({ payments: [cash(249)] })).tenders).toEqual([cash(250)]);
    expect(plan(sale({ payments: [cash(250), cash(1)] })).tenders).toEqual([cash(250)]);
  });
});

const FAULTS: readonly (readonly [string, string, () => unknown])[] = [
  ["E401", "no unique sale number", () => plan(sale({ uniqueSaleNumber: undefined }))],
  ["E402", "payments that differ", () => plan(sale({ payments: [cash(252)] }))],
  [
    "E402",
    "a total of zero",
    () => plan(sale({ items: [item({ priceMinor: 0 })], payments: [cash(1)] })),
  ],
  [
    "E402",
    "discounts larger than the receipt",
    () => plan(sale({ modifiers: [{ kind: "discount", amountMinor: 300 }] })),
  ],
  [
    "E402",
    "a surcharge on goods for nothing",
    () =>
      plan(
        sale({
          items: [item({ priceMinor: 0 })],
          modifiers: [{ kind: "surcharge", amountMinor: 250 }],
        }),
      ),
  ],
  ["E403", "a VAT group it lacks", () => plan(sale({ items: [item({ vatGroup: "VAT9" })] }))],
  ["E403", "a VAT group that is off", () => plan(sale({ items: [item({ vatGroup: "VAT5" })] }))],
  [
    "E403",
    "exempt without a zero rate",
    () => plan(sale({ items: [item({ vatGroup: "exempt" })] }), p),
  ],
  [
    "E400",
    "a tender it lacks",
    () => plan(sale({ payments: [{ method: "bank", amountMinor: 250 }] })),
  ],
  ["E400", "an operator it lacks", () => plan(sale({ operatorId: 17 }), p)],
  ["E400", "a password it cannot take", () => plan(sale({ operatorPassword: "12" }), p)],
  ["E400", "a blank name", () => plan(sale({ items: [item({ name: " \t " })] }))],
  ["E400", "a department it lacks", () => plan(sale({ items: [item({ department: 100 })] }))],
  ["E400", "more lines than it takes", () => plan(sale({ items: Array(121).fill(item()) }), c)],
  ["E201", "a storno where there is none", () => plan(STORNO, roX)],
  [
    "E400",
    "an original that is no number",
    () => plan({ ...STORNO, original: { ...STORNO.original, receiptNumber: "26,1" } }),
  ],
  [
    "E401",
    "an original without a number",
    () => plan({ ...STORNO, original: { ...STORNO.original, receiptNumber: "" } }),
  ],
  [
    "E400",
    "a fiscal memory with a comma",
    () => plan({ ...STORNO, original: { ...STORNO.original, fiscalMemorySerialNumber: "1,2" } }),
  ],
];

describe("a document that the device cannot print is refused before a byte is sent", () => {
  for (const [code, what, attempt] of FAULTS) {
    test(`${what}: ${code}`, () => {
      expect(attempt).toThrow(expect.objectContaining({ code }));
    });
  }

  test("a password that is refused is not repeated in the error", () => {
    expect(() => plan(sale({ operatorPassword: "s3cret" }))).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("s3cret") }),
    );
  });
});

test.each(["ro-x", "ro-legacy"])(
  "a %s sells what is written in more letters than it has",
  async (model) => {
    const place = { driver: "vendorA.isl", timezone: "Europe/Bucharest" } as const;
    const device = await SimulatedDevice.start({ ...place, model });
    try {
      const items = [{ name: "…".repeat(72), quantity: 1, price: 2, vatGroup: "VAT1" }];
      const payload = { items, payments: [{ method: "cash", amount: 2 }] };
      const { error } = await device.run({ type: "print_receipt", payload });
      expect(error).toBeUndefined();
      const [item] = device.books().receipts.at(-1)?.items ?? [];
      expect(item?.name).toMatch(/^[. ]+$/);
    } finally {
      await device.stop();
    }
  },
);
