import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storedDevice } from "#core/device/testing/stored-device.ts";
import { deviceEvent } from "#core/events.ts";
import { type StoredReport, toReportFigures } from "#core/report-record.ts";
import { type Database, openDatabase } from "#db/connection.ts";
import { migrate } from "#db/migrate.ts";
import { createStores } from "#db/stores/index.ts";
import { Writer } from "#db/writer.ts";
import { FakeClock } from "../platform/clock.ts";
import { createRandom } from "../platform/random.ts";
import { createEventBus } from "./bus.ts";
import { EventLog } from "./event-log.ts";

/** One process on the database: what it emits, and what it hears. */
function openProcess(file: string) {
  const clock = new FakeClock();
  const database: Database = openDatabase(file);
  migrate(database, clock.now());
  const stores = createStores(database);
  const heard: string[] = [];
  const bus = createEventBus((error) => {
    throw error;
  });
  bus.subscribe(({ seq, event }) => {
    if ("device" in event) heard.push(`${seq} ${event.device.id}`);
    else if ("report" in event) heard.push(`${seq} ${event.report.id}`);
  });
  const log = new EventLog({ stores, bus, clock, random: createRandom(clock) });
  const writer = new Writer(database, { events: log });
  const emit = (...deviceIds: string[]): Promise<void> =>
    writer.run((tx) => {
      for (const deviceId of deviceIds) {
        tx.emit(deviceEvent("device.updated", storedDevice({ id: deviceId })));
      }
    });
  const emitReport = (report: StoredReport): Promise<void> =>
    writer.run((tx) => {
      stores.reports.insert(report);
      tx.emit({ type: "report.generated", orgId: report.orgId, report });
    });
  /** As by putting back an older state. @param from number of the first event that goes */
  const remove = (from: number) =>
    void database.sqlite.prepare("DELETE FROM events WHERE seq >= ?").run(from);
  return { log, heard, emit, emitReport, remove, close: () => database.close() };
}

let folder: string;
let gateway: ReturnType<typeof openProcess>;
let box: ReturnType<typeof openProcess>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-events-"));
  gateway = openProcess(join(folder, "a.db"));
  box = openProcess(join(folder, "a.db"));
});
afterEach(() => {
  gateway.close();
  box.close();
  rmSync(folder, { recursive: true });
});

test("what another process stored is published once, and nothing of one's own again", async () => {
  await gateway.emit("mine 1");
  await box.emit("theirs 1", "theirs 2");
  await gateway.emit("mine 2");
  await box.emit("theirs 3");
  expect(gateway.heard).toEqual(["1 mine 1", "4 mine 2"]);
  gateway.log.catchUp();
  gateway.log.catchUp();
  expect(gateway.heard).toEqual(["1 mine 1", "4 mine 2", "2 theirs 1", "3 theirs 2", "5 theirs 3"]);
  await gateway.emit("mine 3");
  gateway.log.catchUp();
  expect(gateway.heard.slice(5)).toEqual(["6 mine 3"]);
});

test("more than is read at once is published whole and in order", async () => {
  const ids = Array.from({ length: 1_201 }, (_, index) => `d${index}`);
  await box.emit(...ids);
  await gateway.emit("mine");
  gateway.log.catchUp();
  expect(gateway.heard).toEqual(["1202 mine", ...ids.map((id, index) => `${index + 1} ${id}`)]);
});

test("a process begins behind what is stored", async () => {
  await gateway.emit("early");
  const late = openProcess(join(folder, "a.db"));
  late.log.catchUp();
  await late.emit("own");
  expect(late.heard).toEqual(["2 own"]);
  late.close();
});

test("a report that another process stored is published as it stands", async () => {
  await box.emitReport({
    ...toReportFigures("z_report"),
    ...{ id: "rpt_1", orgId: "o", deviceId: "dev_1", locationId: null, commandId: "cmd_1" },
    ...{ bookedAt: 1, createdAt: 2, simulated: false },
  });
  gateway.log.catchUp();
  expect(gateway.heard).toEqual(["1 rpt_1"]);
});

test("a process knows when the events that it stored or published are gone", async () => {
  await gateway.emit("mine 1", "mine 2");
  await box.emit("theirs 3");
  expect([gateway.log.haveGoneBack(), box.log.haveGoneBack()]).toEqual([false, false]);
  box.remove(3);
  expect([gateway.log.haveGoneBack(), box.log.haveGoneBack()]).toEqual([false, true]);
  await box.emit("theirs 3");
  gateway.log.catchUp();
  box.remove(3);
  expect(gateway.log.haveGoneBack()).toBe(true);
  box.remove(1);
  expect(gateway.log.haveGoneBack()).toBe(true);
});
