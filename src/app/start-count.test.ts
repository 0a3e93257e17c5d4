import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "#db/connection.ts";
import { migrate } from "#db/migrate.ts";
import { createStores, type Stores } from "#db/stores/index.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { StartCount } from "./start-count.ts";

let folder: string;
let database: Database;
let stores: Stores;
let lines: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-starts-"));
  database = openDatabase(":memory:");
  migrate(database, 1);
  stores = createStores(database);
  lines = [];
  stores.organizations.insert({
    ...{ id: "org", name: "Shop", currency: "RON", timezone: "UTC", plan: "free" },
    ...{ createdAt: 0, updatedAt: 0 },
  });
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const stateDir = () => join(folder, "state");
const place = () => join(folder, "state-starts");

/** Starts and stops. @returns whether the state was noticed to be an older one */
function start(): boolean {
  const sink = { write: (line: string) => lines.push(line) };
  const log = createLog({ level: "info", clock: new FakeClock(), sink });
  const starts = new StartCount({ stateDir: stateDir(), stores, log });
  const isRestored = starts.count();
  starts.stop();
  // As a start does that has said what follows.
  stores.appliance.endPutBack();
  return isRestored;
}
/** What the database held at an earlier start. */
const setStarts = (starts: number) => stores.appliance.put("starts", String(starts));

test("one start after the other is nothing to notice", () => {
  expect([start(), start(), start()]).toEqual([false, false, false]);
});

test("a database that lags by more than one start was put back, and is noticed once", () => {
  for (let count = 0; count < 4; count += 1) start();
  setStarts(3);
  expect(start()).toBe(false);
  setStarts(3);
  expect([start(), start()]).toEqual([true, false]);
});

test("one that is ahead by more than one start came from another machine, whose gateway had run", () => {
  for (let count = 0; count < 4; count += 1) start();
  setStarts(9);
  expect([start(), start()]).toEqual([true, false]);
});

test("one that lags by an event was put back, however often it was started", () => {
  start();
  writeFileSync(join(place(), "starts"), "0000000000000001 0000000000000001\n");
  expect([start(), start()]).toEqual([true, false]);
});

test("one beside which the second place is missing was put back elsewhere", () => {
  start();
  rmSync(place(), { recursive: true });
  expect([start(), start()]).toEqual([true, false]);
  expect(lines).toEqual([expect.stringContaining("in a container both folders are to be volumes")]);
});

test("one that was counted beside was put back also where no second place can be made", () => {
  start();
  rmSync(place(), { recursive: true });
  writeFileSync(place(), NO_FOLDER);
  expect([start(), start()]).toEqual([true, false]);
  // Noticed once, it shows nothing more once the place can be made.
  rmSync(place());
  expect([start(), start()]).toEqual([false, false]);
});

test("one of which a start was cut off before it said what follows is noticed again", () => {
  start();
  rmSync(place(), { recursive: true });
  const cutOff = running();
  expect(cutOff.count()).toBe(true);
  cutOff.stop();
  expect([start(), start()]).toEqual([true, false]);
});

test("one of a version that did not count was not, nor one that nobody has used", () => {
  expect(start()).toBe(false);
  database.sqlite.exec("DELETE FROM organizations");
  setStarts(0);
  start();
  setStarts(0);
  expect(start()).toBe(false);
});

/** In the way of the folder until it is removed. */
const NO_FOLDER = "a file where the folder should be";

/** A start in the midst of a run, quietly. */
function running(): StartCount {
  const log = createLog({ level: "silent", clock: new FakeClock() });
  return new StartCount({ stateDir: stateDir(), stores, log });
}

test("a second place that cannot be made is told, and nothing is noticed", () => {
  writeFileSync(place(), NO_FOLDER);
  expect([start(), start()]).toEqual([false, false]);
  expect(lines).toHaveLength(2);
});

test("one that is made beside a database that was started without it notices only what comes then", () => {
  // A version of before counted in the database alone.
  setStarts(7);
  writeFileSync(place(), NO_FOLDER);
  for (let count = 0; count < 3; count += 1) expect(start()).toBe(false);
  rmSync(place());
  mkdirSync(place());
  for (let count = 0; count < 3; count += 1) expect(start()).toBe(false);
  setStarts(1);
  expect(start()).toBe(true);
});

test("one that an installer has made for a database of before notices only what comes then", () => {
  setStarts(7);
  mkdirSync(place());
  writeFileSync(join(place(), "starts"), "begun\n");
  expect([start(), start()]).toEqual([false, false]);
  rmSync(place(), { recursive: true });
  expect(start()).toBe(true);
});

test("one that is refused for some starts tells the same behind them as before", () => {
  for (let count = 0; count < 4; count += 1) start();
  const [file, aside] = [join(place(), "starts"), join(folder, "aside")];
  const refused = (starts: number) => {
    renameSync(file, aside);
    mkdirSync(file);
    setStarts(starts);
    for (let count = 0; count < 3; count += 1) expect(start()).toBe(false);
    rmSync(file, { recursive: true });
    renameSync(aside, file);
  };
  refused(4);
  expect([start(), start()]).toEqual([false, false]);
  refused(3);
  expect([start(), start()]).toEqual([true, false]);
});

test("it is told until it can be made, and a state that is put back is noticed from then on", () => {
  writeFileSync(place(), NO_FOLDER);
  const starts = running();
  expect(starts.count()).toBe(false);
  const { code, text } = starts.problem() ?? {};
  expect([code, text]).toEqual(["starts_uncounted", expect.stringContaining(place())]);
  expect(starts.problem()?.openText).not.toContain(place());
  rmSync(place());
  expect([starts.problem(), existsSync(place())]).toEqual([undefined, true]);
  starts.stop();
  expect(start()).toBe(false);
  setStarts(0);
  rmSync(place(), { recursive: true });
  expect(start()).toBe(false);
  for (let count = 0; count < 3; count += 1) start();
  setStarts(1);
  expect(start()).toBe(true);
});

test("one that can be used again within a run is compared with what the run began with", () => {
  start();
  const file = join(place(), "starts");
  const within = (known: string, newest: number) => {
    rmSync(file, { recursive: true, force: true });
    mkdirSync(file, { recursive: true });
    const starts = running();
    expect(starts.count()).toBe(false);
    starts.noteEvent(newest);
    rmSync(file, { recursive: true });
    writeFileSync(file, known);
    const problem = starts.problem();
    starts.stop();
    return problem?.text;
  };
  expect(within("0000000000000001 0000000000000000\n", 0)).toBeUndefined();
  expect(start()).toBe(false);
  rmSync(place(), { recursive: true });
  // What was stored since says nothing of what was there.
  expect(within("0000000000000001 0000000000000050\n", 99)).toContain("start the gateway anew");
  expect([start(), start()]).toEqual([true, false]);
});
