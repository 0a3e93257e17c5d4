import { describe, expect, test } from "bun:test";
import type { DeviceConfig } from "#core/device/device.ts";
import type { SerialSettings } from "#core/device/serial-address.ts";
import type { Driver } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import {
  choicesOf,
  keepSettings,
  nextSettings,
  settingsText,
  settingsToTry,
} from "./serial-search.ts";

const CHOICES: readonly SerialSettings[] = [
  { baudRate: 115_200 },
  { baudRate: 19_200, parity: "odd", dataBits: 7 },
  { baudRate: 19_200 },
];
const [FASTEST = {}, ODD = {}, PLAIN = {}] = CHOICES;
const DRIVER: Driver = {
  id: "vendorA.isl",
  commands: new Set(),
  serialSettings: () => CHOICES,
  connect: () => Promise.reject(new Error("not asked to connect")),
};

function device(address: string): DeviceConfig {
  return {
    id: "dev_1",
    orgId: "org_1",
    name: "Printer",
    driver: "vendorA.isl",
    transport: "serial",
    connectionParams: { address },
    timezone: "Europe/Sofia",
    currency: "EUR",
  };
}

function silence(): FiscalError {
  return new FiscalError("E501", "The device does not answer");
}

describe("the settings of a device's port", () => {
  test("are its driver's where the address names no speed", () => {
    expect(choicesOf(device("/dev/ttyS0"), DRIVER)).toEqual(CHOICES);
  });

  test("keep to what the address does name, each once", () => {
    expect(choicesOf(device("/dev/ttyS0?parity=even&dataBits=8"), DRIVER)).toEqual([
      { baudRate: 115_200, parity: "even", dataBits: 8 },
      { baudRate: 19_200, parity: "even", dataBits: 8 },
    ]);
  });

  test("are no choice where the address names a speed, the driver none, or the line has none", () => {
    expect(choicesOf(device("/dev/ttyS0?baud=9600"), DRIVER)).toBeUndefined();
    const { serialSettings: _settings, ...plain } = DRIVER;
    expect(choicesOf(device("/dev/ttyS0"), plain)).toBeUndefined();
    const connectionParams = { host: "printer", port: 4999 };
    const network: DeviceConfig = { ...device(""), transport: "tcp", connectionParams };
    expect(choicesOf(network, DRIVER)).toBeUndefined();
  });

  test.each<[SerialSettings, string]>([
    [{ baudRate: 9_600 }, "9600 baud"],
    [{ baudRate: 9_600, parity: "none", dataBits: 8, stopBits: 1 }, "9600 baud"],
    [{ baudRate: 19_200, parity: "odd", dataBits: 7 }, "19200 baud 7O1"],
  ])("%p are told in words", (settings, text) => {
    expect(settingsText(settings)).toBe(text);
  });
});

describe("looking for the settings", () => {
  test("goes through all of them and begins again", () => {
    const remembered = new Map<string, string>();
    const tried = Array.from({ length: 4 }, () => {
      const settings = settingsToTry(CHOICES, remembered);
      nextSettings(silence(), settings, { choices: CHOICES, remembered });
      return settings;
    });
    expect(tried).toEqual([FASTEST, ODD, PLAIN, FASTEST]);
  });

  test("says that the device speaks another protocol only after the last of them", () => {
    const remembered = new Map<string, string>();
    const codes = CHOICES.map((settings) => {
      const noise = new FiscalError("E200", "The device does not speak the protocol");
      const error = nextSettings(noise, settings, { choices: CHOICES, remembered });
      return error instanceof FiscalError ? error.code : error;
    });
    expect(codes).toEqual(["E501", "E501", "E200"]);
  });

  test("stays with those that work, and looks at all others before it gives up", () => {
    const remembered = new Map<string, string>();
    nextSettings(silence(), FASTEST, { choices: CHOICES, remembered });
    keepSettings(ODD, remembered);
    expect(settingsToTry(CHOICES, remembered)).toEqual(ODD);
    expect(nextSettings(silence(), ODD, { choices: CHOICES, remembered })).toMatchObject({
      message: "The device does not answer at 19200 baud 7O1",
    });
    expect(settingsToTry(CHOICES, remembered)).toEqual(PLAIN);
  });

  test("goes on whichever way a driver says that nobody answers", () => {
    for (const code of ["E101", "E200", "E501"] as const) {
      const remembered = new Map<string, string>();
      nextSettings(new FiscalError(code, "no"), FASTEST, { choices: CHOICES, remembered });
      expect(settingsToTry(CHOICES, remembered)).toEqual(ODD);
    }
  });

  test("does not blame the settings for a port that is not there", () => {
    const remembered = new Map<string, string>();
    const missing = new FiscalError("E103", "There is no port /dev/ttyS0");
    expect(nextSettings(missing, FASTEST, { choices: CHOICES, remembered })).toBe(missing);
    expect(settingsToTry(CHOICES, remembered)).toEqual(FASTEST);
  });
});
