/** Every command type against simulated devices over TCP. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CATALOGUE, type CommandType } from "#core/command/catalogue.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";
import { shtrihDriver } from "./driver.ts";

const SALE = {
  customerCif: "RO1234567",
  items: [{ name: "Хлеб", quantity: 2, price: 5, vatGroup: "VAT1", department: 3 }],
  payments: [{ method: "cash", amount: 10 }],
};
const LOGO = bitmap(8, 2);

/** A black BMP with one bit for each dot. */
function bitmap(width: number, height: number): string {
  const file = new Uint8Array(62 + height * 4);
  const view = new DataView(file.buffer);
  view.setUint16(0, 0x424d);
  view.setUint32(10, 62, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 1, true);
  file.fill(0xff, 58, 61);
  return Buffer.from(file).toString("base64");
}

const DEVICE = { driver: "vendorF.shtrih", timezone: "Europe/Moscow" } as const;

test("the driver has every command type of the catalogue", () => {
  expect([...shtrihDriver.commands].sort()).toEqual(Object.keys(CATALOGUE).sort() as CommandType[]);
});

describe("on model fr-k", () => {
  let device: SimulatedDevice;
  beforeAll(async () => {
    device = await SimulatedDevice.start({ ...DEVICE, model: "fr-k" });
  });
  afterAll(() => device.stop());

  async function data(type: CommandType, payload: unknown = {}) {
    const told = await device.run({ type, payload });
    if (!told.success) throw told.error ?? new Error(`${type} failed`);
    return told.success.data;
  }

  async function refusal(type: CommandType, payload: unknown = {}) {
    const told = await device.run({ type, payload });
    return told.error?.code;
  }

  test("tells who it is", async () => {
    expect(await data("get_info")).toEqual({
      info: {
        serialNumber: "12345678",
        firmwareVersion: "A.4.20043",
        fiscalMemorySerialNumber: null,
        manufacturer: "Shtrih-M",
        model: "ШТРИХ-ФР-К",
        charsPerLine: 36,
        reversalTenders: ["cash", "card", "credit", "packaging", "other"],
      },
    });
  });

  test("programs rates, texts, operators, logo and clock while the day is closed", async () => {
    await data("set_datetime");
    const { dateTime } = await data("get_date_time");
    expect(Math.abs(Date.parse(String(dateTime)) - device.time.now())).toBeLessThan(5_000);
    await data("set_vat_rates", { rates: [{ group: "VAT2", rate: 9.5, enabled: true }] });
    expect((await data("get_vat_rates")).rates).toContainEqual({
      group: "VAT2",
      rate: 9.5,
      enabled: true,
    });
    expect(await data("get_vat_capabilities")).toMatchObject({ maxRates: 4 });
    await data("set_header_footer", { header: ["ЛАВКА", "Адрес 1"], footer: ["Спасибо"] });
    expect(await data("get_header_footer")).toEqual({
      header: ["ЛАВКА", "Адрес 1"],
      footer: ["Спасибо"],
    });
    expect(await data("get_header_footer_capabilities")).toEqual({
      maxHeaderLines: 4,
      maxFooterLines: 3,
      maxCharsPerLine: 36,
    });
    await data("set_operator", { operatorId: 2, name: "Анна", password: "4321" });
    expect((await data("get_operators")).operators).toContainEqual({ operatorId: 2, name: "Анна" });
    expect(await data("get_operator_capabilities")).toMatchObject({ maxNameLength: 21 });
    expect(await data("get_logo_capabilities")).toMatchObject({ maxWidth: 320, maxHeight: 200 });
    expect(await data("set_logo", { logo: LOGO })).toEqual({ width: 8, height: 2 });
    await data("delete_logo");
  });

  test("sells, returns, moves cash, reports and closes the day", async () => {
    expect(await refusal("z_report")).toBe("E305");
    const sold = await device.run({ type: "print_receipt", payload: SALE });
    expect(sold.success?.data).toMatchObject({ receiptNumber: "1", totalAmount: 10, change: 0 });
    expect(sold.success?.status).toMatchObject({ fiscalDayOpen: true, fiscalReceiptOpen: false });
    expect(await data("cash_in", { amount: 5 })).toMatchObject({ cashBalance: 15, cashIn: 5 });
    expect(await data("cash_out", { amount: 2 })).toMatchObject({ cashBalance: 13, cashOut: 2 });
    expect(await data("get_cash_amount")).toMatchObject({ cashBalance: 13, currency: "EUR" });
    const { items } = SALE;
    await data("print_reversal_receipt", {
      uniqueSaleNumber: "DT577430-0001-0000001",
      originalReceiptNumber: "1",
      originalReceiptDateTime: "2024-03-15T12:05:09Z",
      fiscalMemorySerialNumber: "12345678",
      reason: "operator-error",
      items,
    });
    expect(await data("get_last_receipt_info")).toMatchObject({
      lastReceipt: { receiptNumber: "1" },
    });
    await data("print_duplicate");
    await data("open_drawer");
    await data("non_fiscal_receipt", { header: "Заказ", lines: ["один", "два"] });
    // 7Ah, which with the day open means that a Z report has to come first.
    const rates = [{ group: "VAT1", rate: 1, enabled: true }];
    expect(await refusal("set_vat_rates", { rates })).toBe("E303");
    const x = await data("x_report");
    const z = await data("z_report");
    const sums = {
      receiptCount: 1,
      reversalCount: 1,
      totals: { gross: 10, reversals: 10, cashIn: 5, cashOut: 2, cashBalance: 3 },
      payments: [{ method: "cash", amount: 10 }],
    };
    expect(x).toMatchObject({ ...sums, reportNumber: 1 });
    expect(z).toMatchObject({ ...sums, reportNumber: 1 });
    expect(z.vat).toContainEqual({ group: "VAT1", rate: 20, turnover: 10, tax: 1.67 });
    await data("set_vat_rates", { rates: [{ group: "VAT1", rate: 20, enabled: true }] });
  });

  test("voids a receipt that the gateway knows, and none that it does not", async () => {
    expect(await refusal("void_receipt", { receiptId: "rct_1" })).toBe("E401");
  });

  test("refuses what the protocol lacks before a byte of the document is sent", async () => {
    const before = device.books().receipts.length;
    const modifiers = [{ type: "discount-amount", value: 1 }];
    expect(
      await refusal("print_receipt", {
        ...SALE,
        subtotalModifiers: modifiers,
        payments: [{ method: "cash", amount: 9 }],
      }),
    ).toBe("E201");
    const [item] = SALE.items;
    expect(
      await refusal("print_receipt", { ...SALE, items: [{ ...item, vatGroup: "VAT5" }] }),
    ).toBe("E403");
    expect(
      await refusal("print_receipt", { ...SALE, payments: [{ method: "bank", amount: 10 }] }),
    ).toBe("E400");
    expect(await refusal("print_receipt", { ...SALE, operatorPassword: "99999" })).toBe("E305");
    expect(device.books().receipts).toHaveLength(before);
  });

  test("sends a raw command and tells the answer as it is", async () => {
    expect(await data("raw_command", { command: 0x13, dataHex: "01000000" })).toEqual({
      dataHex: "01",
      data: "",
      statusHex: "00",
    });
    expect(await refusal("raw_command", { command: 300 })).toBe("E400");
  });

  test.each([
    ["a Z report", 0x41, 60_000],
    ["a command that the driver does not know", 0x6b, 140_000],
  ])("waits for the answer to %s by a raw command", async (_, command, ms) => {
    await data("print_receipt", SALE);
    const begun = () => device.fault({ kind: "delay", ms, at: 1 });
    const payload = { command, dataHex: command === 0x41 ? "1e000000" : "33" };
    const { success } = await device.run({ type: "raw_command", payload, begun });
    expect(success?.data).toMatchObject({ statusHex: command === 0x41 ? "00" : "37" });
  });

  test("cancels a receipt that somebody left open, and puts one away before the next", async () => {
    expect(await refusal("void_open_receipt")).toBe("E302");
    await data("raw_command", { command: 0x8d, dataHex: "0100000000" });
    expect(await data("get_status")).toMatchObject({ fiscalReceiptOpen: true });
    await data("void_open_receipt");
    await data("raw_command", { command: 0x8d, dataHex: "0300000000" });
    await data("print_receipt", SALE);
    expect(device.books().openDocument).toBeNull();
  });

  test("tells each condition by its code", async () => {
    const conditions = [
      { kind: "paper_out", code: "E306", status: { paper: "out" } },
      { kind: "cover_open", code: "E307", status: { cover: "open" } },
      { kind: "fiscal_memory_full", code: "E300", status: { fiscalMemory: "full" } },
      { kind: "day_over", code: "E303", status: { dayCloseRequired: true } },
    ] as const;
    for (const { kind, code, status } of conditions) {
      await device.fault({ kind });
      expect(await data("get_status")).toMatchObject(status);
      expect({ kind, code: await refusal("print_receipt", SALE) }).toEqual({ kind, code });
      await device.clear();
    }
    await device.fault({ kind: "paper_low" });
    expect(await data("get_status")).toMatchObject({ paper: "low" });
    await device.clear();
    await data("z_report");
    await device.fault({ kind: "clock_lost" });
    expect(await refusal("print_receipt", SALE)).toBe("E305");
    // The device's clock may be ahead of ours by a part of a second, and takes no step back.
    const datetime = new Date(device.time.now() + 5_000).toISOString();
    await data("set_datetime", { datetime });
    await data("print_receipt", SALE);
  });
});

describe("on model light", () => {
  let device: SimulatedDevice;
  beforeAll(async () => {
    device = await SimulatedDevice.start({ ...DEVICE, model: "light" });
  });
  afterAll(() => device.stop());

  test("prints loose lines where there is no text document, and refuses a logo", async () => {
    const slip = { lines: ["один", "два"] };
    const told = await device.run({ type: "non_fiscal_receipt", payload: slip });
    expect(told.outcome).toBe("printed");
    const logo = await device.run({ type: "set_logo", payload: { logo: LOGO } });
    expect(logo.error?.code).toBe("E201");
  });
});

for (const model of ["light", "mobile"]) {
  test(`the lines above receipts stand where model ${model} prints them from`, async () => {
    const device = await SimulatedDevice.start({ ...DEVICE, model });
    try {
      const texts = { header: ["ЛАВКА", "Адрес", "Телефон"], footer: ["Спасибо"] };
      const run = (type: CommandType, payload: unknown = {}) => device.run({ type, payload });
      expect((await run("set_header_footer", texts)).error).toBeUndefined();
      expect((await run("get_header_footer")).success?.data).toEqual(texts);
      expect((await run("get_header_footer_capabilities")).success?.data).toMatchObject({
        maxHeaderLines: 3,
      });
      const told = await run("print_receipt", SALE);
      expect(await device.picture(Number(told.success?.fiscalId))).toContain("Телефон");
      const tooMany = { ...texts, header: ["1", "2", "3", "4"] };
      expect((await run("set_header_footer", tooMany)).error?.code).toBe("E400");
    } finally {
      await device.stop();
    }
  });
}
