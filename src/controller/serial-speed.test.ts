import { describe, expect, test } from "bun:test";
import type { DeviceConfig } from "#core/device/device.ts";
import type { Driver } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { keepSpeed, nextSpeed, speedsOf, speedToTry } from "./serial-speed.ts";

const SPEEDS = [115_200, 9_600, 19_200];
const DRIVER: Driver = {
  id: "vendorA.isl",
  commands: new Set(),
  serialSpeedsBaud: SPEEDS,
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

describe("the speeds of a device", () => {
  test("are its driver's where the address names none", () => {
    expect(speedsOf(device("/dev/ttyS0"), DRIVER)).toEqual(SPEEDS);
    expect(speedsOf(device("/dev/ttyS0?parity=even"), DRIVER)).toEqual(SPEEDS);
  });

  test("are no choice where the address names one, the driver none, or the line has none", () => {
    expect(speedsOf(device("/dev/ttyS0?baud=9600"), DRIVER)).toBeUndefined();
    const { serialSpeedsBaud: _speeds, ...plain } = DRIVER;
    expect(speedsOf(device("/dev/ttyS0"), plain)).toBeUndefined();
    const connectionParams = { host: "printer", port: 4999 };
    const network: DeviceConfig = { ...device(""), transport: "tcp", connectionParams };
    expect(speedsOf(network, DRIVER)).toBeUndefined();
  });
});

describe("looking for the speed", () => {
  test("goes through all of them and begins again", () => {
    const remembered = new Map<string, string>();
    const tried = Array.from({ length: 4 }, () => {
      const speed = speedToTry(SPEEDS, remembered);
      nextSpeed(silence(), speed, { speeds: SPEEDS, remembered });
      return speed;
    });
    expect(tried).toEqual([115_200, 9_600, 19_200, 115_200]);
  });

  test("says that the device speaks another protocol only after the last of them", () => {
    const remembered = new Map<string, string>();
    const codes = SPEEDS.map((speed) => {
      const noise = new FiscalError("E200", "The device does not speak the protocol");
      const error = nextSpeed(noise, speed, { speeds: SPEEDS, remembered });
      return error instanceof FiscalError ? error.code : error;
    });
    expect(codes).toEqual(["E501", "E501", "E200"]);
  });

  test("stays with the one that works, and looks at all others before it gives up", () => {
    const remembered = new Map<string, string>();
    nextSpeed(silence(), 115_200, { speeds: SPEEDS, remembered });
    keepSpeed(9_600, remembered);
    expect(speedToTry(SPEEDS, remembered)).toBe(9_600);
    expect(nextSpeed(silence(), 9_600, { speeds: SPEEDS, remembered })).toMatchObject({
      message: "The device does not answer at 9600 baud",
    });
    expect(speedToTry(SPEEDS, remembered)).toBe(19_200);
  });

  test("does not blame the speed for a port that is not there", () => {
    const remembered = new Map<string, string>();
    const missing = new FiscalError("E103", "There is no port /dev/ttyS0");
    expect(nextSpeed(missing, 115_200, { speeds: SPEEDS, remembered })).toBe(missing);
    expect(speedToTry(SPEEDS, remembered)).toBe(115_200);
  });
});
