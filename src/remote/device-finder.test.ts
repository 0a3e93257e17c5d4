import { beforeEach, expect, test } from "bun:test";
import type { ToController, ToGateway } from "#core/controller/messages.ts";
import type { DetectionRequest, FoundDevice } from "#core/device/detection.ts";
import type { DeviceConfig } from "#core/device/device.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { DeviceFinder } from "./device-finder.ts";
import type { SeenDevice } from "./gateway-requests.ts";

const SEEN: SeenDevice = {
  ...{ id: "dev_1", name: "Counter", driver: "vendorA.isl", transport: "tcp" },
  connectionParams: { host: "10.0.0.5", port: 3999 },
  ...{ managedBy: "remote", effectiveStatus: "offline", serialNumber: null, controllerId: "old" },
};
const CONFIG: DeviceConfig = {
  ...{ id: "dev_1", orgId: "org", name: "Counter", driver: "vendorA.isl", transport: "tcp" },
  connectionParams: { host: "10.0.0.5", port: 3999 },
  ...{ timezone: "UTC", currency: "EUR" },
};
const FOUND: FoundDevice = {
  ...{ transport: "tcp", connectionParams: CONFIG.connectionParams, driver: "vendorA.isl" },
  ...{ serialNumber: "DT1", fiscalMemorySerialNumber: "02", model: "X", firmwareVersion: "1" },
};

let clock: FakeClock;
let devices: readonly SeenDevice[];
let found: readonly FoundDevice[];
let asked: DetectionRequest[];
let looks: number;
let fault: Error | undefined;
let said: ToGateway[];
let lines: string[];
/** What happens while it asks, and how long that takes. */
let onAsked: () => void;
let takesMs: number;

beforeEach(() => {
  clock = new FakeClock();
  [asked, said, lines] = [[], [], []];
  [looks, fault] = [0, undefined];
  devices = [SEEN];
  found = [FOUND];
  [onAsked, takesMs] = [() => undefined, 0];
});

function finderOf(wanted: readonly string[] = [], isConnected = true): DeviceFinder {
  return new DeviceFinder({
    channel: { isConnected, send: (message) => void said.push(message) },
    clock,
    log: createLog({ level: "info", clock, sink: { write: (text) => lines.push(text) } }),
    listDevices() {
      looks += 1;
      return fault ? Promise.reject(fault) : Promise.resolve(devices);
    },
    detect(request) {
      asked.push(request);
      onAsked();
      const report = { found, tried: [] };
      return takesMs === 0
        ? Promise.resolve(report)
        : new Promise((resolve) => clock.setTimer(takesMs, () => resolve(report)));
    },
    wanted,
  });
}
const welcome = (own: readonly DeviceConfig[] = []): ToController => ({
  ...{ type: "welcome", controllerId: "tablet", devices: own, heartbeatSeconds: 15 },
});

test("announces the device that answers at its address, and looks on", async () => {
  const finder = finderOf();
  found = [];
  finder.hear(welcome());
  await clock.advanceAsync(0);
  expect(said).toEqual([]);
  expect(asked).toMatchObject([
    { target: { transport: "tcp", host: "10.0.0.5", port: 3999 }, drivers: ["vendorA.isl"] },
  ]);
  found = [FOUND];
  await clock.advanceAsync(15_000);
  expect(said).toMatchObject([{ type: "device.announce", deviceId: "dev_1", link: "down" }]);
});

test.each<[string, Partial<SeenDevice>, number]>([
  ["is served from elsewhere", { effectiveStatus: "online" }, 0],
  ["is the gateway's own", { managedBy: "builtin" }, 0],
  ["has a driver that this version does not know, and says so once", { driver: "vendorZ.new" }, 1],
  [
    "has an address that this version cannot read, and says so once",
    { connectionParams: { serial: "7" } },
    1,
  ],
])("leaves a device alone that %s", async (_, change, warnings) => {
  devices = [{ ...SEEN, ...change }];
  finderOf().hear(welcome());
  await clock.advanceAsync(60_000);
  expect([asked, said]).toEqual([[], []]);
  expect(lines.filter((line) => line.includes("cannot look for a device:"))).toHaveLength(warnings);
});

test.each([
  "/dev/ttyUSB0?baud=9600?parity=even",
  "/dev/ttyUSB0?baud=9600&baud=115200",
  "/dev/ttyUSB0&baud=9600",
])("looks for a device at %s, which older versions took", async (address) => {
  devices = [{ ...SEEN, transport: "serial", connectionParams: { address } }];
  finderOf().hear(welcome());
  await clock.advanceAsync(0);
  expect(asked).toMatchObject([{ target: { transport: "serial", address } }]);
  expect(said).toMatchObject([{ type: "device.announce", deviceId: "dev_1" }]);
});

test("leaves its own devices alone, until they are released", async () => {
  const finder = finderOf();
  finder.hear(welcome([CONFIG]));
  await clock.advanceAsync(0);
  expect(finder.served).toEqual([CONFIG]);
  expect(asked).toEqual([]);
  finder.hear({ type: "device.released", deviceId: "dev_1" });
  await clock.advanceAsync(15_000);
  expect(said).toHaveLength(1);
});

test("does not announce a device where another printer stands, and says so once", async () => {
  devices = [{ ...SEEN, serialNumber: "DT2" }];
  finderOf().hear(welcome());
  await clock.advanceAsync(60_000);
  expect([said, asked.length]).toEqual([[], 5]);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("another printer stands where a device should be");
  found = [{ ...FOUND, serialNumber: "DT3" }];
  await clock.advanceAsync(15_000);
  expect(lines).toHaveLength(2);
});

test.each<[string, Partial<SeenDevice>, boolean]>([
  ["of a number that it was never given", { serialNumber: "00000000" }, true],
  ["of a blank one", { serialNumber: "  " }, true],
  [
    "whose fiscal memory is the record's",
    { fiscalMemorySerialNumber: "02", serialNumber: "" },
    true,
  ],
  ["of another fiscal memory", { serialNumber: "DT1", fiscalMemorySerialNumber: "03" }, false],
])("takes a record %s as the gateway does", async (_, numbers, isAnnounced) => {
  devices = [{ ...SEEN, ...numbers }];
  finderOf().hear(welcome());
  await clock.advanceAsync(0);
  expect(said).toHaveLength(isAnnounced ? 1 : 0);
});

test("asks a printer once that is served as another device, and again when it is not", async () => {
  const user = {
    ...SEEN,
    ...{ id: "dev_2", name: "Bar", managedBy: "builtin" },
    serialNumber: "DT1",
  };
  devices = [SEEN, { ...user, effectiveStatus: "online" }];
  finderOf().hear(welcome());
  await clock.advanceAsync(60_000);
  expect([said, asked.length]).toEqual([[], 1]);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('"servedAs":"Bar"');
  // By its number it is known without being asked.
  devices = [
    { ...SEEN, id: "dev_3", serialNumber: "DT1" },
    { ...user, effectiveStatus: "online" },
  ];
  await clock.advanceAsync(15_000);
  expect(asked).toHaveLength(1);
  devices = [SEEN, user];
  await clock.advanceAsync(15_000);
  expect([said.length, asked.length]).toEqual([1, 2]);
});

test("leaves a device alone that came within another one's reach while it was asking", async () => {
  const other = { ...SEEN, id: "dev_2" };
  devices = [SEEN, other];
  found = [];
  takesMs = 2_000;
  onAsked = () => {
    devices = [SEEN, { ...other, effectiveStatus: "online" }];
  };
  finderOf().hear(welcome());
  await clock.advanceAsync(2_000);
  expect([asked.length, looks]).toEqual([1, 2]);
});

test("announces what it was told to and what nobody has, whether it answers or not", async () => {
  devices = [{ ...SEEN, controllerId: null }];
  const finder = finderOf(["dev_1"]);
  finder.hear(welcome());
  await clock.advanceAsync(0);
  expect(said.splice(0)).toMatchObject([{ deviceId: "dev_1", link: "down" }]);
  finder.hear({ type: "device.assigned", device: CONFIG });
  await clock.advanceAsync(60_000);
  expect([said, asked, looks]).toEqual([[], [], 1]);
});

test("announces what it was told to where it may not see devices", async () => {
  fault = new Error("The key lacks a scope");
  finderOf(["dev_7"]).hear(welcome());
  await clock.advanceAsync(0);
  expect(said).toMatchObject([{ deviceId: "dev_7" }]);
  expect(asked).toEqual([]);
});

test("takes what another controller has when it has found it, and looks on when it loses it", async () => {
  found = [];
  const finder = finderOf(["dev_1"]);
  finder.hear(welcome());
  await clock.advanceAsync(0);
  expect([said, asked.length]).toEqual([[], 1]);
  found = [FOUND];
  await clock.advanceAsync(15_000);
  expect(said.splice(0)).toHaveLength(1);
  finder.hear({ type: "device.assigned", device: CONFIG });
  await clock.advanceAsync(15_000);
  finder.hear({ type: "device.released", deviceId: "dev_1" });
  await clock.advanceAsync(15_000);
  expect(said).toMatchObject([{ deviceId: "dev_1" }]);
});

test("says once that the gateway serves what it was told to", async () => {
  devices = [{ ...SEEN, managedBy: "builtin", controllerId: "builtin" }];
  finderOf(["dev_1"]).hear(welcome());
  await clock.advanceAsync(60_000);
  expect(said).toEqual([]);
  expect(lines.filter((line) => line.includes("the gateway serves a device itself"))).toHaveLength(
    1,
  );
});

test("stands by for what another controller has: announces it again when that one lost it", async () => {
  const other = { ...SEEN, id: "dev_2" };
  devices = [{ ...SEEN, effectiveStatus: "online" }, other];
  const finder = finderOf(["dev_1"]);
  finder.hear(welcome());
  finder.hear({ type: "announce.rejected", deviceId: "dev_1", code: "OWNED" });
  await clock.advanceAsync(30_000);
  expect([said, asked]).toEqual([[], []]);
  devices = [SEEN, other];
  found = [];
  await clock.advanceAsync(15_000);
  expect([said, asked.length]).toEqual([[], 1]);
  found = [FOUND];
  await clock.advanceAsync(15_000);
  expect(said).toMatchObject([{ type: "device.announce", deviceId: "dev_1", link: "down" }]);
});

test("says nothing of a line to what it was told to serve and serves already", async () => {
  finderOf(["dev_1"]).hear(welcome([CONFIG]));
  await clock.advanceAsync(0);
  expect(said).toEqual([]);
});

test("does not look while there is no connection, nor when it was stopped", async () => {
  const finder = finderOf([], false);
  finder.hear(welcome());
  await clock.advanceAsync(60_000);
  expect(asked).toEqual([]);
  finder.stop();
  expect(clock.pendingTimers).toBe(0);
});
