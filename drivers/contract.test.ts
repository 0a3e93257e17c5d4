/**
 * What holds for every driver and every device that it can drive, over TCP and over serial ports:
 * one suite, run over the registries. A driver without a simulated device fails it.
 */

import { describe, expect, test } from "bun:test";
import { COMMAND_TYPES, type CommandType } from "#core/command/catalogue.ts";
import type { Mark } from "#core/command/marks.ts";
import type { CommandSuccess, Line } from "#core/driver.ts";
import { DRIVER_IDS, type DriverId } from "#core/driver-id.ts";
import { FiscalError, isLineFault } from "#core/errors.ts";
import { toLocalTime } from "#core/local-time.ts";
import { lineTotalMinor, toMilli, toMinor } from "#core/money.ts";
import { PAYMENT_METHODS } from "#core/receipt.ts";
import { VAT_GROUP_COUNT, vatGroupName } from "#core/vat.ts";
import { DRIVERS, findDriver } from "./registry.ts";
import { SIMULATORS } from "./simulator/registry.ts";
import {
  type Attempt,
  type BooksChange,
  ContractBench,
  type Port,
} from "./testing/contract-bench.ts";
import {
  BAD_RAW_PAYLOADS,
  badPayloads,
  COFFEE_MINOR,
  type OriginalSale,
  SALE,
  SALE_CASH_MINOR,
  SALE_MINOR,
  STORNO_MINOR,
  samplePayload,
  smallSale,
  storedCoffee,
} from "./testing/contract-payloads.ts";
import {
  EVERY_MODEL,
  isMute,
  type ModelUnderTest,
  SLOW_MODELS,
  WARNED_MODELS,
} from "./testing/every-model.ts";
import { atRest, RecordedProgress } from "./testing/fake-environment.ts";
import { resultFaults } from "./testing/result-faults.ts";
import { SimulatedDevice } from "./testing/simulated-device.ts";
import { Sweep, type SweptFault } from "./testing/sweep.ts";

const PORTS: readonly Port[] = ["tcp", "serial"];

/** Every command type in the order of a day: settings before the first sale, the Z report last. */
const DAY: readonly CommandType[] = [
  "get_status",
  "get_info",
  "get_date_time",
  "get_vat_rates",
  "get_vat_capabilities",
  "get_header_footer_capabilities",
  "get_header_footer",
  "get_logo_capabilities",
  "get_operator_capabilities",
  "get_operators",
  "set_datetime",
  "set_header_footer",
  "set_operator",
  "set_vat_rates",
  "set_logo",
  "delete_logo",
  "non_fiscal_receipt",
  "open_drawer",
  "cash_in",
  "get_cash_amount",
  "print_receipt",
  "get_last_receipt_info",
  "print_duplicate",
  "cash_out",
  "print_reversal_receipt",
  "void_receipt",
  "x_report",
  "void_open_receipt",
  "raw_command",
  "z_report",
];

const NOTHING: BooksChange = { cash: 0, receipts: 0, zReports: 0 };
/** What the samples change in the books; all others change nothing. */
const CHANGES: Readonly<Partial<Record<CommandType, BooksChange>>> = {
  print_receipt: { ...NOTHING, cash: SALE_CASH_MINOR, receipts: 1 },
  print_reversal_receipt: { ...NOTHING, cash: -STORNO_MINOR, receipts: 1 },
  void_receipt: { ...NOTHING, cash: -COFFEE_MINOR, receipts: 1 },
  cash_in: { ...NOTHING, cash: 10_050 },
  cash_out: { ...NOTHING, cash: -4_000 },
  z_report: { ...NOTHING, zReports: 1 },
};
/** Totals of the documents among them. */
const TOTALS: Readonly<Partial<Record<CommandType, number>>> = {
  print_receipt: SALE_MINOR,
  print_reversal_receipt: STORNO_MINOR,
  void_receipt: COFFEE_MINOR,
};

function commandsOf(driver: DriverId): ReadonlySet<CommandType> {
  const found = findDriver(driver);
  if (!found) throw new RangeError(`no driver ${driver}`);
  return found.commands;
}

/** How a command ended, in one comparable word. */
function endOf({ ended }: Attempt): string {
  if (ended.how === "done") return "done";
  return ended.how === "doubtful" ? "doubtful" : `${ended.error.code} ${ended.error.message}`;
}

test("every driver of the contract is built in, and its devices can be simulated", () => {
  expect([...DRIVERS.keys()].sort()).toEqual([...DRIVER_IDS].sort());
  expect([...SIMULATORS.keys()].sort()).toEqual([...DRIVER_IDS].sort());
  for (const models of SIMULATORS.values()) expect(models.size).toBeGreaterThan(0);
  expect([...DAY].sort()).toEqual([...COMMAND_TYPES].sort());
});

/** Runs every command type on a device. @returns the types that it carried out */
async function liveADay(kind: ModelUnderTest, port: Port): Promise<ReadonlySet<CommandType>> {
  const done = new Set<CommandType>();
  const named = commandsOf(kind.driver);
  await ContractBench.on(kind, port, async (bench) => {
    let sold: OriginalSale | undefined;
    for (const type of DAY) {
      if (type === "void_open_receipt" && !isMute(kind)) await bench.leaveReceiptOpen(SALE);
      const { driver, simulated } = kind;
      const payload = samplePayload(type, { driver, books: simulated.books, sold });
      const before = bench.device.books();
      const original = sold === undefined ? {} : { original: storedCoffee(sold) };
      const attempt = await bench.attempt(type, payload, original);
      const { ended, bytesSent } = attempt;
      const label = { model: kind.model, type, end: endOf(attempt) };
      if (ended.how === "done") {
        done.add(type);
        const { success } = ended;
        expect({ ...label, faults: resultFaults(type, success.data) }).toEqual({
          ...label,
          faults: [],
        });
        if (!isMute(kind)) {
          expectBooked(bench, type, before);
          expectNumbered(type, success);
        }
        if (type === "print_receipt") sold = originalOf(bench, success);
      } else if (ended.how === "doubtful") {
        // What confirms nothing cannot be known to be done; everything else must be.
        expect({ ...label, isMute: isMute(kind) }).toEqual({ ...label, isMute: true });
        done.add(type);
      } else {
        const code = isMute(kind) && type === "void_receipt" ? "E401" : "E201";
        expect({ ...label, code: ended.error.code }).toEqual({ ...label, code });
        expect({ ...label, ...bench.changeSince(before) }).toEqual({ ...label, ...NOTHING });
        if (!named.has(type)) expect({ ...label, bytesSent }).toEqual({ ...label, bytesSent: 0 });
      }
      if (ended.how === "doubtful") await bench.reconnect();
    }
  });
  return done;
}

/** What a later storno names of the sale. */
function originalOf(
  { session, device }: ContractBench,
  { fiscalId = "", data }: { readonly fiscalId?: string; readonly data: Record<string, unknown> },
): OriginalSale {
  const { issuedAt, zReportNumber } = data;
  return {
    fiscalId,
    issuedAt: typeof issuedAt === "string" ? issuedAt : new Date(device.time.now()).toISOString(),
    fiscalMemorySerialNumber:
      session.info.fiscalMemorySerialNumber ?? session.info.serialNumber ?? "12345678",
    zReportNumber: typeof zReportNumber === "string" ? zReportNumber : null,
  };
}

/** The books changed by what the command says, to the cent, and nothing stands open. */
function expectBooked(
  bench: ContractBench,
  type: CommandType,
  before: ReturnType<SimulatedDevice["books"]>,
): void {
  const { receipts, openDocument } = bench.device.books();
  expect({ type, ...bench.changeSince(before) }).toEqual({ type, ...(CHANGES[type] ?? NOTHING) });
  expect({ type, openDocument }).toEqual({ type, openDocument: null });
  const total = TOTALS[type];
  if (total !== undefined) expect({ type, total: receipts.at(-1)?.total }).toEqual({ type, total });
}

/**
 * A document that the device confirms has its numbers, though the catalogue lets them be null, and
 * nothing else has a fiscal one.
 */
function expectNumbered(type: CommandType, { fiscalId, data }: CommandSuccess): void {
  if (TOTALS[type] === undefined) {
    expect({ type, fiscalId }).toEqual({ type, fiscalId: undefined });
    return;
  }
  expect({ type, fiscalId, ...data }).toMatchObject({
    type,
    fiscalId: expect.stringMatching(/./),
    receiptNumber: expect.stringMatching(/./),
  });
}

describe.each([...DRIVERS.keys()])("driver %s", (driver) => {
  const models = EVERY_MODEL.filter((kind) => kind.driver === driver);
  test.concurrent.each([...PORTS])(
    "carries out each command type that it names on one of its devices at least, over %s",
    async (port) => {
      const days = await Promise.all(models.map((kind) => liveADay(kind, port)));
      const done = new Set(days.flatMap((types) => [...types]));
      expect([...done].sort()).toEqual([...commandsOf(driver)].sort());
    },
  );
});

/** What each device is put through, on each kind of line. */
type Trial = (kind: ModelUnderTest, port: Port) => Promise<void>;

const identifies: Trial = (kind, port) =>
  ContractBench.on(kind, port, async (bench) => {
    const { info } = bench.session;
    expect(resultFaults("get_info", { info })).toEqual([]);
    if (!isMute(kind)) {
      expect(info.serialNumber).toBe(kind.simulated.layout.serialNumber);
      expect(info.manufacturer).not.toBeNull();
      // Devices that tell the number of their fiscal memory tell the one that is on the paper.
      const { fiscalMemory } = kind.simulated.layout;
      expect([fiscalMemory, null]).toContain(info.fiscalMemorySerialNumber);
    }
    const status = await bench.session.readStatus();
    const { lastZNumber, ...state } = status;
    expect(resultFaults("get_status", state)).toEqual([]);
    expect(lastZNumber).toBe(isMute(kind) ? undefined : 0);
    // With the status beside it, or the gateway asks for the same once more.
    expect(await bench.done("get_status", {})).toEqual({ data: state, status });

    const { session } = bench;
    session.close();
    session.close();
    const before = bench.device.bytesSent;
    const refused = await session.readStatus().catch((error: unknown) => error);
    if (!isMute(kind)) {
      expect(refused).toMatchObject({ code: "E102" });
      expect(bench.device.bytesSent).toBe(before);
    }
    expect((await bench.reconnect()).info).toEqual(info);
  });

const refusesBadPayloads: Trial = (kind, port) =>
  ContractBench.on(kind, port, async (bench) => {
    const { driver, simulated } = kind;
    const before = bench.device.books();
    let refusals = 0;
    for (const type of commandsOf(driver)) {
      // Nothing here waits for a device: without this the tests beside it would stand still.
      await atRest();
      const good = samplePayload(type, { driver, books: simulated.books, sold: undefined });
      const bad = type === "raw_command" ? BAD_RAW_PAYLOADS : badPayloads(type, good);
      for (const payload of bad) {
        const { ended, bytesSent, progress } = await bench.attempt(type, payload);
        const code = ended.how === "refused" ? ended.error.code : ended.how;
        const label = { type, payload: JSON.stringify(payload).slice(0, 200), code };
        expect(["E201", "E400", "E401", "E402", "E403"]).toContain(code);
        expect({ ...label, bytesSent, marks: progress.marks }).toEqual({
          ...label,
          bytesSent: 0,
          marks: [],
        });
        refusals += 1;
      }
    }
    expect(refusals).toBeGreaterThan(100);
    expect(bench.changeSince(before)).toEqual(NOTHING);
  });

/** Forms of a receipt's number by which nobody finds what the gateway knows of the sale. */
const STRANGE_NUMBERS = [" 1", "1 ", "+1", "1.0", "#1", "1-1", "0001-1", "x1", "rct_1"];

const reversesByOneFormOfANumber: Trial = (kind, port) =>
  ContractBench.on(kind, port, async (bench) => {
    const { driver, simulated } = kind;
    const before = bench.device.books();
    const context = { driver, books: simulated.books, sold: undefined };
    const storno = {
      ...Object(samplePayload("print_reversal_receipt", context)),
      fiscalMemorySerialNumber: simulated.layout.fiscalMemory,
      originalZReportNumber: "1",
    };
    for (const originalReceiptNumber of STRANGE_NUMBERS) {
      const payload = { ...storno, originalReceiptNumber };
      const { ended, bytesSent } = await bench.attempt("print_reversal_receipt", payload);
      const code = ended.how === "refused" ? ended.error.code : ended.how;
      expect(["E201", "E400"]).toContain(code);
      expect({ originalReceiptNumber, bytesSent }).toEqual({ originalReceiptNumber, bytesSent: 0 });
    }
    expect(bench.changeSince(before)).toEqual(NOTHING);
  });

/** Sells, and expects it in the books, or a refusal that leaves nothing behind. */
async function sell(bench: ContractBench, payload: unknown) {
  const before = bench.device.books();
  const attempt = await bench.attempt("print_receipt", payload);
  const { receipts, openDocument } = bench.device.books();
  const end = endOf(attempt);
  expect({ end, openDocument }).toEqual({ end, openDocument: null });
  const gained = receipts.slice(before.receipts.length);
  expect({ end, gained: gained.length }).toEqual({ end, gained: end === "done" ? 1 : 0 });
  const code = attempt.ended.how === "refused" ? attempt.ended.error.code : undefined;
  return { receipt: gained[0], code, bytesSent: attempt.bytesSent };
}

const GROUPS = [
  ...Array.from({ length: VAT_GROUP_COUNT }, (_, index) => vatGroupName(index + 1)),
  "exempt",
];

/** The groups that the device says it sells in; some have more than those that can be set. */
async function toldGroups(bench: ContractBench): Promise<readonly string[]> {
  const { rates } = (await bench.done("get_vat_rates", {})).data as {
    readonly rates: readonly { readonly group: string; readonly enabled: boolean }[];
  };
  return rates.filter(({ enabled }) => enabled).map(({ group }) => group);
}

const sellsInEveryGroup: Trial = (kind, port) =>
  ContractBench.on(kind, port, async (bench) => {
    const told = await toldGroups(bench);
    expect(told.length).toBeGreaterThan(1);
    for (const [index, vatGroup] of GROUPS.entries()) {
      const { receipt, code } = await sell(bench, smallSale({ vatGroup }));
      const isSold = receipt !== undefined;
      const label = { vatGroup, code, isSold };
      if (!isSold) expect(["E403", "E305"]).toContain(String(code));
      // What is exempt is sold in whichever group has no tax.
      for (const { group, total } of receipt?.items ?? []) {
        const expected = vatGroup === "exempt" ? group : index + 1;
        expect({ ...label, group, total }).toEqual({ ...label, group: expected, total: 120 });
      }
      const isEnabled = kind.simulated.books.vat[index]?.enabled === true;
      if (isEnabled && told.includes(vatGroup)) expect(label).toEqual({ ...label, isSold: true });
      if (vatGroup !== "exempt" && !isEnabled) expect(label).toEqual({ ...label, isSold: false });
    }
  });

const takesEveryTender: Trial = (kind, port) =>
  ContractBench.on(kind, port, async (bench) => {
    const taken: string[] = [];
    for (const method of PAYMENT_METHODS) {
      const { receipt, code, bytesSent } = await sell(bench, smallSale({ method }));
      if (receipt) {
        taken.push(method);
        // Devices have fewer tenders than the API: some of these share one, but none is cash.
        const [payment, ...more] = receipt.payments;
        expect({ method, amount: payment?.amount, more }).toEqual({
          method,
          amount: 120,
          more: [],
        });
        expect({ method, isCash: payment?.method === "cash" }).toEqual({
          method,
          isCash: method === "cash",
        });
      } else {
        expect({ method, code, bytesSent }).toEqual({ method, code: "E400", bytesSent: 0 });
      }
    }
    expect(taken).toContain("cash");
    expect(taken).toContain("card");
  });

const QUANTITIES = [0.001, 0.5, 1, 2.5, 12.345, 999.999];
const UNITS = ["kg", "бр,10", "бр;0.5", "a$0.5", "a#b@c*2"];
const DISCOUNT = { type: "discount-amount", value: 0.25 };
const SURCHARGE = { type: "surcharge-amount", value: 0.5 };
/** Adjustments of a sale of 10.00, and what is to be paid. */
const ADJUSTED = [
  { subtotalModifiers: [DISCOUNT], total: 9.75 },
  { subtotalModifiers: [SURCHARGE], total: 10.5 },
  { subtotalModifiers: [DISCOUNT, SURCHARGE], total: 10.25 },
];

/** The drivers that take adjustments, as the contract names them. */
const ADJUSTING: readonly DriverId[] = ["vendorA.isl", "vendorE.zfp", "custom.serial"];

const countsToTheCent: Trial = (kind, port) =>
  ContractBench.on(kind, port, async (bench) => {
    for (const quantity of QUANTITIES) {
      const price = 10;
      const total = lineTotalMinor(toMinor(price) ?? 0, toMilli(quantity) ?? 0);
      const payload = smallSale({ price, quantity, total: total / 100 });
      const { receipt, code } = await sell(bench, payload);
      const label = { quantity, code };
      expect({ ...label, total: receipt?.total }).toEqual({ ...label, total });
      expect(receipt?.items[0]).toMatchObject({ price: 1_000, quantity: toMilli(quantity), total });
    }
    // To some devices these signs in a line are a discount.
    for (const unit of UNITS) {
      const { items, ...sale } = smallSale({ quantity: 2, total: 2.4 });
      const payload = { ...sale, items: items.map((item) => ({ ...item, unit })) };
      const { receipt, code } = await sell(bench, payload);
      expect({ unit, code, total: receipt?.total }).toEqual({ unit, code: undefined, total: 240 });
    }
    for (const { subtotalModifiers, total } of ADJUSTED) {
      const sale = { ...smallSale({ price: 10, total }), subtotalModifiers };
      const { receipt, code, bytesSent } = await sell(bench, sale);
      if (ADJUSTING.includes(kind.driver)) expect(receipt?.total).toBe(toMinor(total) ?? 0);
      else expect({ code, bytesSent }).toEqual({ code: "E201", bytesSent: 0 });
    }
  });

/** Names of goods, how they are printed otherwise, and in plain letters, where they have such. */
const NAMES = [
  { name: "A" },
  { name: "W".repeat(255) },
  { name: "Кафе със сметана", plain: "???? ??? ???????" },
  { name: "Brânză și țuică", plain: "Branza si tuica" },
  // As some tills write it: a letter and its mark apart. And what is longer in plain letters.
  { name: "Чаи\u0306", written: "Чай", plain: "???" },
  { name: "가 tea", written: "? tea", plain: "? tea" },
  { name: "€5…", written: "€5…", plain: "EUR5..." },
  { name: "Tab\tand\nline" },
  { name: 'Quote "; a, | pipe', plain: 'Quote ", a, pipe' },
];
/** Characters that even the narrowest line has room for. */
const NARROWEST = 18;

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s/g, "");
}

const printsEveryText: Trial = (kind, port) =>
  ContractBench.on(kind, port, async (bench) => {
    for (const { name, written = name, plain = written } of NAMES) {
      const { receipt, code, bytesSent } = await sell(bench, smallSale({ name }));
      if (!receipt) {
        expect({ name, code, bytesSent }).toEqual({ name, code: "E400", bytesSent: 0 });
        continue;
      }
      const booked = withoutBlanks(receipt.items[0]?.name ?? "");
      const whole = [written, plain].map(withoutBlanks);
      const mayBe =
        name.length <= NARROWEST ? whole : whole.map((one) => one.slice(0, booked.length));
      expect(mayBe).toContain(booked);
      expect(booked.length).toBeGreaterThan(0);
      expect(receipt.total).toBe(120);
    }
  });

/** What is refused while a slip stands open, in the order of a day. */
const IN_THE_WAY: readonly CommandType[] = [
  "set_datetime",
  "set_header_footer",
  "set_operator",
  "cash_in",
  "print_receipt",
  "print_duplicate",
  "cash_out",
  "x_report",
  "non_fiscal_receipt",
  "z_report",
  "set_vat_rates",
];

const printsHeadersWhole: Trial = (kind, port) =>
  ContractBench.on(kind, port, async (bench) => {
    const limits = await bench.attempt("get_header_footer_capabilities", {});
    if (limits.ended.how !== "done") return expect(endOf(limits)).toStartWith("E201");
    const { maxCharsPerLine: columns, maxHeaderLines: lines } = limits.ended.success.data as {
      readonly maxCharsPerLine: number;
      readonly maxHeaderLines: number;
    };
    if (lines === 0) return;
    const whole = "A".repeat(columns - 1).concat("Z");
    const header = [whole, "  Street"].slice(0, lines);
    await bench.done("set_header_footer", { header, footer: [] });
    const { data } = await bench.done("get_header_footer", {});
    expect(data).toEqual({ header, footer: [] });
    await bench.done("x_report", {});
    expect(await bench.device.picture(1)).toContain(whole);
    // Where the paper has no such letters they are written out, and then the line is too long.
    const wide = `${whole.slice(2)}€…`;
    const { ended } = await bench.attempt("set_header_footer", { header: [wide], footer: [] });
    if (ended.how === "done") {
      expect((await bench.done("get_header_footer", {})).data).toEqual({
        header: [wide],
        footer: [],
      });
    } else {
      expect(String(ended.error)).toContain("header.0: longer than a line");
    }
    const long = await bench.attempt("set_header_footer", { header: [`${whole}Z`], footer: [] });
    expect([endOf(long), long.progress.marks]).toEqual([
      expect.stringMatching(/^E400 header\.0: longer than/),
      [],
    ]);
  });

const clearsTheWay: Trial = (kind, port) =>
  ContractBench.on(kind, port, async (bench) => {
    const { driver, simulated } = kind;
    const payloadOf = (type: CommandType) =>
      samplePayload(type, { driver, books: simulated.books, sold: undefined });
    for (const type of IN_THE_WAY) {
      // Where loose lines are printed instead nothing can stand in the way.
      if (!(await bench.leaveSlipOpen(payloadOf("non_fiscal_receipt")))) return;
      const before = bench.device.books();
      const end = endOf(await bench.attempt(type, payloadOf(type)));
      if (end.startsWith("E201")) continue;
      expect({ type, end, ...bench.changeSince(before) }).toEqual({
        ...{ type, end: "done", ...NOTHING },
        ...CHANGES[type],
      });
      expect({ type, openDocument: bench.device.books().openDocument }).toEqual({
        type,
        openDocument: null,
      });
    }
  });

const HOUR_MS = 3_600_000;
/** Some clocks have no seconds. */
const TO_THE_MINUTE = "2024-03-15T12:05".length;

/** Whatever zone the gateway's machine is in. */
const takesLocalTimes: Trial = (kind, port) =>
  ContractBench.on(kind, port, async (bench) => {
    const { driver, simulated, timezone } = kind;
    const shownAt = (instant: number) => {
      const { year, month, day, hour, minute, second } = toLocalTime(instant, timezone);
      const [date, time] = [
        [year, month, day],
        [hour, minute, second],
      ].map((parts) => parts.map((part) => String(part).padStart(2, "0")));
      return `${date?.join("-")}T${time?.join(":")}`;
    };
    const datetime = shownAt(bench.device.time.now() + HOUR_MS);
    const set = endOf(await bench.attempt("set_datetime", { datetime }));
    if (!set.startsWith("E201")) {
      const shown = bench.device.books().clock.time;
      expect({ set, shown: shown.slice(0, TO_THE_MINUTE) }).toEqual({
        set: "done",
        shown: datetime.slice(0, TO_THE_MINUTE),
      });
    }
    const sold = originalOf(bench, await bench.done("print_receipt", SALE));
    const soldAt = shownAt(Date.parse(sold.issuedAt));
    const storno = samplePayload("print_reversal_receipt", {
      ...{ driver, books: simulated.books, sold: { ...sold, issuedAt: soldAt } },
    });
    const end = endOf(await bench.attempt("print_reversal_receipt", storno));
    if (end.startsWith("E201")) return;
    const { original } = bench.device.books().receipts.at(-1) ?? {};
    const time = (original?.time ?? soldAt).slice(0, TO_THE_MINUTE);
    expect({ end, time }).toEqual({ end: "done", time: soldAt.slice(0, TO_THE_MINUTE) });
  });

const readsOperatorsOrNot: Trial = (kind, port) =>
  ContractBench.on(kind, port, async (bench) => {
    const { ended: told } = await bench.attempt("get_operator_capabilities", {});
    const isTold = told.how === "done" && told.success.data.canGetOperators === true;
    const { ended, bytesSent } = await bench.attempt("get_operators", {});
    expect({ isTold, how: ended.how }).toEqual({ isTold, how: isTold ? "done" : "refused" });
    if (!isTold) expect({ code: codeIn(ended), bytesSent }).toEqual({ code: "E201", bytesSent: 0 });
  });

/** Of a sale that another system made, with whatever a frame could be broken with. */
const FOREIGN_SALE_NUMBER = "POS 7;24,\t\n0001";

const takesForeignSaleNumbers: Trial = (kind, port) =>
  ContractBench.on(kind, port, async (bench) => {
    const { driver, simulated } = kind;
    const sold = originalOf(bench, await bench.done("print_receipt", SALE));
    const storno = samplePayload("print_reversal_receipt", {
      ...{ driver, books: simulated.books, sold },
    }) as object;
    const before = bench.device.books();
    const attempt = await bench.attempt("print_reversal_receipt", {
      ...storno,
      uniqueSaleNumber: FOREIGN_SALE_NUMBER,
    });
    if (attempt.ended.how === "done") {
      expect(bench.changeSince(before)).toMatchObject({ receipts: 1 });
      return;
    }
    const { bytesSent } = attempt;
    const code = codeIn(attempt.ended);
    expect({ code, bytesSent }).toEqual({ code: code === "E201" ? "E201" : "E400", bytesSent: 0 });
  });

/** A gateway that closes its line right after a mark was stored. */
class ClosingProgress extends RecordedProgress {
  constructor(
    private readonly last: Mark,
    private readonly close: () => void,
  ) {
    super();
  }

  override async mark(...[mark, baseline]: Parameters<RecordedProgress["mark"]>): Promise<void> {
    await super.mark(mark, baseline);
    if (mark === this.last) this.close();
  }
}

const endsCallsWhenClosed: Trial = (kind, port) =>
  ContractBench.on(kind, port, async (bench) => {
    const { device } = bench;
    const { session } = bench;
    await device.fault({ kind: "hold" });
    const reading = session.readStatus().catch((error: unknown) => error);
    session.close();
    expect(await reading).toMatchObject({ code: "E102" });
    await device.clear();

    for (const mark of ["baseline", "opened", "committing"] as const) {
      await bench.reconnect();
      const before = device.books();
      const open = bench.session;
      const progress = new ClosingProgress(mark, () => open.close());
      const { ended } = await bench.attempt("print_receipt", SALE, { progress });
      const label = { mark, ended: ended.how };
      expect({ ...label, code: codeIn(ended) }).toEqual({ ...label, code: "E102" });
      await bench.reconnect();
      const command = {
        id: "cmd_1",
        type: "print_receipt",
        payload: SALE,
        original: undefined,
      } as const;
      const { outcome } = await bench.session.resolve(command, progress.evidence());
      const { receipts } = bench.changeSince(before);
      expect({ ...label, outcome, receipts }).toEqual({
        ...label,
        outcome: receipts === 0 ? "not_printed" : "printed",
        receipts: receipts === 0 ? 0 : 1,
      });
      expect(device.books().openDocument).toBeNull();
    }
  });

function codeIn(ended: Attempt["ended"]): string | undefined {
  if (ended.how === "done") return undefined;
  return ended.how === "refused" ? ended.error.code : ended.error.cause.code;
}

const FAULTS: Readonly<Record<Port, readonly SweptFault[]>> = {
  tcp: [
    { kind: "drop_before" },
    { kind: "drop_after" },
    { kind: "silent", count: 4 },
    { kind: "silent_after", count: 4 },
    { kind: "garble" },
    { kind: "power_loss", when: "after" },
  ],
  serial: [
    { kind: "unplug", when: "before" },
    { kind: "unplug", when: "after", ms: 800 },
    { kind: "drop_after" },
    { kind: "silent", count: 4 },
    { kind: "silent_after", count: 4 },
    { kind: "power_loss", when: "before", offMs: 800 },
  ],
};
/** Parts of a receipt's frames that are struck. */
const STRUCK_PARTS = [0.5, 0.8, 1];

const tellsTheTruthAfterFaults: Trial = async (kind, port) => {
  const sweep = await Sweep.start({ ...kind, port });
  try {
    const run = { type: "print_receipt", payload: SALE } as const;
    const frames = await sweep.countFrames(run);
    for (const fault of FAULTS[port]) {
      for (const part of STRUCK_PARTS) {
        const { receipt } = await sweep.expectTruth(run, {
          ...fault,
          at: Math.ceil(part * frames),
        });
        if (receipt) expect(receipt.total).toBe(SALE_MINOR);
      }
    }
  } finally {
    await sweep.stop();
  }
};

/** What devices of all protocols say to a frame that they cannot read. */
const NAK = 0x15;
/** A talk that leads nowhere is given up within so much of the driver's time. */
const MISMATCH_MS_MAX = 10_000;
const isNobodyElses: Trial = async (kind, port) => {
  const device = await SimulatedDevice.start({ ...kind, port });
  try {
    for (const driver of DRIVERS.values()) {
      if (driver.id === kind.driver && !isMute(kind)) continue;
      let heard = 0;
      let isAnswered = false;
      const line = await device.openLine();
      const { profile: _profile, ...environment } = device.environment();
      const connecting = { ...environment, remembered: new Map<string, string>() };
      const startedAt = device.time.now();
      const listening: Line = {
        write: (bytes) => line.write(bytes),
        listen: ({ data, closed }) =>
          line.listen({
            closed,
            data(chunk) {
              heard += chunk.length;
              isAnswered ||= chunk.some((byte) => byte !== NAK);
              data(chunk);
            },
          }),
        close: () => line.close(),
      };
      const told = await device.time
        .run(driver.connect(listening, connecting))
        .catch((error: unknown) => error);
      line.close();
      const label = { driver: driver.id, told: String(told), heard };
      // Only a device that answers in the driver's protocol proves that it is none of its own.
      const isKin = driver.detection?.protocol === DRIVERS.get(kind.driver)?.detection?.protocol;
      const expected = isKin && isAnswered ? "E200" : "a fault of the line";
      const code = told instanceof FiscalError ? told.code : "none";
      expect({ ...label, told: isLineFault(told) ? "a fault of the line" : code }).toEqual({
        ...label,
        told: expected,
      });
      expect(device.time.now() - startedAt).toBeLessThan(MISMATCH_MS_MAX);
    }
    const { receipts, cash, zNumber, openDocument } = device.books();
    expect({ receipts, cash, zNumber, openDocument }).toEqual({
      receipts: [],
      cash: 0,
      zNumber: 0,
      openDocument: null,
    });
  } finally {
    await device.stop();
  }
};

const TRIALS: readonly (readonly [title: string, trial: Trial, devices?: "that answer"])[] = [
  ["is identified, tells its state, and is left and found again", identifies],
  ["is none of any other driver's, which tell so in time", isNobodyElses],
  ["is sent nothing of a bad payload", refusesBadPayloads],
  ["reverses a sale by one form of its number", reversesByOneFormOfANumber],
  ["sells in the VAT groups that it tells, and in no others", sellsInEveryGroup, "that answer"],
  ["takes each tender, or is not asked to", takesEveryTender, "that answer"],
  ["counts quantities and adjustments to the cent", countsToTheCent, "that answer"],
  ["prints names of every length and script", printsEveryText, "that answer"],
  ["lists its operators where it says that it can, and nowhere else", readsOperatorsOrNot],
  ["takes times without an offset as its place's", takesLocalTimes, "that answer"],
  [
    "takes a sale number of any form, or says that it cannot",
    takesForeignSaleNumbers,
    "that answer",
  ],
  ["ends a call with E102 when its session is closed", endsCallsWhenClosed, "that answer"],
  [
    "prints a header as wide as it tells, and none that is wider",
    printsHeadersWhole,
    "that answer",
  ],
  ["lets a slip that broke off stand in nobody's way", clearsTheWay, "that answer"],
  ["tells what is true of a receipt that broke off", tellsTheTruthAfterFaults, "that answer"],
];

describe.each([...PORTS])("over %s", (port) => {
  for (const kind of EVERY_MODEL) {
    describe(`a device of ${kind.driver}, ${kind.model}`, () => {
      for (const [title, trial, devices] of TRIALS) {
        if (devices === "that answer" && isMute(kind)) continue;
        test.concurrent(title, () => trial(kind, port));
      }
    });
  }
});

describe.each([
  ["with warnings up", WARNED_MODELS],
  ["at their slowest", SLOW_MODELS],
])("%s", (_, models) => {
  test.concurrent.each([...models])("a device of $driver, $model, lives a day", async (kind) => {
    const done = await liveADay(kind, "tcp");
    const usual = { ...kind, isWarned: false, isSlow: false };
    expect([...done].sort()).toEqual([...(await liveADay(usual, "tcp"))].sort());
  });

  test.concurrent.each([...models])("a device of $driver, $model, tells what is true", (kind) =>
    tellsTheTruthAfterFaults(kind, "tcp"),
  );
});
