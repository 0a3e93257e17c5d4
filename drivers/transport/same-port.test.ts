import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { DeviceAddress } from "#core/device/detection.ts";
import type { DriverEnvironment } from "#core/driver.ts";
import { portKeys } from "./same-port.ts";

const folder = mkdtempSync(join(tmpdir(), "addresses-"));
afterAll(() => rmSync(folder, { recursive: true }));

const setTimer: DriverEnvironment["setTimer"] = (ms, callback) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};
const keys = (address: DeviceAddress) => portKeys(address, { setTimer });
const serial = (address: string): DeviceAddress => ({
  transport: "serial",
  connectionParams: { address },
});
const tcp = (host: string, port: number): DeviceAddress => ({
  transport: "tcp",
  connectionParams: { host, port },
});

async function areSame(one: DeviceAddress, other: DeviceAddress): Promise<boolean> {
  const known = await keys(one);
  return (await keys(other)).some((key) => known.includes(key));
}

test("a serial port is the same by its lasting name, by its path and with settings", async () => {
  const port = join(folder, "ttyUSB0");
  const name = join(folder, "usb-adapter");
  writeFileSync(port, "");
  symlinkSync(port, name);
  expect(await areSame(serial(name), serial(`${port}?baud=9600`))).toBe(true);
  expect(await areSame(serial(name), serial(join(folder, "ttyUSB1")))).toBe(false);
});

test("a port that is not plugged in is known by its name", async () => {
  const gone = serial(join(folder, "gone"));
  expect(await areSame(gone, gone)).toBe(true);
  const folderLink = join(folder, "by-id");
  symlinkSync(folder, folderLink);
  for (const other of [`${folder}/../${basename(folder)}/gone`, join(folderLink, "gone")])
    expect(await areSame(gone, serial(`${other}?baud=9600`))).toBe(true);
});

test("a host is the same by name and by address, on the same port only", async () => {
  expect(await areSame(tcp("LOCALHOST", 3999), tcp("127.0.0.1", 3999))).toBe(true);
  for (const dotted of ["localhost.", "127.0.0.1."])
    expect(await areSame(tcp(dotted, 3999), tcp("127.0.0.1", 3999))).toBe(true);
  expect(await areSame(tcp("localhost", 3999), tcp("127.0.0.1", 4000))).toBe(false);
});

test.each([
  ["10.0.0.7", "::ffff:10.0.0.7"],
  ["10.0.0.7", "::FFFF:0a00:7"],
  ["fe80::7%eth0", "FE80:0::0007%eth0"],
  ["127.0.0.1", "0.0.0.0"],
  ["127.0.0.1", "::"],
  ["::1", "127.0.1.1"],
])("a host is the same however its address is written: %s and %s", async (one, other) => {
  expect(await areSame(tcp(one, 3999), tcp(other, 3999))).toBe(true);
  expect(await areSame(tcp("10.0.0.8", 3999), tcp(other, 3999))).toBe(false);
});

test("a host that cannot be looked up in time is known by its name", async () => {
  const late: DriverEnvironment["setTimer"] = (_ms, callback) => {
    callback();
    return () => {};
  };
  const address = tcp("localhost", 3999);
  expect(await portKeys(address, { setTimer: late })).toEqual(["tcp localhost 3999"]);
});

test("a Bluetooth device is the same on every channel and in small letters", async () => {
  const at = (address: string): DeviceAddress => ({
    transport: "bluetooth",
    connectionParams: { address },
  });
  expect(await areSame(at("aa:bb:cc:dd:ee:ff#3"), at("AA:BB:CC:DD:EE:FF"))).toBe(true);
});
