/** Every command type on a simulated device of each protocol, over TCP and over serial ports. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { COMMAND_TYPES, type CommandType } from "#core/command/catalogue.ts";
import type { CommandSuccess, DriverSession } from "#core/driver.ts";
import type { DriverId } from "#core/driver-id.ts";
import { FiscalError } from "#core/errors.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import { findDriver } from "../registry.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { sampleBitmap } from "../testing/sample-bitmap.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";
import { storedSale } from "../testing/stored-sale.ts";

const USN = "DT577430-0001-0000001";
const SALE = {
  uniqueSaleNumber: USN,
  items: [
    { name: "Cafea Brânză", quantity: 2.5, price: 3.3, vatGroup: "VAT2" },
    { name: "Apă", quantity: 1, price: 1, vatGroup: "exempt", unit: "l" },
  ],
  payments: [
    { method: "card", amount: 4 },
    { method: "cash", amount: 5.25 },
  ],
};

interface Profile {
  /** vendorA.isl when left out. */
  readonly driver?: DriverId;
  readonly manufacturer?: string;
  readonly model: string;
  readonly timezone: string;
  readonly storno: boolean;
  readonly password: string;
  readonly lacks: readonly CommandType[];
  readonly lines: { readonly header: number; readonly footer: number; readonly width: number };
  readonly rates: number;
  /** False where receipts are opened without a password. */
  readonly checksPassword?: false;
  /** False where an operator's password cannot be changed. */
  readonly changesPassword?: false;
  /** False where no VAT group can be switched off. */
  readonly disablesGroups?: false;
}

const STORNO_TYPES: readonly CommandType[] = ["print_reversal_receipt", "void_receipt"];
const PROFILES: readonly Profile[] = [
  {
    model: "x",
    timezone: "Europe/Sofia",
    storno: true,
    password: "0000",
    lacks: [],
    lines: { header: 10, footer: 10, width: 46 },
    rates: 8,
  },
  {
    model: "ro-x",
    timezone: "Europe/Bucharest",
    storno: false,
    password: "0000",
    lacks: STORNO_TYPES,
    lines: { header: 10, footer: 10, width: 46 },
    rates: 5,
  },
  {
    model: "p",
    timezone: "Europe/Sofia",
    storno: true,
    password: "0000",
    lacks: ["get_operators"],
    lines: { header: 6, footer: 2, width: 46 },
    rates: 8,
  },
  {
    model: "c",
    timezone: "Europe/Sofia",
    storno: true,
    password: "2",
    lacks: ["get_operators"],
    lines: { header: 6, footer: 2, width: 36 },
    rates: 8,
  },
  {
    model: "ro-legacy",
    timezone: "Europe/Bucharest",
    storno: false,
    password: "0000",
    lacks: [...STORNO_TYPES, "get_operators"],
    lines: { header: 6, footer: 2, width: 36 },
    rates: 8,
  },
  {
    driver: "vendorB.isl",
    manufacturer: "Daisy",
    model: "dy",
    timezone: "Europe/Sofia",
    storno: true,
    password: "2",
    lacks: ["get_operators"],
    lines: { header: 6, footer: 2, width: 40 },
    rates: 8,
    disablesGroups: false,
  },
  {
    driver: "vendorC.isl",
    manufacturer: "Eltrade",
    model: "ed",
    timezone: "Europe/Sofia",
    storno: true,
    password: "2",
    lacks: ["get_operators", "set_logo", "get_logo_capabilities"],
    lines: { header: 6, footer: 2, width: 46 },
    rates: 8,
    checksPassword: false,
    changesPassword: false,
  },
  {
    driver: "vendorD.isl",
    manufacturer: "Incotex",
    model: "in",
    timezone: "Europe/Sofia",
    storno: true,
    password: "0",
    lacks: ["get_operators"],
    lines: { header: 8, footer: 2, width: 34 },
    rates: 8,
    checksPassword: false,
  },
];

test("the driver lists every command type, since some device of the family can do each", () => {
  expect([...(findDriver("vendorA.isl")?.commands ?? [])].sort()).toEqual(
    [...COMMAND_TYPES].sort(),
  );
});

const LINES = PROFILES.flatMap((profile) => [
  { profile, transport: "tcp" } as const,
  { profile, transport: "serial" } as const,
]);

for (const { profile, transport } of LINES) {
  describe(`a device of protocol ${profile.model} over ${transport}`, () => {
    let device: SimulatedDevice;
    let session: DriverSession;

    beforeAll(async () => {
      const { driver = "vendorA.isl", model, timezone } = profile;
      device = await SimulatedDevice.start({ driver, model, timezone, port: transport });
      session = await device.connect();
    });
    afterAll(async () => {
      session.close();
      await device.stop();
    });

    function execute(
      type: CommandType,
      payload: unknown = {},
      original?: StoredReceipt,
    ): Promise<CommandSuccess> {
      return session.execute({ id: "cmd_1", type, payload, original }, new RecordedProgress());
    }

    async function refusal(type: CommandType, payload: unknown = {}): Promise<FiscalError> {
      try {
        await execute(type, payload);
      } catch (error) {
        if (error instanceof FiscalError) return error;
        throw error;
      }
      throw new Error(`${type} was not refused`);
    }

    test("is identified, with its serial numbers and model", () => {
      expect(session.info.manufacturer).toBe(profile.manufacturer ?? "Datecs");
      expect(session.info.serialNumber).toMatch(/^(D[TBY]|ED|IN)\d+$/);
      expect(session.info.fiscalMemorySerialNumber).toMatch(/^\d{8,10}$/);
      expect(session.info.firmwareVersion).toMatch(/\d\.\d/);
      if (profile.model !== "in") expect(session.info.model).not.toBeNull();
      expect(session.info.charsPerLine).toBe(profile.lines.width);
    });

    test("lacks what its protocol has no command for: E201 before a byte is sent", async () => {
      for (const type of profile.lacks) {
        const before = device.books().frames;
        const { code, message } = await refusal(type);
        expect({ type, code, frames: device.books().frames - before }).toEqual({
          type,
          code: "E201",
          frames: 0,
        });
        const isStorno = /reversal|void_receipt/.test(type);
        expect(message).toContain(isStorno ? "printers in Romania have no storno" : type);
      }
    });

    test("tells its state and itself", async () => {
      const { data } = await execute("get_status");
      expect(data).toMatchObject({ paper: "ok", fiscalReceiptOpen: false, errors: [] });
      const { lastZNumber, ...state } = await session.readStatus();
      expect(data).toEqual(state);
      expect(lastZNumber).toBe(0);
      expect((await execute("get_info")).data).toEqual({ info: { ...session.info } });
    });

    test("prints a receipt with every number in its books", async () => {
      const success = await execute("print_receipt", SALE);
      const receipt = device.books().receipts.at(-1);
      expect(receipt).toMatchObject({ kind: "sale", total: 925, usn: profile.storno ? USN : null });
      expect(receipt?.payments).toMatchObject([
        { method: profile.model === "c" ? "credit" : "card", amount: 400 },
        { method: "cash", amount: 525 },
      ]);
      expect(success.fiscalId).toBe(String(receipt?.number));
      expect(success.data).toMatchObject({
        receiptNumber: success.fiscalId,
        fiscalMemorySerialNumber: session.info.fiscalMemorySerialNumber,
        zReportNumber: "1",
        totalAmount: 9.25,
        change: 0,
      });
      expect(success.status).toMatchObject({ fiscalReceiptOpen: false, fiscalDayOpen: true });
    });

    test("adjusts the subtotal or refuses to, and prints the customer's code", async () => {
      const sale = {
        ...SALE,
        customerCif: "12345678",
        payments: [{ method: "cash", amount: 8.5 }],
      };
      const subtotalModifiers = [
        { type: "discount-amount", value: 1 },
        { type: "surcharge-amount", value: 0.25 },
      ];
      if (profile.driver === undefined) {
        await execute("print_receipt", { ...sale, subtotalModifiers });
      } else {
        const before = device.books().frames;
        const { code } = await refusal("print_receipt", { ...sale, subtotalModifiers });
        expect({ code, frames: device.books().frames - before }).toEqual({
          code: "E201",
          frames: 0,
        });
        const [coffee] = SALE.items;
        await execute("print_receipt", {
          ...sale,
          items: [{ ...coffee, quantity: 1, price: 8.5 }],
        });
      }
      expect(device.books().receipts.at(-1)?.total).toBe(850);
    });

    test("tells of its last receipt", async () => {
      const { lastReceipt } = (await execute("get_last_receipt_info")).data;
      expect(lastReceipt).toMatchObject({
        receiptNumber: String(device.books().receipts.at(-1)?.number),
        receiptAmount: 8.5,
        fiscalMemorySerialNumber: session.info.fiscalMemorySerialNumber,
      });
    });

    test("moves cash, and refuses to give out more than there is", async () => {
      const { data } = await execute("cash_in", { amount: 100.5 });
      expect(data).toMatchObject({ cashIn: 100.5 });
      expect((await execute("cash_out", { amount: 40 })).data).toMatchObject({ cashOut: 40 });
      const cash = device.books().cash / 100;
      expect((await execute("get_cash_amount")).data).toMatchObject({ cashBalance: cash });
      expect((await refusal("cash_out", { amount: 99_999 })).code).toBe("E305");
    });

    test("prints slips, duplicates and an X report, and opens the drawer", async () => {
      await execute("print_duplicate");
      expect((await refusal("print_duplicate")).code).toBe("E305");
      await execute("non_fiscal_receipt", { header: "TEST", lines: ["one", "", "двe"] });
      await execute("open_drawer");
      const { data } = await execute("x_report");
      expect(data).toMatchObject({ type: "x_report", totals: { gross: 17.75, cashOut: 40 } });
    });

    test("has no receipt to void when none is open", async () => {
      expect((await refusal("void_open_receipt")).code).toBe("E302");
    });

    test("keeps header and footer", async () => {
      await execute("set_header_footer", { header: ["Shop", "", "  Street"], footer: ["Bye"] });
      const { data } = await execute("get_header_footer");
      expect(data).toEqual({ header: ["Shop", "", "  Street"], footer: ["Bye"] });
      const { header: maxHeaderLines, footer: maxFooterLines, width } = profile.lines;
      expect((await execute("get_header_footer_capabilities")).data).toEqual({
        maxHeaderLines,
        maxFooterLines,
        maxCharsPerLine: width,
      });
      const tooMany = { header: [], footer: Array(11).fill("x") };
      const tooLong = { header: [], footer: ["x".repeat(width + 1)] };
      for (const wrong of [tooMany, tooLong]) {
        expect((await refusal("set_header_footer", wrong)).code).toBe("E400");
      }
    });

    test("names operators and changes their passwords", async () => {
      const operator = { operatorId: 2, name: "Ivan" };
      const missing = profile.changesPassword === false ? "E201" : "E401";
      expect((await refusal("set_operator", { ...operator, password: "1234" })).code).toBe(missing);
      const change = { ...operator, oldPassword: profile.password, password: "1234" };
      if (profile.changesPassword === false) {
        expect((await refusal("set_operator", change)).code).toBe("E201");
        expect((await execute("set_operator", operator)).data).toEqual({ operatorId: 2 });
      } else expect((await execute("set_operator", change)).data).toEqual({ operatorId: 2 });
      const sale = { ...SALE, operatorId: 2, operatorPassword: "1234" };
      expect((await execute("print_receipt", sale)).fiscalId).toBeDefined();
      if (profile.checksPassword !== false) {
        const { code } = await refusal("print_receipt", { ...sale, operatorPassword: "4321" });
        expect(code).toBe("E305");
      }
      const { data } = await execute("get_operator_capabilities");
      expect(data.canGetOperators).toBe(!profile.lacks.includes("get_operators"));
      if (!data.canGetOperators) return;
      const { operators } = (await execute("get_operators")).data;
      expect(operators).toContainEqual({ operatorId: 2, name: "Ivan" });
    });

    test("closes the day, and lets VAT rates be set only then", async () => {
      const disables = profile.disablesGroups !== false;
      const disabled = { group: "VAT4", rate: 0, enabled: false };
      const rates = [
        { group: "VAT3", rate: 15, enabled: true },
        disables ? disabled : { group: "VAT4", rate: 9, enabled: true },
      ];
      if (!disables) {
        expect((await refusal("set_vat_rates", { rates: [disabled] })).code).toBe("E400");
      }
      expect((await refusal("set_vat_rates", { rates })).code).toBe("E303");
      const { data, status } = await execute("z_report");
      expect(data).toMatchObject({ type: "z_report", reportNumber: 1, totals: { gross: 27 } });
      expect(status).toMatchObject({ fiscalDayOpen: false });
      expect(device.books().zNumber).toBe(1);
      await execute("set_vat_rates", { rates });
      const table = (await execute("get_vat_rates")).data.rates;
      expect(table).toHaveLength(profile.rates);
      expect(table).toMatchObject(
        [{}, {}, { rate: 15, enabled: true }, { enabled: !disables }].concat(
          Array(profile.rates - 4).fill({}),
        ),
      );
      expect((await execute("get_vat_capabilities")).data.maxRates).toBe(profile.rates);
      const tooMany = { rates: [{ group: "VAT9", rate: 1, enabled: true }] };
      expect((await refusal("set_vat_rates", tooMany)).code).toBe("E403");
    });

    test("refuses a sale in a VAT group that is switched off", async () => {
      // Where no group can be switched off, the last ones come so.
      const vatGroup = profile.disablesGroups === false ? "VAT8" : "VAT4";
      const item = { name: "Tea", quantity: 1, price: 1, vatGroup };
      const sale = { ...SALE, items: [item], payments: [{ method: "cash", amount: 1 }] };
      expect(["E403", "E305"]).toContain((await refusal("print_receipt", sale)).code);
      expect(device.books().openDocument).toBeNull();
    });

    test("keeps the time of its place", async () => {
      const datetime = new Date(device.time.now() + 3_600_000)
        .toISOString()
        .replace(/\.\d+Z/, ".000Z");
      await execute("set_datetime", { datetime });
      const told = (await execute("get_date_time")).data.dateTime;
      const difference = Date.parse(String(told)) - Date.parse(datetime);
      expect(difference).toBeGreaterThanOrEqual(0);
      expect(difference).toBeLessThan(60_000);
    });

    test("takes a black-and-white BMP as its logo, and nothing else", async () => {
      if (profile.lacks.includes("set_logo")) return;
      const limits = (await execute("get_logo_capabilities")).data;
      expect(limits.maxBytes === null).toBe(limits.maxWidth !== null);
      expect((await execute("set_logo", { logo: sampleBitmap() })).data).toEqual({
        width: 8,
        height: 2,
      });
      await execute("delete_logo");
      expect((await refusal("set_logo", { logo: sampleBitmap(24) })).code).toBe("E400");
      const png = Buffer.from("\u0089PNG\r\n".padEnd(90, "x"), "latin1").toString("base64");
      expect((await refusal("set_logo", { logo: png })).message).toContain("BMP");
    });

    test("passes raw commands on, and tells the answer whatever it says", async () => {
      const { data } = await execute("raw_command", { command: 62 });
      expect(data.data).toContain("-");
      expect(data.dataHex).toBe(Buffer.from(String(data.data)).toString("hex"));
      const unknown = await execute("raw_command", { command: 250, dataHex: "31" });
      expect(unknown.data.statusHex).toBeString();
      for (const payload of [
        {},
        { command: 256 },
        { command: 62, data: 1 },
        { command: 62, dataHex: "1" },
        { command: 62, dataHex: "01" },
        { command: 62, data: "a", dataHex: "61" },
        { command: 62, data: "a".repeat(500) },
      ]) {
        expect((await refusal("raw_command", payload)).code).toBe("E400");
      }
    });

    test("says nothing of a document that another device printed, and leaves this one alone", async () => {
      const command = { id: "cmd_1", payload: SALE, original: undefined };
      const baseline = { number: 1, ownNumber: 2, serialNumber: "DT000000" };
      const before = device.books().frames;
      const resolution = await session.resolve(
        { ...command, type: "print_receipt" },
        { mark: "committing", baseline },
      );
      expect(resolution.outcome).toBe("unknown");
      expect(device.books().frames).toBe(before);
    });

    if (!profile.storno) return;

    test("demands a unique sale number: E401 before a byte is sent", async () => {
      const before = device.books().frames;
      const { uniqueSaleNumber, ...sale } = SALE;
      expect(uniqueSaleNumber).toBe(USN);
      expect((await refusal("print_receipt", sale)).code).toBe("E401");
      expect(device.books().frames).toBe(before);
    });

    test("prints a storno, and voids a receipt that the gateway knows", async () => {
      const sold = await execute("print_receipt", SALE);
      const original = {
        uniqueSaleNumber: USN,
        originalReceiptNumber: sold.fiscalId,
        originalReceiptDateTime: sold.data.issuedAt,
        fiscalMemorySerialNumber: session.info.fiscalMemorySerialNumber,
      };
      const part = { ...original, reason: "refund", items: [SALE.items[1]] };
      const storno = await execute("print_reversal_receipt", part);
      expect(device.books().receipts.at(-1)).toMatchObject({ kind: "storno", total: 100 });
      expect(storno.fiscalId).toBe(String(device.books().receipts.at(-1)?.number));

      expect((await refusal("void_receipt", { receiptId: "rct_1" })).code).toBe("E401");
      const voided = await execute(
        "void_receipt",
        { receiptId: "rct_1" },
        storedSale({
          ...{ name: "Cafea", quantityMilli: 2_500, priceMinor: 330, uniqueSaleNumber: USN },
          ...{ fiscalId: sold.fiscalId ?? null, zReportNumber: null },
          fiscalMemorySerialNumber: session.info.fiscalMemorySerialNumber,
          issuedAt: Date.parse(String(sold.data.issuedAt)),
        }),
      );
      expect(voided.data.voidedReceiptId).toBe("rct_1");
      expect(device.books().receipts.at(-1)).toMatchObject({ kind: "storno", total: 825 });
    });
  });
}
