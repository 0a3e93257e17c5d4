import { describe, expect, test } from "bun:test";
import {
  addressText,
  isSamePrinter,
  type Printer,
  printerBefore,
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
    expect(isSamePrinter(ONE, { ...ONE, ...change })).toBe(expected);
    expect(isSamePrinter({ ...ONE, ...change }, ONE)).toBe(expected);
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
  expect(isSamePrinter(simulated, ONE)).toBe(false);
  expect(isSamePrinter(ONE, simulated)).toBe(false);
  const other = { ...simulated, deviceId: "dev_t", address: "simulated dev_t" };
  expect(isSamePrinter(simulated, other)).toBe(false);
  expect(isSamePrinter(simulated, { ...simulated, serialNumber: null })).toBe(true);
  expect(isSamePrinter(simulated, { ...ONE, deviceId: "dev_s" })).toBe(true);
});

test("a command ran on the printer of which its baseline was read", () => {
  const record = {
    id: "dev_1",
    transport: "tcp",
    connectionParams: { host: "h", port: 1 },
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
