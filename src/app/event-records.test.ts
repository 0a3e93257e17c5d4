/** What events tell clients: the records of the API, when it happens and when it is read again. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { BUILTIN_CONTROLLER } from "#core/controller/controller.ts";
import { UNKNOWN_STATUS, untoldStatus } from "#core/device/complaints.ts";
import type { DeviceStatus } from "#core/device/device.ts";
import { FINE_STATUS } from "#core/device/testing/fine-status.ts";
import type { EventEnvelope, EventType } from "#core/events.ts";
import { createToEnvelope, type ToEnvelope } from "../events/envelope.ts";
import { storedEvent } from "../events/stored-form.ts";
import { COMMANDS, UNKNOWN } from "../modules/commands/testing/commands-bench.ts";
import { DeviceRecord } from "../modules/devices/schema.ts";
import {
  createReportsBench,
  REPORTS,
  type ReportsBench,
} from "../modules/reports/testing/reports-bench.ts";
import { createEventRecords } from "./event-records.ts";

const DEVICES = "/api/v1/devices";
const RECEIPTS = "/api/v1/receipts";
const REFUSED = { success: false, errorCode: "E305", errorMessage: "Refused", data: {} } as const;

let bench: ReportsBench;
let toEnvelope: ToEnvelope;
beforeEach(async () => {
  bench = await createReportsBench();
  toEnvelope = createToEnvelope(createEventRecords(bench.stores));
});
afterEach(() => bench.close());

/** Everything that is stored, read again. */
function readAgain(): EventEnvelope[] {
  return bench.stores.events
    .listAfter(0, 1_000)
    .flatMap((row) => storedEvent(row, bench.stores) ?? [])
    .map(toEnvelope);
}
/** The latest of that type. */
function latest(type: EventType): unknown {
  const envelope = readAgain().findLast((one) => one.type === type);
  if (!envelope) throw new Error(`there was no ${type}`);
  return envelope.data;
}
const shown = async (path: string) => (await bench.owner.get(path)).body;

test("an envelope names the event, and says when it was and whose it is", async () => {
  const commandId = await bench.done("open_drawer", {}, { success: true, data: {} });
  const row = bench.stores.events
    .listAfter(0, 100)
    .findLast(({ type }) => type !== "command.updated");
  expect(readAgain().at(-1)).toEqual({
    ...{ id: row?.id ?? "", type: "command.completed", createdAt: "2026-01-15T10:00:00.000Z" },
    orgId: bench.orgId,
    data: { command: expect.objectContaining({ id: commandId }) },
  });
  expect(row?.id).toMatch(/^evt_[0-9A-HJKMNP-TV-Z]{26}$/);
});

test("a command is told of as it is shown", async () => {
  const completed = await bench.done("print_receipt", saleWithPassword(), {
    ...{ success: true, fiscalId: "7", data: {} },
  });
  expect(latest("command.completed")).toEqual(await shown(`${COMMANDS}/${completed}`));
  expect(JSON.stringify(readAgain())).not.toContain("77-hush");
  const failed = await bench.done("cash_in", { amount: 1 }, REFUSED);
  expect(latest("command.failed")).toEqual(await shown(`${COMMANDS}/${failed}`));
  const late = await bench.queued();
  await bench.clock.advanceAsync(180_000);
  await bench.atRest();
  expect(latest("command.timeout")).toEqual(await shown(`${COMMANDS}/${late}`));
});

test("a command in doubt is told of with what a person has to say", async () => {
  const id = await bench.queued();
  await bench.marked(id, "baseline");
  await bench.finish(id, UNKNOWN);
  const told = latest("command.failed");
  expect(told).toMatchObject({ command: { resolution: { outcome: null, resolvedAt: null } } });
  expect(told).toEqual(await shown(`${COMMANDS}/${id}`));
});

/** The device, reached by a controller that the test plays. */
function reached() {
  const identity = { ...BUILTIN_CONTROLLER, name: "Built in", appVersion: "1", reportsMarks: true };
  const channel = { send: () => undefined, close: () => undefined };
  const machine = { deviceModel: "Box", osVersion: "Linux" };
  const devices = bench.stores.devices.listAll();
  const connection = bench.controllers.connect({ ...identity, ...machine }, devices, channel);
  const { deviceId } = bench;
  connection.receive({ type: "device.announce", deviceId, link: "up" });
  return {
    connection,
    tells(status: DeviceStatus): Promise<void> {
      connection.receive({ type: "device.status", deviceId, status });
      return bench.atRest();
    },
  };
}
const NO_INFO = {
  ...{ firmwareVersion: null, fiscalMemorySerialNumber: null, manufacturer: null, model: null },
};
const statesRead = () => bench.events.filter(({ type }) => type === "device.state_read").length;
const stateReadAt = async () =>
  (await bench.owner.get(`${DEVICES}/${bench.deviceId}`)).as(DeviceRecord).stateReadAt;

test("the day of a printer that was replaced is not that of the one in its place", async () => {
  const { connection, tells } = reached();
  const { deviceId } = bench;
  const answers = (serialNumber: string) => {
    const info = { ...NO_INFO, serialNumber };
    connection.receive({ type: "device.announce", deviceId, link: "down" });
    connection.receive({ type: "device.announce", deviceId, link: "up", info });
    return bench.atRest();
  };
  const day = () => bench.controllers.live(deviceId)?.reading?.fiscalDayOpenSince;
  await answers("DT577430");
  await tells({ ...FINE_STATUS, fiscalDayOpen: true, lastZNumber: 7 });
  const opened = bench.clock.now();
  bench.clock.advance(60_000);
  await answers("DT577431");
  await answers("DT577430");
  await tells({ ...FINE_STATUS, fiscalDayOpen: true, lastZNumber: 7 });
  expect(day()).toBe(opened);
  await answers("DT577431");
  expect((await bench.owner.post(`${DEVICES}/${deviceId}/accept-printer`, {})).status).toBe(200);
  await answers("DT577431");
  await tells({ ...FINE_STATUS, fiscalDayOpen: true });
  const { dayOpenSince, lastZNumber } = bench.stores.closings.of(deviceId);
  const seen = bench.clock.now();
  expect([day(), dayOpenSince, lastZNumber]).toEqual([seen, seen, null]);
});

test("that a state was read is told of none that nobody has read", async () => {
  const { tells } = reached();
  await tells({ ...UNKNOWN_STATUS, paper: "out", partial: true });
  await tells(untoldStatus(UNKNOWN_STATUS, { code: "E305", message: "not now" }));
  expect([await stateReadAt(), statesRead()]).toEqual([null, 0]);
  bench.clock.advance(1_000);
  await tells(FINE_STATUS);
  bench.clock.advance(1_000);
  await tells(untoldStatus(FINE_STATUS, { code: "E305", message: "not now" }));
  expect([await stateReadAt(), statesRead()]).toEqual(["2026-01-15T10:00:01.000Z", 1]);
});

test("that a state was read is told with the next one where it could not be written", async () => {
  const { tells } = reached();
  await bench.atRest();
  const { sqlite } = bench.database;
  sqlite.exec("ALTER TABLE events RENAME TO away");
  await tells(FINE_STATUS);
  sqlite.exec("ALTER TABLE away RENAME TO events");
  expect(statesRead()).toBe(0);
  await tells(FINE_STATUS);
  await tells(FINE_STATUS);
  expect(statesRead()).toBe(1);
});

test("since when a day is open is known to whatever controller the device is given", async () => {
  const { tells } = reached();
  const opened = bench.clock.now();
  const since = () => bench.controllers.live(bench.deviceId)?.reading?.fiscalDayOpenSince;
  const again = async (status: DeviceStatus) => {
    bench.controllers.release(bench.deviceId);
    bench.clock.advance(1_000);
    for (const device of bench.stores.devices.listAll()) bench.controllers.serve(device);
    await tells(status);
    return since();
  };
  await tells({ ...FINE_STATUS, lastZNumber: 6 });
  expect(await again(FINE_STATUS)).toBe(opened);
  expect(await again({ ...FINE_STATUS, lastZNumber: 7 })).toBe(opened + 2_000);
  expect(await again({ ...FINE_STATUS, fiscalDayOpen: false })).toBeNull();
  expect(await again(FINE_STATUS)).toBe(opened + 4_000);
});

test("a report and a receipt made elsewhere are told of as they are shown", async () => {
  await bench.report("z_report");
  const [report] = await bench.reports();
  expect(latest("report.generated")).toEqual(await shown(`${REPORTS}/${report?.id}`));
  const till = bench.owner.as(await bench.makeKey(["receipts"]));
  const sale = { deviceId: bench.deviceId, type: "sale", fiscalId: "9" };
  const items = [{ name: "Bread", quantity: 1.254, price: 8.99, vatGroup: "VAT1" }];
  const stored = await till.post(RECEIPTS, {
    ...{ ...sale, items, payments: [{ method: "card", amount: 11.27 }] },
  });
  expect(stored.status).toBe(201);
  expect(latest("receipt.created")).toEqual(stored.body);
});

test("a device is told of as it was shown when it came, and when it went", async () => {
  const path = `${DEVICES}/${bench.deviceId}`;
  const { connection } = reached();
  await bench.atRest();
  const came = await shown(path);
  expect(came).toMatchObject({ status: "online", effectiveStatus: "online", stateReadAt: null });
  bench.clock.advance(1_000);
  const reading = {
    type: "device.status",
    deviceId: bench.deviceId,
    status: UNKNOWN_STATUS,
  } as const;
  // Once: what changes later is told by what it changes.
  connection.receive(reading);
  connection.receive(reading);
  await bench.atRest();
  const at = "2026-01-15T10:00:01.000Z";
  const read = await shown(path);
  expect(read).toEqual(Object.assign({}, came, { lastSeen: at, stateReadAt: at }));
  expect(statesRead()).toBe(1);
  connection.close();
  await bench.atRest();
  const went = await shown(path);
  expect(went).toMatchObject({ status: "offline", effectiveStatus: "offline", stateReadAt: null });
  await bench.owner.delete(path);
  const { controllerId } = BUILTIN_CONTROLLER;
  expect(latest("device.online")).toEqual({ device: came, controllerId });
  expect(latest("device.state_read")).toEqual({
    ...{ device: Object.assign({}, came, { lastSeen: at }), controllerId },
  });
  expect(latest("device.offline")).toEqual({ device: went, controllerId });
  const nobodys = {
    ...{ controllerId: null, controllerName: null, updatedAt: "2026-01-15T10:00:01.000Z" },
  };
  const device = Object.assign({}, went, nobodys);
  expect(latest("device.released")).toEqual({ device, controllerId });
});

test("what is read again is what was told at once", async () => {
  await bench.report("x_report");
  await bench.sell();
  await bench.owner.patch(`${DEVICES}/${bench.deviceId}`, { name: "Bar" });
  await bench.owner.patch(`${DEVICES}/${bench.deviceId}`, { name: "Kiosk" });
  const again = readAgain();
  const atOnce = bench.events.map((event, index) => {
    const { id = "", createdAt = 0, seq = 0 } = bench.stores.events.listAfter(index, 1)[0] ?? {};
    return toEnvelope({ seq, id, createdAt, event });
  });
  const settled = ({ type }: EventEnvelope) => type !== "command.updated";
  expect(again.filter(settled)).toEqual(atOnce.filter(settled));
  expect(again.map(({ id }) => id)).toEqual(atOnce.map(({ id }) => id));
});

function saleWithPassword(): object {
  const items = [{ name: "Bread", quantity: 2, price: 1.5, vatGroup: "VAT1" }];
  const operator = { operatorId: 1, operatorPassword: "77-hush" };
  return { items, payments: [{ method: "cash", amount: 3 }], ...operator };
}
