import { describe, expect, test } from "bun:test";
import type { DeviceAddress } from "#core/device/detection.ts";
import type { Driver } from "#core/driver.ts";
import type { DriverId } from "#core/driver-id.ts";
import { DRIVERS } from "#drivers/registry.ts";
import { detectingDrivers, probesFor } from "./probe-order.ts";
import { heardAtAnotherSpeed } from "./testing/wrong-speed.ts";

function driver(id: DriverId, opensWith: "control_byte" | "frame", rest: Partial<Driver>): Driver {
  return {
    id,
    commands: new Set(),
    detection: { protocol: id, opensWith, tcpPorts: [] },
    connect: () => Promise.reject(new Error("not asked to connect")),
    ...rest,
  };
}

const SERIAL: DeviceAddress = { transport: "serial", connectionParams: { address: "/dev/a" } };

function probesAt(address: DeviceAddress, drivers: readonly Driver[]): string[] {
  return probesFor(address, detectingDrivers(drivers, undefined)).map(
    ({ driver: { id }, address: { connectionParams: params } }) =>
      `${id} ${"host" in params ? params.port : params.address}`,
  );
}

describe("the questions at a serial port", () => {
  const framed = driver("vendorA.isl", "frame", {
    serialSettings: () => [{ baudRate: 115_200 }, { baudRate: 9_600 }],
  });
  const byte = driver("vendorE.zfp", "control_byte", {
    serialSettings: () => [{ baudRate: 57_600 }],
  });

  test("begin with every driver's likeliest speed, single control bytes first", () => {
    expect(probesAt(SERIAL, [framed, byte])).toEqual([
      "vendorE.zfp /dev/a?baud=57600",
      "vendorA.isl /dev/a?baud=115200",
      "vendorA.isl /dev/a?baud=9600",
    ]);
  });

  test("keep to what the address says, each once", () => {
    const address: DeviceAddress = {
      transport: "serial",
      connectionParams: { address: "/dev/a?baud=1200&parity=even" },
    };
    expect(probesAt(address, [framed, byte])).toEqual([
      "vendorE.zfp /dev/a?baud=1200&parity=even",
      "vendorA.isl /dev/a?baud=1200&parity=even",
    ]);
  });

  test("are none of a driver whose devices cannot be found by asking", () => {
    const { detection: _detection, ...blind } = framed;
    expect(probesAt(SERIAL, [blind])).toEqual([]);
  });

  test("of this build leave no settings of a driver out", () => {
    const drivers = detectingDrivers([...DRIVERS.values()], undefined);
    const asked = probesFor(SERIAL, drivers).map(({ driver: { id } }) => id);
    for (const { id, serialSettings } of drivers) {
      expect({ id, times: asked.filter((one) => one === id).length }).toEqual({
        id,
        times: serialSettings?.().length ?? 1,
      });
    }
  });
});

describe("the questions at a TCP port", () => {
  test("begin with single control bytes, then with those whose devices use the port", () => {
    const at = (id: DriverId, opensWith: "control_byte" | "frame", tcpPorts: number[]) => ({
      ...driver(id, opensWith, {}),
      detection: { protocol: id, opensWith, tcpPorts },
    });
    const drivers = [
      at("vendorA.isl", "frame", [3999]),
      at("custom.serial", "frame", [9100]),
      at("vendorE.zfp", "control_byte", [8000]),
      at("vendorF.shtrih", "control_byte", [9100]),
    ];
    const address: DeviceAddress = {
      transport: "tcp",
      connectionParams: { host: "h", port: 9100 },
    };
    expect(probesAt(address, drivers)).toEqual([
      "vendorF.shtrih 9100",
      "vendorE.zfp 9100",
      "custom.serial 9100",
      "vendorA.isl 9100",
    ]);
  });
});

describe("bytes at another speed, as the tests of safety send them", () => {
  const bytes = Uint8Array.of(0x02, 0x5a, 0xff, 0x00, 0x15);

  test("are the same at the same speed", () => {
    expect([...heardAtAnotherSpeed(bytes, 9_600, 9_600)]).toEqual([...bytes]);
  });

  test("are fewer on a slower port and more on a faster one", () => {
    expect(heardAtAnotherSpeed(bytes, 9_600, 4_800).length).toBeLessThan(bytes.length);
    expect(heardAtAnotherSpeed(bytes, 9_600, 115_200).length).toBeGreaterThan(bytes.length);
  });
});
