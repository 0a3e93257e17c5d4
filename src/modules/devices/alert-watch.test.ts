import { afterEach, beforeEach, expect, test } from "bun:test";
import { acceptedCommand, type Command } from "#core/command/command.ts";
import type { DeviceStatus } from "#core/device/device.ts";
import { type KnownDay, readingOf, type StatusReading } from "#core/device/reading.ts";
import { FINE_STATUS } from "#core/device/testing/fine-status.ts";
import { readAt } from "#core/device/testing/status-reading.ts";
import { storedDevice } from "#core/device/testing/stored-device.ts";
import type { DriverSession } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { deviceEvent, type GatewayEvent } from "#core/events.ts";
import { type Database, openDatabase } from "#db/connection.ts";
import { migrate } from "#db/migrate.ts";
import { createStores, type Stores } from "#db/stores/index.ts";
import { Writer } from "#db/writer.ts";
import { DeviceState } from "../../controller/device-state.ts";
import { createEventBus } from "../../events/bus.ts";
import { EventLog } from "../../events/event-log.ts";
import { FakeClock } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.ts";
import { createRandom } from "../../platform/random.ts";
import { TimerQueue } from "../../queue/timer-queue.ts";
import { ALERT_LOOK_MS, AlertWatch, FIRST_ALERT_LOOK_MS, SILENT_MS } from "./alert-watch.ts";

const HOUR_MS = 3_600_000;
const ORG = "org_1";
const UP = { controllerOnline: true, wsConnected: true, linkUp: true, lastSeenAt: 1 };
const DOWN = { ...UP, linkUp: false, wsConnected: false };

let database: Database;
let stores: Stores;
let writer: Writer;
let clock: FakeClock;
let told: string[];
let errors: string[];
let connectivity: typeof UP;
let reading: StatusReading | undefined;
let diskFullSince: number | null;
let watch: AlertWatch;

beforeEach(async () => {
  database = openDatabase(":memory:");
  // There is no organization.
  database.sqlite.pragma("foreign_keys = OFF");
  clock = new FakeClock();
  migrate(database, clock.now());
  stores = createStores(database);
  const bus = createEventBus((error) => {
    throw error;
  });
  writer = new Writer(database, {
    events: new EventLog({ stores, bus, clock, random: createRandom(clock) }),
  });
  [told, errors, reading] = [[], [], undefined];
  [diskFullSince, connectivity] = [null, { ...UP, lastSeenAt: clock.now() }];
  bus.subscribe(({ event }) => {
    if (event.type === "device.alert") told.push(storyOf(event));
  });
  reads({});
  watch = newWatch();
  await writer.run(() => {
    for (const id of ["dev_1", "dev_2"]) stores.devices.insert(storedDevice({ id, ...OWNED }));
  });
});
afterEach(() => database.close());

const OWNED = { orgId: ORG, controllerId: "builtin", controllerName: "Built-in" };

function storyOf({ alerts }: Extract<GatewayEvent, { type: "device.alert" }>): string {
  const types = (list: typeof alerts.standing) => list.map(({ type }) => type).join(" ");
  const { deviceId, standing, appeared, cleared } = alerts;
  return `${deviceId} +${types(appeared)} -${types(cleared)} =${types(standing)}`;
}

function newWatch(): AlertWatch {
  const log = createLog({ level: "error", clock, sink: { write: (line) => errors.push(line) } });
  return new AlertWatch({
    ...{ stores, writer, clock, log, timers: new TimerQueue(clock) },
    live: {
      isHere: true,
      connectivity: () => connectivity,
      controller: () => undefined,
      reading: () => reading,
      diskFullSince: () => diskFullSince,
      lateResults: () => [],
    },
  });
}

/** The device says how it is. */
function reads(status: Partial<DeviceStatus>, fiscalDayOpenSince: number | null = null): void {
  reading = readAt(clock.now(), { fiscalDayOpen: false, ...status }, { fiscalDayOpenSince });
}

/** Something changed of the first device; what follows from it is told. */
async function looks(): Promise<void> {
  watch.changed("dev_1");
  await passes(ALERT_LOOK_MS);
}
async function passes(ms: number): Promise<void> {
  await clock.advanceAsync(ms);
  await writer.run(() => undefined);
}

test("an alert is told when it appears and when it is gone, whatever is read between", async () => {
  await looks();
  reads({ paper: "out" });
  await looks();
  clock.advance(HOUR_MS);
  reads({ paper: "out" });
  await looks();
  reads({ paper: "out", cover: "open" });
  await looks();
  reads({});
  await looks();
  expect(told).toEqual([
    "dev_1 +paper_out - =paper_out",
    "dev_1 +cover_open - =paper_out cover_open",
    "dev_1 + -paper_out cover_open =",
  ]);
});

/** The history of the first device: each alert, how it ended, and by whom. */
const history = () =>
  stores.alertHistory
    .page(ORG, { filter: { deviceId: "dev_1" }, limit: 20, order: "asc" })
    .map(({ type, end, endedBy }) =>
      [type, end, endedBy].filter((part) => part !== null).join(" "),
    );

test("the history has each alert from when until when, and how it ended", async () => {
  const since = clock.now();
  reads({ paper: "low" });
  await looks();
  reads({ paper: "out" });
  await looks();
  clock.advance(HOUR_MS);
  reads({ paper: "out", cover: "open" });
  await looks();
  expect(history()).toEqual(["paper_low replaced", "paper_out", "cover_open"]);
  reads({ cover: "open" });
  await looks();
  connectivity = DOWN;
  await looks();
  expect(history()).toEqual([
    ...["paper_low replaced", "paper_out cured", "cover_open out_of_reach"],
    "device_disconnected",
  ]);
  const [low] = stores.alertHistory.page(ORG, { limit: 1, order: "asc" });
  expect(low).toMatchObject({ deviceName: "Till", detectedAt: since });
  expect(low?.endedAt).toBe(since + 2 * ALERT_LOOK_MS);
});

test("the history names whoever settled a command in doubt, and nobody where the printer told", async () => {
  const about = { orgId: ORG, deviceId: "dev_1", address: null, raisedAt: clock.now() };
  const printer = { fiscalMemorySerialNumber: null, serialNumber: null };
  const settled = { outcome: "printed", fiscalId: "7", resolvedBy: "user:usr_1" } as const;
  await writer.run(() => {
    for (const commandId of ["cmd_1", "cmd_2"]) {
      stores.outcomeHolds.raise({ ...printer, ...about, commandId });
    }
  });
  await looks();
  await writer.run(() => {
    const resolvedAt = clock.now();
    for (const commandId of ["cmd_1", "cmd_2"]) {
      stores.outcomeHolds.resolve(ORG, commandId, { ...settled, resolvedAt });
    }
    stores.audit.append({
      ...{ orgId: ORG, at: resolvedAt, actor: "user:usr_1", action: "command.resolve" },
      ...{ resource: "cmd_1", details: null },
    });
  });
  await looks();
  expect(history()).toEqual(["outcome_unknown settled user:usr_1", "outcome_unknown cured"]);
});

test("what comes and goes within a moment is not told, and what changes often seldom", async () => {
  connectivity = DOWN;
  watch.changed("dev_1");
  await passes(ALERT_LOOK_MS / 2);
  connectivity = UP;
  watch.changed("dev_1");
  await passes(ALERT_LOOK_MS);
  expect(told).toEqual([]);
  const SECONDS = 10;
  for (let change = 0; change < 100 * SECONDS; change += 1) {
    connectivity = change % 2 === 0 ? DOWN : UP;
    watch.changed("dev_1");
    await clock.advanceAsync(10);
  }
  await writer.run(() => undefined);
  expect(told.length).toBeLessThanOrEqual(SECONDS);
});

test("a Z report that is overdue is told at the first reading after its time", async () => {
  const openedAt = clock.now();
  reads({ fiscalDayOpen: true }, openedAt);
  await looks();
  await passes(24 * HOUR_MS);
  expect(told).toEqual([]);
  reads({ fiscalDayOpen: true }, openedAt);
  await looks();
  expect(told).toEqual(["dev_1 +z_report_overdue - =z_report_overdue"]);
});

test("a full disk of the gateway is told of for every device, and that there is room again", async () => {
  diskFullSince = clock.now();
  watch.allChanged();
  await passes(ALERT_LOOK_MS);
  diskFullSince = null;
  watch.allChanged();
  await passes(ALERT_LOOK_MS);
  expect(told).toEqual([
    ...["dev_1 +disk_full - =disk_full", "dev_2 +disk_full - =disk_full"],
    ...["dev_1 + -disk_full =", "dev_2 + -disk_full ="],
  ]);
});

// A device may tell that it cannot tell behind its "not printed", which stays the result.
const ASKED = ["unknown", "not_printed"] as const;

test.each(ASKED)("a question of what ended %s is told for every record", async (outcome) => {
  await writer.run(() => {
    const printer = { fiscalMemorySerialNumber: "50000001", serialNumber: "DT000001" };
    for (const id of ["dev_1", "dev_2"]) stores.devices.update(ORG, id, printer);
    const about = { orgId: ORG, deviceId: "dev_1", address: null, raisedAt: clock.now() };
    stores.outcomeHolds.raise({ ...printer, ...about, commandId: "cmd_1" });
  });
  const about = { id: "cmd_1", orgId: ORG, deviceId: "dev_1", payload: {}, source: "api" } as const;
  const at = { createdAt: clock.now(), expiresAt: clock.now(), simulated: false };
  const accepted = acceptedCommand({ ...about, ...at, type: "print_receipt" });
  const result = { success: false, data: { outcome } } as const;
  const command: Command = { ...accepted, seq: 1, status: "failed", result };
  watch.heard({ type: "command.updated", orgId: ORG, command });
  await passes(ALERT_LOOK_MS);
  expect(told).toEqual([
    "dev_1 +outcome_unknown - =outcome_unknown",
    "dev_2 +outcome_unknown - =outcome_unknown",
  ]);
});

test("a start tells what changed since the last one, once the devices had time to answer", async () => {
  reads({ paper: "low" });
  await looks();
  watch.stop();
  connectivity = DOWN;
  await looks();
  expect(told.splice(0)).toEqual(["dev_1 +paper_low - =paper_low"]);
  watch = newWatch();
  watch.begin();
  await passes(FIRST_ALERT_LOOK_MS / 2);
  connectivity = UP;
  await passes(FIRST_ALERT_LOOK_MS + ALERT_LOOK_MS);
  // The other one was never looked at before.
  expect(told).toEqual(["dev_2 +paper_low - =paper_low"]);
});

test("of a device that is removed nothing stands, and its history stays", async () => {
  reads({ paper: "low" });
  await looks();
  await writer.run(() => stores.devices.remove(ORG, "dev_1"));
  watch.heard(deviceEvent("device.released", storedDevice({ id: "dev_1", ...OWNED })));
  await passes(ALERT_LOOK_MS);
  expect(stores.toldAlerts.deviceIds()).toEqual([]);
  expect(history()).toEqual(["paper_low device_removed"]);
  expect(told).toHaveLength(1);
});

test("what could not be written is told later", async () => {
  reads({ paper: "low" });
  database.sqlite.exec("ALTER TABLE told_alerts RENAME TO away");
  await looks();
  expect([told.length, errors.length]).toEqual([0, 1]);
  database.sqlite.exec("ALTER TABLE away RENAME TO told_alerts");
  expect(history()).toEqual([]);
  await passes(60_000);
  expect(told).toEqual(["dev_1 +paper_low - =paper_low"]);
  expect(history()).toEqual(["paper_low"]);
});

test("what a device told of itself stands behind a start until it is read again", async () => {
  reads({ paper: "out" });
  await looks();
  told = [];
  // It is reached, and takes its time to say how it is.
  reading = undefined;
  watch = newWatch();
  await looks();
  reads({ paper: "out", cover: "open" });
  await looks();
  // One that is out of reach is not known any more.
  reading = undefined;
  connectivity = DOWN;
  await looks();
  expect(told).toEqual([
    "dev_1 +cover_open - =paper_out cover_open",
    "dev_1 +device_disconnected -paper_out cover_open =device_disconnected",
  ]);
  expect(history()).toEqual([
    "paper_out out_of_reach",
    "cover_open out_of_reach",
    "device_disconnected",
  ]);
});

/** The gateway was started again, and the controller that has the device knows as little of it. */
function restarts(known: KnownDay = { fiscalDayOpenSince: null }): DeviceState {
  [reading, told] = [undefined, []];
  watch = newWatch();
  return new DeviceState({
    ...{ clock, pollMs: 30_000, commands: new Set(), log: { warn: () => undefined } },
    tell: (status, clockDriftMs) => {
      const drift = clockDriftMs === undefined ? {} : { clockDriftMs };
      reading = readingOf({ status, ...drift }, { before: reading, known }, clock.now());
    },
  });
}

test("what a device told of itself stands over a state that it refuses to tell", async () => {
  reads({ paper: "out" });
  await looks();
  const state = restarts();
  const readStatus = () => Promise.reject(new FiscalError("E305", "not now"));
  await state.read({ readStatus } as unknown as DriverSession);
  await looks();
  expect([told, reading?.readAt]).toEqual([[], null]);
  state.report(FINE_STATUS);
  await looks();
  expect(told).toEqual(["dev_1 + -paper_out ="]);
});

test("what a document waits for tells of nothing else", async () => {
  reads({ fiscalMemory: "near_full" });
  await looks();
  const state = restarts();
  state.paused("paper_out");
  await looks();
  state.paused(undefined);
  await looks();
  expect(reading?.readAt).toBeNull();
  state.report(FINE_STATUS);
  await looks();
  expect(told).toEqual([
    "dev_1 +paper_out - =paper_out fiscal_memory_near_full",
    "dev_1 + -paper_out =fiscal_memory_near_full",
    "dev_1 + -fiscal_memory_near_full =",
  ]);
});

test("a clock that was wrong is so until it is read, whatever else is", async () => {
  reading = readAt(clock.now(), {}, { clockDriftMs: HOUR_MS });
  await looks();
  const state = restarts();
  state.report(FINE_STATUS);
  await looks();
  expect(told).toEqual([]);
  state.report(FINE_STATUS, 0);
  await looks();
  expect(history()).toEqual(["clock_drift cured"]);
});

const NOT_SAID = { ...FINE_STATUS, fiscalDayOpen: null, dayCloseRequired: null };

test("a day that was overdue is so until it is closed, or the device prints", async () => {
  reads({ dayCloseRequired: true, fiscalDayOpen: null });
  await looks();
  const known = { fiscalDayOpenSince: null, lastZNumber: 6 };
  for (const over of [{ lastZNumber: 7 }, { fiscalDayOpen: false }, { dayCloseRequired: false }]) {
    const state = restarts(known);
    state.report(NOT_SAID);
    await looks();
    expect(told).toEqual([]);
    state.report({ ...NOT_SAID, ...over });
    await looks();
    expect(told).toEqual(["dev_1 + -z_report_overdue ="]);
    reads({ dayCloseRequired: true, fiscalDayOpen: null });
    await looks();
  }
});

test("what a device told stands no longer where its controller tells nothing of its state", async () => {
  reads({ paper: "out" });
  await looks();
  restarts();
  connectivity = { ...UP, lastSeenAt: clock.now() };
  await looks();
  await passes(SILENT_MS - ALERT_LOOK_MS);
  expect(told).toEqual([]);
  await passes(ALERT_LOOK_MS);
  expect(told).toEqual(["dev_1 + -paper_out ="]);
  expect(history()).toEqual(["paper_out out_of_reach"]);
});
