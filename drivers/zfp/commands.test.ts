/** Every command type against the simulated devices over TCP. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { COMMAND_TYPES, type CommandType } from "#core/command/catalogue.ts";
import { type RunOptions, SimulatedDevice } from "../testing/simulated-device.ts";
import { storedSale } from "../testing/stored-sale.ts";
import { VENDOR_E } from "./dialects/index.ts";
import { zfpDriver } from "./index.ts";
import type { ZfpBooks } from "./simulator/testing/raw-host.ts";

const USN = "ZK126720-0001-0000001";
const COFFEE = { name: "Кафе; дълго|тясно", quantity: 2, price: 2.5, vatGroup: "VAT2" };
const WATER = { name: "Water", quantity: 1, price: 1, vatGroup: "VAT1", department: 3 };
const SALE = {
  uniqueSaleNumber: USN,
  items: [COFFEE, WATER],
  customerCif: "123456789",
  payments: [{ method: "cash", amount: 6 }],
};
const UNSUPPORTED: readonly CommandType[] = [
  ...(["set_logo", "delete_logo", "set_vat_rates", "get_logo_capabilities"] as const),
];

describe("the command types", () => {
  test("are all there but those that the protocol lacks", () => {
    const { commands } = zfpDriver("vendorE.zfp", VENDOR_E);
    const missing = COMMAND_TYPES.filter((type) => !commands.has(type));
    expect(missing).toEqual([...UNSUPPORTED]);
  });
});

for (const { model, name, cover } of [
  { model: "v1", name: "M20", cover: "closed" },
  { model: "v2", name: "FP01-KL V2", cover: null },
] as const) {
  describe(`on a device of variant ${model}`, () => {
    let device: SimulatedDevice;
    beforeAll(async () => {
      device = await SimulatedDevice.start({
        driver: "vendorE.zfp",
        model,
        timezone: "Europe/Sofia",
        port: "tcp",
      });
    });
    afterAll(() => device.stop());

    async function run(type: CommandType, payload: unknown = {}, more: Partial<RunOptions> = {}) {
      const told = await device.run({ ...more, type, payload });
      expect(told.error).toBeUndefined();
      return told.success?.data ?? {};
    }

    async function codeOf(type: CommandType, payload: unknown = {}) {
      const { error } = await device.run({ type, payload });
      return error?.code;
    }

    test("says what it is", async () => {
      const { info } = await run("get_info");
      expect(info).toMatchObject({ manufacturer: "Tremol", model: name });
    });

    test("prints a sale and tells of it", async () => {
      const data = await run("print_receipt", SALE);
      expect(data).toMatchObject({ totalAmount: 6, zReportNumber: "1", receiptNumber: "1" });
      const receipt = device.books().receipts.at(-1);
      expect(receipt).toMatchObject({ total: 600, usn: USN });
      expect(receipt?.items).toMatchObject([
        { name: "Кафе, дълго тясно", group: 2 },
        { name: "Water", group: 1, department: 3 },
      ]);
      const { lastReceipt } = await run("get_last_receipt_info");
      expect(lastReceipt).toMatchObject({ receiptNumber: "1", receiptAmount: 6 });
      expect(lastReceipt).toMatchObject({ receiptDateTime: data.issuedAt });
    });

    test("spreads adjustments over VAT groups in proportion, to the cent", async () => {
      const tea = { name: "Tea", quantity: 1, price: 0.01, vatGroup: "VAT2" };
      await run("print_receipt", {
        ...SALE,
        items: [COFFEE, WATER, tea],
        subtotalModifiers: [
          { type: "discount-amount", value: 1 },
          { type: "surcharge-amount", value: 0.37 },
        ],
        payments: [{ method: "card", amount: 5.38 }],
      });
      const receipt = device.books().receipts.at(-1);
      // Of 5.01 and 1.00 as it went.
      expect(receipt?.items.map(({ group, total }) => [group, total])).toEqual([
        [2, 448],
        [1, 89],
        [2, 1],
      ]);
    });

    test("prints a storno of it, and voids a receipt that the gateway knows", async () => {
      await run("cash_in", { amount: 100 });
      const { info } = await run("get_info");
      const { fiscalMemorySerialNumber } = info as Record<string, string>;
      await run("print_reversal_receipt", {
        uniqueSaleNumber: USN,
        originalReceiptNumber: "1",
        originalReceiptDateTime: new Date(device.time.now()).toISOString(),
        fiscalMemorySerialNumber,
        reason: "refund",
        items: [WATER],
      });
      expect(device.books().receipts.at(-1)).toMatchObject({ kind: "storno", total: 100 });
      expect(await codeOf("void_receipt", { receiptId: "rct_1" })).toBe("E401");
      const original = storedSale({
        ...{ name: "Coffee", quantityMilli: 2_000, priceMinor: 250, uniqueSaleNumber: USN },
        ...{ fiscalId: "1", zReportNumber: "1", issuedAt: device.time.now() },
        fiscalMemorySerialNumber: fiscalMemorySerialNumber ?? null,
      });
      const voided = await run("void_receipt", { receiptId: "rct_1" }, { original });
      expect(voided.voidedReceiptId).toBe("rct_1");
      expect(device.books().receipts.at(-1)).toMatchObject({ kind: "storno", total: 500 });
    });

    test("says of a payload that it cannot print why, before a byte of it is sent", async () => {
      const before = device.books().receipts.length;
      const discount = { subtotalModifiers: [{ type: "discount-amount", value: 6.01 }] };
      const surcharge = { type: "surcharge-amount", value: 0.02 };
      const paid = { payments: [{ method: "cash", amount: 0.01 }] };
      for (const items of [SALE.items, [{ ...WATER, price: 6 }]]) {
        const subtotalModifiers = [...discount.subtotalModifiers, surcharge];
        const payload = { ...SALE, items, subtotalModifiers, ...paid };
        expect(await codeOf("print_receipt", payload)).toBe("E400");
      }
      const group = { items: [{ ...WATER, vatGroup: "VAT9", price: 6 }] };
      expect(await codeOf("print_receipt", { ...SALE, ...group })).toBe("E403");
      const tender = { payments: [{ method: "meal-vouchers", amount: 6 }] };
      expect(await codeOf("print_receipt", { ...SALE, ...tender })).toBe("E400");
      const department = { items: [{ ...WATER, department: 20, price: 6 }] };
      expect(await codeOf("print_receipt", { ...SALE, ...department })).toBe("E400");
      for (const type of UNSUPPORTED) {
        const payload = { rates: [{ group: "VAT1", rate: 5, enabled: true }], logo: "AAAA" };
        expect(await codeOf(type, payload)).toBe("E201");
      }
      expect(device.books().receipts).toHaveLength(before);
    });

    test("tells a wrong operator password without repeating it", async () => {
      const told = await device.run({
        type: "print_receipt",
        payload: { ...SALE, operatorId: 2, operatorPassword: "987654" },
      });
      expect(told.error?.code).toBe("E305");
      expect(told.error?.message).not.toContain("987654");
      expect(device.books().openDocument ?? null).toBeNull();
    });

    test("moves cash and refuses more than there is", async () => {
      const before = device.books().cash;
      expect(await run("cash_in", { amount: 10.5 })).toMatchObject({
        cashBalance: (before + 1050) / 100,
      });
      expect(await run("cash_out", { amount: 0.5 })).toMatchObject({
        cashBalance: (before + 1000) / 100,
      });
      expect(await codeOf("cash_out", { amount: 99_999 })).toBe("E305");
      const { cashBalance } = await run("get_cash_amount");
      expect(cashBalance).toBe((before + 1000) / 100);
    });

    test("prints with cash what it is for, as far as that fits", async () => {
      const printed = async (description: string) => {
        await run("cash_in", { amount: 10, description });
        const { documentNumber } = device.books() as ZfpBooks;
        return device.picture(documentNumber);
      };
      expect(await printed("Change; float")).toContain("Change, float");
      const long = await printed("Change for the second till, from the bank");
      expect(long).toContain("Change for the second till, fr<");
    });

    test("sets and reads clock, lines and operators", async () => {
      await run("set_datetime");
      const { dateTime } = await run("get_date_time");
      expect(Math.abs(Date.parse(String(dateTime)) - device.time.now())).toBeLessThan(61_000);
      await run("set_header_footer", { header: ["ЕДНО; ДВЕ", "ТРИ"], footer: ["КРАЙ"] });
      expect(await run("get_header_footer")).toEqual({
        header: ["ЕДНО; ДВЕ", "ТРИ"],
        footer: ["КРАЙ"],
      });
      await run("set_operator", { operatorId: 3, name: "Иван", password: "4321" });
      expect(
        await codeOf("set_operator", { operatorId: 3, name: "Иво", oldPassword: "1111" }),
      ).toBe("E305");
      await run("set_operator", { operatorId: 3, name: "Иво", oldPassword: "4321" });
      const { operators } = await run("get_operators");
      expect(operators).toContainEqual({ operatorId: 3, name: "Иво" });
      expect(JSON.stringify(operators)).not.toContain("4321");
      const operator = { operatorId: 3, operatorPassword: "4321" };
      await run("print_receipt", { ...SALE, ...operator });
    });

    test.each([
      ["Ана\u0300", "Ана"],
      ["Brânză", "Branza"],
    ])("names an operator %s, of other bytes than letters", async (name, kept) => {
      await run("set_operator", { operatorId: 4, name });
      const { operators } = await run("get_operators");
      expect(operators).toContainEqual({ operatorId: 4, name: kept });
    });

    test("tells rates and what it can", async () => {
      const { rates } = await run("get_vat_rates");
      expect(rates).toHaveLength(8);
      expect(rates).toContainEqual({ group: "VAT4", rate: 9, enabled: true });
      expect(await run("get_vat_capabilities")).toMatchObject({ maxRates: 8 });
      expect(await run("get_operator_capabilities")).toMatchObject({ maxOperators: 20 });
      expect(await run("get_header_footer_capabilities")).toMatchObject({ maxHeaderLines: 7 });
    });

    test("prints slips, a duplicate and opens the drawer", async () => {
      await run("non_fiscal_receipt", { header: "Title", lines: ["one", "", "two"] });
      await run("print_duplicate");
      expect(await codeOf("print_duplicate")).toBe("E305");
      await run("open_drawer");
    });

    test("voids what stands open, puts a foreign receipt away, and finds none", async () => {
      expect(await codeOf("void_open_receipt")).toBe("E302");
      const raw = { command: 0x30, data: "1;0000;1;1;0" };
      expect(await run("raw_command", raw)).toEqual({ dataHex: "", data: "", statusHex: "3030" });
      await run("void_open_receipt");
      await run("raw_command", raw);
      const before = device.books().receipts.length;
      await run("print_receipt", SALE);
      expect(device.books().receipts).toHaveLength(before + 1);
      expect(await codeOf("raw_command", { command: 0x80 })).toBe("E400");
      expect(await codeOf("raw_command", { command: 0x37, dataHex: "02" })).toBe("E400");
    });

    test("tells its state", async () => {
      expect(await run("get_status")).toMatchObject({
        paper: "ok",
        cover,
        fiscalReceiptOpen: false,
        fiscalDayOpen: true,
        fiscalMemory: "ok",
        clockSet: true,
        fiscalized: true,
        errors: [],
      });
      for (const [fault, shown] of [
        [{ kind: "paper_out" }, { paper: "out" }],
        [{ kind: "paper_low" }, { paper: "low" }],
        [{ kind: "fiscal_memory_near_full" }, { fiscalMemory: "near_full" }],
        [{ kind: "fiscal_memory_full" }, { fiscalMemory: "full" }],
      ] as const) {
        await device.fault(fault);
        expect(await run("get_status")).toMatchObject(shown);
        await device.clear();
      }
    });

    test("answers the code of what stands in the way of a receipt", async () => {
      for (const [fault, code] of [
        [{ kind: "paper_out" }, "E306"],
        [{ kind: "cover_open" }, cover === null ? "E306" : "E307"],
        [{ kind: "fiscal_memory_full" }, "E300"],
        [{ kind: "day_over" }, "E303"],
        [{ kind: "clock_lost" }, "E305"],
      ] as const) {
        await device.fault(fault);
        expect({ fault, code: await codeOf("print_receipt", SALE) }).toEqual({ fault, code });
        await device.clear();
      }
      // A little ahead: a clock is never set before the last record.
      await run("set_datetime", { datetime: new Date(device.time.now() + 2_000).toISOString() });
    });

    test("prints X and Z reports with the sums of the day", async () => {
      const x = await run("x_report");
      expect(x).toMatchObject({ reportNumber: 1, type: "x_report" });
      const z = await run("z_report");
      expect(z).toMatchObject({ reportNumber: 1, totals: x.totals });
      expect(z.totals).toMatchObject({ reversals: 6 });
      expect(device.books().zNumber).toBe(1);
      expect(await run("get_status")).toMatchObject({ fiscalDayOpen: false });
    });
  });
}
