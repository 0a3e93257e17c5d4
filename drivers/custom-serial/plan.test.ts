/** Documents as device commands: what is written, what is refused before a byte is sent. */

import { describe, expect, test } from "bun:test";
import { toSaleDocument } from "#core/command/types/print-receipt.ts";
import type { FiscalDocument, ReceiptItem, StornoDocument } from "#core/receipt.ts";
import { isVatGroup, type VatGroup } from "#core/vat.ts";
import type { Profile } from "./compile-profile.ts";
import { type DocumentPlan, planDocument } from "./plan.ts";
import { ProfileSet } from "./profile-set.ts";
import { render } from "./template.ts";

const COFFEE = { name: "Coffee", quantity: 2, price: 2.5, vatGroup: "VAT1" };
const WATER = { name: "Water", quantity: 1, price: 1, vatGroup: "VAT2" };

function profileOf(id: string, over: object = {}): Profile {
  const value = { id: "test", extends: id, ...over };
  const profile = ProfileSet.of([{ source: "test", value }]).find("test")?.profile;
  if (!profile) throw new Error(`${id} is faulty`);
  return profile;
}

function sale(items: readonly object[], total: number, more: object = {}): FiscalDocument {
  const payments = [{ method: "cash", amount: total }];
  return toSaleDocument({ items, payments, ...more } as never);
}

interface Options {
  readonly profile?: Profile;
  readonly exemptGroup?: string;
}

function plan(document: FiscalDocument, { profile, exemptGroup }: Options = {}): DocumentPlan {
  return planDocument(document, {
    profile: profile ?? profileOf("custom-rt-gen3"),
    timezone: "Europe/Rome",
    serialNumber: "7200012345",
    exemptGroup,
  });
}

/** The commands of a plan as they go over the line. */
function written(document: FiscalDocument, options: Options = {}): string[] {
  const profile = options.profile ?? profileOf("custom-rt-gen3");
  const { opening, lines, payments } = plan(document, { ...options, profile });
  const steps = [
    ...(opening ? [{ name: "stornoOpen", values: opening } as const] : []),
    ...lines,
    ...payments,
  ];
  return steps.map(({ name, values }) => {
    const command = profile.commands.get(name);
    if (!command) throw new Error(name);
    return render(command.template, values);
  });
}

describe("a sale", () => {
  test("is lines with quantity, department, text, unit price and VAT id, then payments", () => {
    expect(written(sale([COFFEE, { ...WATER, department: 12 }], 6))).toEqual([
      "3301100000200000106Coffee00000025001",
      "3301100000100001205Water00000010002",
      "30070100" + "00" + "000000600",
    ]);
  });

  test("prints its unique number and the customer's code behind the first line", () => {
    const more = { uniqueSaleNumber: "ZK126720-0001-0000001", customerCif: "RO 123" };
    expect(written(sale([WATER], 1, more)).slice(1, 3)).toEqual([
      "3002121ZK126720-0001-0000001",
      "3002106RO 123",
    ]);
  });

  test("spreads a discount over the VAT groups in proportion, to the cent", () => {
    const subtotalModifiers = [
      { type: "discount-amount", value: 1 },
      { type: "surcharge-amount", value: 0.5 },
    ];
    const commands = written(sale([COFFEE, WATER], 5.5, { subtotalModifiers }));
    expect(commands.slice(2, 6)).toEqual([
      "3301300000000000108Discount00000008301",
      "3301300000000000108Discount00000001702",
      "3301200000000000109Surcharge00000004201",
      "3301200000000000109Surcharge00000000802",
    ]);
    expect(plan(sale([COFFEE, WATER], 5.5, { subtotalModifiers })).paid).toEqual({
      items: 0,
      amountMinor: 550,
      paidMinor: 550,
    });
  });

  test("is adjusted as a whole where the device can", () => {
    const commands = { receiptDiscount: "{amount:n}H4M" };
    const profile = profileOf("custom-xonxoff", { commands });
    const subtotalModifiers = [{ type: "discount-amount", value: 1 }];
    const { lines } = plan(sale([COFFEE, WATER], 5, { subtotalModifiers }), { profile });
    expect(lines.at(-1)).toMatchObject({ name: "receiptDiscount", values: { amount: 100 } });
    expect(lines.at(-1)?.after.amountMinor).toBe(500);
  });

  test("is in Latin letters without accents, and in words the device takes", () => {
    const named = (name: string) => written(sale([{ ...WATER, name }], 1))[0];
    expect(named("Brânză „de” Țară")).toContain('16Branza "de" Tara');
    expect(named("a~b")).toContain("03a-b");
    expect(named("Хляб?")).toContain("05?????");
    expect(() => named("Il totale")).toThrow("refuses the word TOTALE");
    expect(named("x".repeat(60))).toContain(`44${"x".repeat(44)}0`);
    expect(() => named("\u0007")).toThrow("expected a printable name");
  });

  test.each([
    ["VAT12", {}, "E403"],
    ["VAT1", { price: 10_000_000 }, "E402"],
    ["VAT1", { department: 1_000 }, "E400"],
  ] as const)("with group %s and %j is refused as %s", (vatGroup, over, code) => {
    const item = { ...WATER, vatGroup, ...over };
    expect(codeOf(() => plan(sale([item], item.price)))).toBe(code);
  });

  test("is refused for a tender that the device lacks, and for what does not add up", () => {
    const vouchers = { payments: [{ method: "voucher", amount: 1 }] };
    expect(codeOf(() => plan(sale([WATER], 1, vouchers)))).toBe("E400");
    expect(codeOf(() => plan(sale([WATER], 2)))).toBe("E402");
    const subtotalModifiers = [{ type: "discount-amount", value: 2 }];
    expect(codeOf(() => plan(sale([WATER], 1, { subtotalModifiers })))).toBe("E402");
    const fee = { subtotalModifiers: [{ type: "surcharge-amount", value: 1 }] };
    expect(codeOf(() => plan(sale([{ ...WATER, price: 0 }], 1, fee)))).toBe("E402");
    expect(codeOf(() => plan(sale([{ ...WATER, price: 0 }], 0)))).toBe("E402");
  });

  test("sells exempt articles in the group that was found for them", () => {
    const document = sale([{ ...WATER, vatGroup: "exempt" }], 1);
    expect(codeOf(() => plan(document))).toBe("E403");
    expect(written(document, { exemptGroup: "05" })[0]).toEndWith("05");
    const profile = profileOf("custom-rt-gen3", { vat: { exempt: "07" } });
    expect(written(document, { profile })[0]).toEndWith("07");
  });

  test("sends the line's total where a command has no quantity", () => {
    const commands = { sale: "31011{department:n2}{text:len2}{total:c9}" };
    const profile = profileOf("custom-rt-gen2", { commands });
    expect(written(sale([COFFEE], 5), { profile })[0]).toBe("310110106Coffee000000500");
  });

  test("is refused with E201 where the profile has no command for a part of it", () => {
    const profile = profileOf("custom-rt-gen3", { commands: { groupDiscount: null } });
    const subtotalModifiers = [{ type: "discount-amount", value: 0.5 }];
    const document = sale([WATER], 0.5, { subtotalModifiers });
    expect(codeOf(() => plan(document, { profile }))).toBe("E201");
  });
});

describe("a storno", () => {
  const item: ReceiptItem = {
    name: "Water",
    quantityMilli: 1_000,
    priceMinor: 100,
    vatGroup: groupOf("VAT1"),
    department: undefined,
    unit: undefined,
  };
  const storno = (original: Partial<StornoDocument["original"]>): FiscalDocument => ({
    kind: "storno",
    reason: "refund",
    items: [item],
    payments: [{ method: "cash", amountMinor: 100 }],
    uniqueSaleNumber: undefined,
    operatorId: undefined,
    operatorPassword: undefined,
    original: {
      receiptNumber: "45",
      // In Rome it is the next day already.
      issuedAt: Date.UTC(2026, 2, 8, 23, 30),
      fiscalMemorySerialNumber: "7200012345",
      zReportNumber: "12",
      ...original,
    },
  });

  test("names the original by Z report, number and local date", () => {
    expect(written(storno({}))[0]).toBe("7101R001200450903268");
    const byId = storno({ receiptNumber: "0012-0045", zReportNumber: undefined });
    expect(written(byId)[0]).toBe("7101R001200450903268");
  });

  test("names the device as well when the original is of another one", () => {
    const other = storno({ fiscalMemorySerialNumber: "99MEX012345" });
    expect(written(other)[0]).toBe("7101R0012004509032681199MEX012345");
  });

  test.each([
    [{ receiptNumber: "" }, "E401"],
    [{ zReportNumber: undefined }, "E401"],
    [{ receiptNumber: "12345" }, "E400"],
    [{ zReportNumber: "A" }, "E400"],
    [{ fiscalMemorySerialNumber: "short" }, "E400"],
  ] as const)("of %j is refused with %s", (original, code) => {
    expect(codeOf(() => plan(storno(original)))).toBe(code);
  });
});

function groupOf(text: string): VatGroup {
  if (!isVatGroup(text)) throw new RangeError(text);
  return text;
}

function codeOf(action: () => unknown): unknown {
  try {
    action();
    return "nothing was refused";
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error;
  }
}
