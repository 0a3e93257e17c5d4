/** Who is asked what is open of a printer without a number, and whose receipts are its own. */

import { expect, test } from "bun:test";
import { printerOf } from "#core/device/printer.ts";
import { openAt, recordIdsOf, recordsToAsk } from "./device-records.ts";
import type { Device } from "./devices.ts";

const device = (id: string, change: Partial<Device>): Device => ({
  ...{ id, orgId: "org", name: "Till", driver: "custom.serial", transport: "tcp" },
  ...{ connectionParams: { host: "localhost", port: 9100 }, addressKeys: null },
  ...{ managedBy: "builtin", controllerId: "builtin", controllerName: null },
  ...{ storedStatus: "online", lastSeenAt: 1, serialNumber: null, fiscalMemorySerialNumber: null },
  ...{ model: null, firmwareVersion: null, charsPerLine: null, reversalTenders: null },
  ...{ locationId: "shop", createdAt: 0, updatedAt: 0 },
  ...change,
});
const own = device("dev_1", {});
const bar = device("dev_2", { managedBy: "remote", controllerId: "bar-pi" });
const far = device("dev_3", { connectionParams: { host: "10.0.0.9", port: 9100 } });
const strangers = device("dev_4", { orgId: "other" });
const row = { ...printerOf(own), orgId: "org", raisedAt: 0 };
const storesOf = (...all: Device[]) => ({ devices: { listAll: () => all } });

test("a printer is asked over its own record, and over one that may be its once that is gone", () => {
  const all = storesOf(own, bar, far, strangers);
  expect(recordsToAsk(all, row)).toEqual([own]);
  expect([own, bar, far, strangers].map((one) => openAt(all, [row], one).length)).toEqual([
    1, 0, 0, 0,
  ]);
  const left = storesOf(bar, far, strangers);
  expect(recordsToAsk(left, row)).toEqual([bar]);
  expect([bar, far, strangers].map((one) => openAt(left, [row], one).length)).toEqual([1, 0, 0]);
});

test("what another machine's printer has printed is not its own, even once its record is gone", () => {
  expect(recordIdsOf(storesOf(own, bar, far), row)).toEqual([own.id]);
  expect(recordIdsOf(storesOf(bar, far), row)).toEqual([own.id]);
});
