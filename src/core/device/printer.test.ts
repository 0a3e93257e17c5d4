import { describe, expect, test } from "bun:test";
import { addressText, withFoundKeys } from "./address.ts";
import {
  answersFor,
  mayHold,
  mayStandOpenAt,
  type Printer,
  type PrinterRecord,
  printerBefore,
  printerOf,
  type RegisteredPrinter,
  shopPrinterOf,
  tellingNumber,
} from "./printer.ts";

const ONE: Printer = {
  deviceId: "dev_1",
  fiscalMemorySerialNumber: "44311662",
  serialNumber: "ED311662",
  address: "tcp printer 4999",
};

describe("two of which something is known are one printer", () => {
  const differs = { deviceId: "dev_2", address: "tcp other 4999" };
  test.each([
    ["by both numbers", differs, true],
    ["by the fiscal memory, whatever the device's number", { ...differs, serialNumber: "X" }, true],
    ["not when the fiscal memories differ", { fiscalMemorySerialNumber: "1" }, false],
    [
      "by the fiscal memory with zeros in front",
      { ...differs, fiscalMemorySerialNumber: "0044311662" },
      true,
    ],
    ["not by zeros within it", { fiscalMemorySerialNumber: "443110662" }, false],
    [
      "by the number, where one does not tell its memory",
      { ...differs, fiscalMemorySerialNumber: null },
      true,
    ],
    ["not when the numbers differ", { fiscalMemorySerialNumber: null, serialNumber: "X" }, false],
    [
      "not by a number that was never given",
      { ...differs, fiscalMemorySerialNumber: "00000000", serialNumber: " " },
      false,
    ],
    [
      "by the address, where nothing else is known",
      { deviceId: "dev_2", fiscalMemorySerialNumber: null, serialNumber: null },
      true,
    ],
    [
      "by the record, where nothing else is known",
      { ...differs, deviceId: "dev_1", fiscalMemorySerialNumber: null, serialNumber: null },
      true,
    ],
  ])("%s", (_, change, expected) => {
    expect(answersFor(ONE, { ...ONE, ...change })).toBe(expected);
    expect(answersFor({ ...ONE, ...change }, ONE)).toBe(expected);
  });
});

test.each([
  ["tcp", { host: "Printer.Shop", port: 4999 }, "tcp printer.shop 4999"],
  ["bluetooth", { address: "aa:bb:cc:dd:ee:ff#1" }, "bluetooth AA:BB:CC:DD:EE:FF#1"],
  ["serial", { address: "/dev/ttyS0?baud=9600" }, "serial /dev/ttyS0"],
  ["simulated", { address: "dev_1" }, "simulated dev_1"],
] as const)(
  "an address over %s is compared as it is written, without settings",
  (transport, connectionParams, text) => {
    expect(addressText({ transport, connectionParams })).toBe(text);
  },
);

test("a simulated printer is its record, whatever numbers it tells", () => {
  const simulated = { ...ONE, deviceId: "dev_s", address: "simulated dev_s" };
  expect(answersFor(simulated, ONE)).toBe(false);
  expect(answersFor(ONE, simulated)).toBe(false);
  const other = { ...simulated, deviceId: "dev_t", address: "simulated dev_t" };
  expect(answersFor(simulated, other)).toBe(false);
  expect(answersFor(simulated, { ...simulated, serialNumber: null })).toBe(true);
  expect(answersFor(simulated, { ...ONE, deviceId: "dev_s" })).toBe(true);
});

describe("without a number an address leads to a printer from where it is reached", () => {
  type Reached = Partial<PrinterRecord> & { readonly at: string };
  const at = ({ at: text, ...change }: Reached): Printer => {
    const [transport = "", one = ""] = text.split(" ");
    return printerOf({
      ...{ id: JSON.stringify([text, change]), orgId: "org", managedBy: "remote" },
      ...{ controllerId: "pi-1", serialNumber: null, fiscalMemorySerialNumber: null },
      addressKeys: null,
      transport: transport as "serial",
      connectionParams: transport === "tcp" ? { host: one, port: 1 } : { address: one },
      ...change,
    });
  };
  const [usb, lan, air] = ["serial /dev/ttyUSB0", "tcp 10.0.0.5", "bluetooth AA:BB:CC:DD:EE:FF"];
  const numbered = { serialNumber: "S9" };
  const builtin = { managedBy: "builtin", controllerId: "builtin" } as const;
  test.each<[string, Reached, Reached, boolean]>([
    ["a port of one controller", { at: usb }, { at: `${usb}?baud=9600` }, true],
    ["a port of two", { at: usb }, { at: usb, controllerId: "pi-2" }, false],
    ["a port of whoever comes", { at: usb }, { at: usb, controllerId: null }, true],
    ["a port of the gateway's own", { at: usb }, { at: usb, ...builtin }, false],
    ["a port in two shops", { at: usb }, { at: usb, orgId: "other", controllerId: null }, false],
    ["a network of one shop", { at: lan }, { at: lan, controllerId: "pi-2" }, true],
    ["a network of two shops", { at: lan }, { at: lan, orgId: "other" }, false],
    ["the gateway's own network", { at: lan }, { at: lan, ...builtin }, true],
    [
      "a network, where one tells a number",
      { at: lan },
      { at: lan, ...builtin, ...numbered },
      false,
    ],
    ["a radio address, whoever has it", { at: air }, { at: air, orgId: "other" }, true],
  ])("%s", (...[, one, other, isSame]) => {
    expect(answersFor(at(one), at(other))).toBe(isSame);
    expect(answersFor(at(other), at(one))).toBe(isSame);
  });
});

describe("a machine's own port, without a number", () => {
  const record = (change: Partial<PrinterRecord>): RegisteredPrinter => ({
    ...{ id: JSON.stringify(change), orgId: "org", managedBy: "remote", controllerId: "pi-1" },
    ...{ serialNumber: null, fiscalMemorySerialNumber: null, addressKeys: null, createdAt: 0 },
    ...{ transport: "tcp", connectionParams: { host: "127.0.0.1", port: 1 } },
    ...change,
  });
  const own = (change: Partial<PrinterRecord>): Printer => printerOf(record(change));
  const named = { connectionParams: { host: "box.shop", port: 1 } };
  const builtin = { managedBy: "builtin", controllerId: "builtin" } as const;
  const boxes = { ...builtin, ...named, addressKeys: ["tcp localhost 1"] };
  test.each<[string, Partial<PrinterRecord>, boolean]>([
    ["of the same controller", { connectionParams: { host: "::1", port: 1 } }, true],
    ["of whoever comes", { controllerId: null }, true],
    ["of another controller", { controllerId: "pi-2" }, false],
    ["of the gateway", builtin, false],
    ["of the gateway, by a name", boxes, false],
  ])("%s holds it, and answers for it: %j", (_, other, answers) => {
    const [one, two] = [record({}), record(other)];
    for (const [open, device] of [
      [one, two],
      [two, one],
    ] as const) {
      const printer = shopPrinterOf(open);
      expect(mayHold(printer, device)).toBe(true);
      expect(mayStandOpenAt(printer, device)).toBe(true);
    }
    expect(answersFor(own({}), own(other))).toBe(answers);
    expect(answersFor(own(other), own({}))).toBe(answers);
  });

  test("of the gateway answers for the name by which others reach it", () => {
    expect(answersFor(own(named), own(boxes))).toBe(true);
  });
});

describe("a port's name at another controller, without a number", () => {
  const device = (change: Partial<RegisteredPrinter>): RegisteredPrinter => ({
    ...{ id: "dev_2", orgId: "org", managedBy: "remote", controllerId: "pi-2", createdAt: 10 },
    ...{ serialNumber: null, fiscalMemorySerialNumber: null, addressKeys: null },
    ...{ transport: "serial", connectionParams: { address: "/dev/ttyUSB0" } },
    ...change,
  });
  const printer = printerOf(device({ id: "dev_1", controllerId: "pi-1" }));
  const open = { ...printer, orgId: "org", commandId: "cmd_5" };
  test.each<[string, Partial<RegisteredPrinter>, number | undefined, boolean]>([
    ["registered since", {}, 10, true],
    ["there before", { id: "dev_4" }, 11, false],
    ["registered since by its id, while the clock was set back", { id: "dev_6" }, 11, true],
    ["in another shop", { orgId: "other" }, 10, false],
    ["with a number", { serialNumber: "S9" }, 10, false],
    ["of which nothing is open", {}, undefined, false],
  ])("%s", (...[, change, raisedAt, holds]) => {
    const one = raisedAt === undefined ? open : { ...open, raisedAt };
    expect(mayHold(one, device(change))).toBe(holds);
    expect(mayStandOpenAt(one, device(change))).toBe(holds);
    expect(answersFor(one, printerOf(device(change)))).toBe(false);
  });
});

test("where a host's name led before may hold, and answers for nothing", () => {
  const kept = withFoundKeys("tcp till.shop 1\ntcp 10.0.0.5 1", ["tcp 10.0.0.6 1"]);
  const none = { serialNumber: null, fiscalMemorySerialNumber: null };
  const open = { ...none, deviceId: "dev_1", orgId: "org", address: kept, raisedAt: 0 };
  const at = (host: string): RegisteredPrinter => ({
    ...{ ...none, id: "dev_2", orgId: "org", managedBy: "builtin", controllerId: "builtin" },
    ...{ transport: "tcp", connectionParams: { host, port: 1 }, addressKeys: null, createdAt: 0 },
  });
  const told = ["10.0.0.5", "10.0.0.6", "10.0.0.7"].map((host) => [
    mayHold(open, at(host)),
    answersFor(open, printerOf(at(host))),
  ]);
  expect(told).toEqual([
    [true, false],
    [true, true],
    [false, false],
  ]);
});

test("a command ran on the printer of which its baseline was read", () => {
  const record = {
    ...({ id: "dev_1", orgId: "org", managedBy: "builtin", controllerId: null } as const),
    transport: "tcp",
    connectionParams: { host: "h", port: 1 },
    addressKeys: null,
    serialNumber: "NEW",
    fiscalMemorySerialNumber: "F",
  } as const;
  expect(printerBefore(record, { serialNumber: "OLD" })).toMatchObject({
    serialNumber: "OLD",
    fiscalMemorySerialNumber: null,
  });
  expect(printerBefore(record, { serialNumber: "NEW" }).fiscalMemorySerialNumber).toBe("F");
  expect(printerBefore(record, null).serialNumber).toBe("NEW");
});

test.each([null, undefined, "", "  ", "0000", "00-00"])("%p tells nothing", (number) => {
  expect(tellingNumber(number)).toBeNull();
});
